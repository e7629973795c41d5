/** What all hosts have: their lists, and the events of all of them as one stream. A host that does not answer holds up no other. */
import { MergedLines } from './merged-lines.js';
import { connect, type Client } from '../client/client.js';
import type { Asker } from '../client/envelope.js';
import type { EventFilter } from '../client/event-stream.js';
import type { ConnectOptions } from '../client/open-connection.js';
import { ReplyBudget } from '../client/reply-budget.js';
import { T4aError, isT4aError, quote, type ErrorCode } from '../protocol/errors.js';
import type { ParamsInput, Reply } from '../protocol/registry.js';
import type { StreamLine } from '../protocol/events.js';
import { LOCAL } from './address.js';
import { type Alias, aliasesIn } from './aliases.js';
import { followHost, type HostEvent } from './followed-host.js';
import { fitting } from './host-pattern.js';
import type { HostList } from './host-list.js';
import { leastBusy } from './placement.js';
import { hostRoute, NoDaemonThere } from './host-route.js';
import { PLACES } from './hosts.js';
import { whileListed } from './while-listed.js';

export interface Unreachable {
  readonly host: string;
  readonly code: ErrorCode;
  readonly error: string;
}

export type TerminalOfHost = Omit<Reply<'list'>['terminals'][number], 'host'> & { readonly host: string };

export interface ListOfAll {
  readonly terminals: TerminalOfHost[];
  readonly unreachable: Unreachable[];
  /** Names of those of `unreachable` that certainly have no terminals. */
  readonly empty: string[];
  /** Hosts whose daemon says that it is the one of another host here. */
  readonly aliases: Alias[];
}

export interface AllOptions extends Asker {
  /** Socket of the local daemon, if a setting names it. */
  readonly socketPath?: string | undefined;
  /** Longest wait for one host. */
  readonly timeoutMs: number;
  /** Pattern of the names of hosts that are asked. Default: all. */
  readonly pattern?: string | undefined;
  /** Listed hosts alone, without this machine. */
  readonly isElsewhere?: boolean | undefined;
}

/** Replies of all hosts that are on their way. */
const MOST_BYTES = 256 * 1024 * 1024;

/** So many hosts are asked at the same time. */
const MAX_AT_ONCE = 64;

export async function listAll(hosts: HostList, params: ParamsInput<'list'>, options: AllOptions): Promise<ListOfAll> {
  const terminals: TerminalOfHost[] = [];
  const silent: Unreachable[] = [];
  const empty: string[] = [];
  const instances: { readonly host: string; readonly instance: string | undefined }[] = [];
  const doors = doorsOf(hosts, options);
  const next = doors.values();
  // A function of its own: what the bundler makes of `using` in a loop throws the error of an earlier turn again.
  const ask = async ({ host, connection }: Door): Promise<void> => {
    await using client = await connection();
    const signal = AbortSignal.timeout(options.timeoutMs);
    const { terminals: own, unreachable = [] } = await client.call('list', params, { signal });
    instances.push({ host, instance: client.daemon.instance });
    for (const terminal of own) terminals.push({ ...terminal, host });
    // A list that is not whole.
    if (host !== LOCAL) silent.push(...(unreachable as Unreachable[]));
  };
  const work = async (): Promise<void> => {
    for (const door of next) {
      const { host } = door;
      try {
        await ask(door);
      } catch (error) {
        if (host === LOCAL && isT4aError(error) && error.code === 'daemon_unreachable') continue;
        silent.push(failureOf(host, error));
        if (error instanceof NoDaemonThere) empty.push(host);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, doors.length) }, work));
  const order = new Map(doors.map(({ host }, i) => [host, i]));
  const byHost = (a: { host: string }, b: { host: string }): number =>
    (order.get(a.host) ?? 0) - (order.get(b.host) ?? 0);
  const aliases = aliasesIn(instances.sort(byHost));
  return { terminals: terminals.sort(byHost), unreachable: silent.sort(byHost), empty, aliases };
}

/**
 * The host that has a terminal of this name, if it is the only one and all hosts have answered. A socket that refuses has.
 * @throws T4aError `terminal_ambiguous`; undefined if none has it
 */
export async function hostOfTerminal(id: string, hosts: HostList, options: AllOptions): Promise<string | undefined> {
  const { terminals, unreachable: all, empty } = await listAll(hosts, {}, options);
  const unreachable = all.filter(({ host }) => !empty.includes(host));
  const having = terminals.filter((terminal) => terminal.id === id).map(({ host }) => host);
  if (having.length === 0 && unreachable.length === 0) return undefined;
  if (having.length === 1 && unreachable.length === 0) return having[0];
  const silent = unreachable.map(({ host }) => host).join(', ');
  const says = [
    ...(having.length === 0 ? ['no host that answers has it'] : [having.map((host) => `${host}/${id}`).join(', ')]),
    ...(silent === '' ? [] : [`no answer from ${silent}`]),
  ].join('; ');
  throw new T4aError('terminal_ambiguous', `Which terminal ${quote(id)} is meant is not certain: ${says}.`, {
    hint: `Name its host: ${having[0] ?? 'HOST'}/${id}`,
    field: 'id',
  });
}

/** The host of these on which a new terminal is created. @throws T4aError `host_unknown`, or why none answers */
export function hostForTerminal(hosts: HostList, options: AllOptions): Promise<string> {
  const doors = doorsOf(hosts, options);
  const names = doors.map(({ host }) => host);
  return leastBusy(names, async (name) => {
    const door = doors.find(({ host }) => host === name);
    try {
      await using client = await door?.connection();
      const signal = AbortSignal.timeout(options.timeoutMs);
      const { terminals = [] } = (await client?.call('list', {}, { signal })) ?? {};
      return terminals.filter(({ alive }) => alive).length;
    } catch (error) {
      // The daemon of this machine is started by the command itself.
      if (name === LOCAL && isT4aError(error) && error.code === 'daemon_unreachable') return 0;
      throw error;
    }
  });
}

export type EventOfHost = { readonly host: string } & (StreamLine | HostEvent);

/** A stream without a host goes on for so long, for one that comes back. */
const COMES_BACK_MS = 60_000;

/**
 * In the order of their arrival; `seq` is each daemon's own. A host that was cut off is followed again, behind its last event. Ends
 * when none answers, or has answered for a minute.
 */
export async function* eventsOfAll(
  hosts: HostList,
  filter: EventFilter,
  options: AllOptions,
): AsyncGenerator<EventOfHost, void, void> {
  const lines = new MergedLines<EventOfHost>();
  const doors = doorsOf(hosts, options);
  const unasked = new Set(doors.map(({ host }) => host));
  const up = new Set<string>();
  let wake = NOTHING;
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const listening = lines.onReadable(() => wake());
  const answered = (host: string, isUp: boolean): void => {
    unasked.delete(host);
    if (isUp) up.add(host);
    else if (up.delete(host) && up.size === 0) {
      lastMs = performance.now();
      clearTimeout(timer);
      timer = setTimeout(() => wake(), COMES_BACK_MS + 1);
    }
    wake();
  };
  const isOver = (): boolean => unasked.size === 0 && up.size === 0 && performance.now() - lastMs >= COMES_BACK_MS;
  try {
    for (const door of doors) void follow(door, filter, lines, answered);
    for (;;) {
      const line = lines.next();
      if (line !== undefined) yield line;
      else if (isOver()) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    clearTimeout(timer);
    listening.dispose();
    lines.dispose();
  }
}

const NOTHING = (): void => {};

async function follow(
  { host, connection }: Door,
  filter: EventFilter,
  lines: MergedLines<EventOfHost>,
  onAnswer: (host: string, isUp: boolean) => void,
): Promise<void> {
  let client: Client | undefined;
  await followHost({
    client: async () => (client ??= await connection()),
    filter: () => filter,
    signal: lines.signal,
    put: (line) => lines.put({ host, ...line }, line),
    failureOf: (error) => failureOf(host, error),
    onAnswer: (isUp) => onAnswer(host, isUp),
  });
  await client?.close();
}

interface Door {
  readonly host: string;
  readonly connection: () => Promise<Client>;
}

/** The local daemon, if it runs, and each listed host. */
function doorsOf(
  hosts: HostList,
  { socketPath, timeoutMs, scope, as, pattern, isElsewhere = false }: AllOptions,
): Door[] {
  const replyBudget = new ReplyBudget({ mostBytes: MOST_BYTES, mostOfOne: MOST_BYTES / 4, alsoHeld: () => 0 });
  const common: ConnectOptions = { scope, as, timeoutMs, replyBudget };
  const local = { host: LOCAL, connection: () => connect({ ...common, socketPath, autoStart: false }) };
  const counts = new Map<string, number>();
  for (const { name } of hosts.routes) counts.set(name, (counts.get(name) ?? 0) + 1);
  const far = hosts.routes.map((route) => ({
    host: route.name,
    connection: () => {
      // A name with two routes: which host it is cannot be said.
      if (counts.get(route.name) !== 1) hosts.find(route.name);
      const way = hostRoute(route);
      return connect({ ...common, route: isElsewhere ? way : whileListed(route, way, PLACES) });
    },
  }));
  const doors = isElsewhere ? far : [local, ...far];
  if (pattern === undefined) return doors;
  const names = fitting(
    pattern,
    doors.map(({ host }) => host),
  );
  return doors.filter(({ host }) => names.includes(host));
}

function failureOf(host: string, error: unknown): Unreachable {
  if (isT4aError(error)) return { host, code: error.code, error: error.message };
  const says = error instanceof Error && error.name === 'TimeoutError' ? 'It did not answer in time.' : String(error);
  return { host, code: 'host_unreachable', error: says };
}
