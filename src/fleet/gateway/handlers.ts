/** Answers of a gateway: a few requests itself, every other by the host that is meant. */
import type { CallName } from '../../client/connection.js';
import type { Client } from '../../client/client.js';
import { LOCAL } from '../address.js';
import { GATEWAY_FEATURES } from '../../protocol/features.js';
import { PROTOCOL_VERSION } from '../../protocol/limits.js';
import { COMMANDS, COMMAND_NAMES, type CommandName, type Reply } from '../../protocol/registry.js';
import type { Asker, Call, Handlers } from '../../rpc/service.js';
import { UNRESTRICTED } from '../../rpc/restriction.js';
import { addressed } from '../addressed.js';
import { aliasesIn } from '../aliases.js';
import { isPattern, needsOneHost } from '../host-pattern.js';
import { leastBusy } from '../placement.js';
import type { HostLinks } from './host-links.js';
import { OwnLinks } from './own-links.js';
import { failureOf } from './failure.js';
import { assertNotPassed, passedOn } from './passed.js';
import { events } from './events.js';

export interface Gateway {
  readonly links: HostLinks;
  readonly version: string;
  readonly socketPath: string;
  readonly instance: () => string | undefined;
  readonly stop: () => void;
}

/** Longest wait for the list of one host: it holds up the others' no longer. */
const LIST_MS = 5000;

/** Scopes whose last host is kept. */
const MAX_SCOPES = 1000;

export function gatewayHandlers(gateway: Gateway): Handlers {
  const { links } = gateway;
  const startedMs = performance.now();
  const ways: Ways = { links, own: new OwnLinks(links), lastHosts: new LastHosts(), shared: new Map() };
  const forwarded = COMMAND_NAMES.map((name) => [name, forward(name, ways)] as const);
  const forwardPing = forward('ping', ways);
  const forwardList = forward('list', ways);
  const forwardEnd = forward('shutdown', ways);
  return {
    ...(Object.fromEntries(forwarded) as unknown as Handlers),
    ping: (params, call) =>
      call.host === undefined
        ? {
            version: gateway.version,
            protocol: PROTOCOL_VERSION,
            pid: process.pid,
            socket: gateway.socketPath,
            uptime_ms: Math.round(performance.now() - startedMs),
            terminals: 0,
            instance: gateway.instance(),
            features: [...GATEWAY_FEATURES],
          }
        : (forwardPing(params, call) as Promise<Reply<'ping'>>),
    list: (params, call) =>
      call.host === undefined || isPattern(call.host)
        ? listOfAll(links, params, call)
        : (forwardList(params, call) as Promise<Reply<'list'>>),
    shutdown: (params, call) => {
      if (call.host !== undefined) return forwardEnd(params, call) as Promise<Reply<'shutdown'>>;
      gateway.stop();
      return {};
    },
    restrict: (_params, { restriction: { reach, person } = UNRESTRICTED }) => ({ reach, person }),
    cancel: ({ of }, call) => ({ cancelled: call.cancel(of) }),
    events: events(links),
  };
}

/** The host that `@` and an absent id mean: that of the last terminal which the scope has named or made. */
class LastHosts {
  readonly #hosts = new Map<string, string>();

  of({ scope = '' }: Call): string | undefined {
    return this.#hosts.get(scope);
  }

  set({ scope = '' }: Call, host: string): void {
    this.#hosts.delete(scope);
    this.#hosts.set(scope, host);
    const [oldest] = this.#hosts.keys();
    if (this.#hosts.size > MAX_SCOPES && oldest !== undefined) this.#hosts.delete(oldest);
  }
}

type AnyHandler = (params: object, call: Call) => Promise<unknown>;

/** Half of what a daemon takes from one connection (`max_requests_in_flight`): beyond it a client gets one of its own. */
const MOST_SHARED = 128;

interface Ways {
  readonly links: HostLinks;
  readonly own: OwnLinks;
  readonly lastHosts: LastHosts;
  /** Requests on the shared connection that are not answered yet, by host. */
  readonly shared: Map<string, number>;
}

function forward(name: CommandName, ways: Ways): AnyHandler {
  const { links, lastHosts } = ways;
  const takesId = 'id' in COMMANDS[name].params.shape;
  return async (params, call) => {
    const { id } = params as { readonly id?: unknown };
    const meansLast = takesId && id === '@';
    const named = isPattern(call.host) ? await oneOf(call.host, name, links, call) : call.host;
    const host = named ?? (meansLast ? lastHosts.of(call) : undefined) ?? LOCAL;
    // What may only read leads "@" of nobody elsewhere.
    if (takesId && typeof id === 'string' && call.restriction?.reach !== 'read') lastHosts.set(call, host);
    const { bytes, ...reply } = await asked(host, name, params, ways, call);
    if (MAKERS.includes(name) && 'id' in reply) lastHosts.set(call, host);
    const far = addressed(host, reply);
    if (COMMANDS[name].kind !== 'bytes') return far;
    return { reply: far, ...(bytes === undefined ? {} : { bytes: [bytes] }) };
  };
}

/** Commands that make a terminal. */
const MAKERS: readonly CommandName[] = ['create', 'run', 'open'];

async function asked(
  host: string,
  name: CommandName,
  params: object,
  { links, own, shared }: Ways,
  call: Call,
): Promise<Record<string, unknown> & { bytes?: Uint8Array }> {
  const before = shared.get(host) ?? 0;
  const ask = own.for(host, params, call, before >= MOST_SHARED);
  if (ask !== undefined) return ask(name as CallName, { ...params, ...askerOf(call) }, call.signal);
  shared.set(host, before + 1);
  try {
    const client = await links.to(host, call.signal, !('startsNoDaemon' in COMMANDS[name]));
    const passed = name === 'list' ? passedOn(links.instance, call, client.daemon) : {};
    return await callAs(client, name, { ...params, ...passed }, call);
  } finally {
    const left = (shared.get(host) ?? 1) - 1;
    if (left > 0) shared.set(host, left);
    else shared.delete(host);
  }
}

function askerOf({ scope, as }: Call): Asker {
  return { ...(scope === undefined ? {} : { scope }), ...(as === undefined ? {} : { as }) };
}

/** Call with the scope and the author of the request. The request's end ends the call there, too. */
function callAs(
  client: Client,
  name: CommandName,
  params: object,
  asker: Call,
): Promise<Record<string, unknown> & { bytes?: Uint8Array }> {
  // The handlers of other kinds are this gateway's own.
  const call = client.call.bind(client) as unknown as (
    cmd: CallName,
    fields: object,
    options: object,
  ) => Promise<Record<string, unknown>>;
  return call(
    name as CallName,
    { ...params, ...askerOf(asker) },
    {
      signal: asker.signal,
      traceparent: asker.traceparent,
    },
  );
}

/** Host of a pattern, for a new terminal. @throws T4aError `host_ambiguous` for every other request */
function oneOf(pattern: string, name: CommandName, links: HostLinks, call: Call): Promise<string> {
  if (name !== 'create' && name !== 'run') throw needsOneHost(pattern);
  return leastBusy(links.names(pattern), async (host) => {
    try {
      const { terminals } = await listOf(host, links, {}, call);
      return terminals.filter(({ alive }) => alive).length;
    } catch (error) {
      // The request itself starts the daemon of this machine.
      if (host === LOCAL && failureOf(error).code === 'daemon_unreachable') return 0;
      throw error;
    }
  });
}

type ListOfOne = Reply<'list'> & { readonly instance: string | undefined };

async function listOf(host: string, links: HostLinks, params: object, call: Call): Promise<ListOfOne> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(LIST_MS)]);
  const client = await links.to(host, signal, false);
  const passed = passedOn(links.instance, call, client.daemon);
  const reply = (await callAs(
    client,
    'list',
    { ...params, ...passed },
    { ...call, signal },
  )) as unknown as Reply<'list'>;
  return { ...reply, instance: client.daemon.instance };
}

async function listOfAll(links: HostLinks, params: object, call: Call): Promise<Reply<'list'>> {
  assertNotPassed(links.instance, call);
  const lists = await Promise.all(
    links.names(call.host).map(async (host) => {
      try {
        const reply = await listOf(host, links, params, call);
        const terminals = addressed(host, reply).terminals.map((terminal) => ({ ...terminal, host }));
        // Of a list that is not whole.
        return {
          host,
          instance: reply.instance,
          terminals,
          unreachable: host === LOCAL ? [] : (reply.unreachable ?? []),
        };
      } catch (error) {
        const failure = failureOf(error);
        const none = { host, instance: undefined, terminals: [] };
        // No daemon on this machine has no terminals.
        if (host === LOCAL && failure.code === 'daemon_unreachable') return { ...none, unreachable: [] };
        return { ...none, unreachable: [{ host, ...failure }] };
      }
    }),
  );
  const aliases = aliasesIn(lists);
  return {
    terminals: lists.flatMap((one) => one.terminals),
    unreachable: lists.flatMap((one) => one.unreachable),
    ...(aliases.length === 0 ? {} : { aliases }),
  };
}
