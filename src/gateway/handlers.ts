/** What a gateway answers: a few requests itself, every other by the host that is meant. */
import type { CallName } from '../client/connection.js';
import type { Client } from '../client/client.js';
import { LOCAL } from '../fleet/address.js';
import { isT4aError } from '../protocol/errors.js';
import { FEATURES } from '../protocol/features.js';
import { PROTOCOL_VERSION } from '../protocol/limits.js';
import { COMMANDS, COMMAND_NAMES, type CommandName, type Reply } from '../protocol/registry.js';
import type { Call, Handlers } from '../rpc/service.js';
import { UNRESTRICTED } from '../rpc/restriction.js';
import { addressed } from '../fleet/addressed.js';
import { isPattern, needsOneHost } from '../fleet/host-pattern.js';
import { leastBusy } from '../fleet/placement.js';
import type { HostLinks } from './host-links.js';
import { failureOf } from './failure.js';
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
  const lastHosts = new LastHosts();
  const forwarded = COMMAND_NAMES.map((name) => [name, forward(name, links, lastHosts)] as const);
  const forwardPing = forward('ping', links, lastHosts);
  const forwardList = forward('list', links, lastHosts);
  const forwardEnd = forward('shutdown', links, lastHosts);
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
            features: [...FEATURES],
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
    restrict: (_params, { restriction = UNRESTRICTED }) => ({ ...restriction }),
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

function forward(name: CommandName, links: HostLinks, lastHosts: LastHosts): AnyHandler {
  const takesId = 'id' in COMMANDS[name].params.shape;
  return async (params, call) => {
    const { id } = params as { readonly id?: unknown };
    const meansLast = takesId && id === '@';
    const named = isPattern(call.host) ? await oneOf(call.host, name, links, call) : call.host;
    const host = named ?? (meansLast ? lastHosts.of(call) : undefined) ?? LOCAL;
    const client = await links.to(host, call.signal, !('startsNoDaemon' in COMMANDS[name]));
    // What may only read leads "@" of nobody elsewhere.
    if (takesId && typeof id === 'string' && call.restriction?.reach !== 'read') lastHosts.set(call, host);
    const { bytes, ...reply } = await callAs(client, name, params, call);
    if (name === 'create' || name === 'run' || name === 'open') made(params, reply, client, host, { call, lastHosts });
    const far = addressed(host, reply);
    if (COMMANDS[name].kind !== 'bytes') return far;
    return { reply: far, ...(bytes === undefined ? {} : { bytes: [bytes] }) };
  };
}

interface MadeBy {
  readonly call: Call;
  readonly lastHosts: LastHosts;
}

/** A terminal that is tied to its connection is tied to that of the gateway's client, too. */
function made(params: object, reply: object, client: Client, host: string, { call, lastHosts }: MadeBy): void {
  const { id } = reply as { readonly id?: string };
  if (id === undefined) return;
  lastHosts.set(call, host);
  if ((params as { readonly tied?: unknown }).tied !== true) return;
  call.connection.onGone(() => {
    endTied(client, id).catch(() => {
      // It has ended by itself.
    });
  });
}

/** Whoever has control: what is tied ends with its client. */
async function endTied(client: Client, id: string): Promise<void> {
  try {
    await client.call('kill', { id });
  } catch (error) {
    // Older daemons, which know no "force", refuse no end.
    if (!isT4aError(error) || error.code !== 'control_held') throw error;
    await client.call('kill', { id, force: true });
  }
}

/** With the scope and the author of the request; its end ends it there, too. */
function callAs(
  client: Client,
  name: CommandName,
  params: object,
  { scope, as, signal }: Call,
): Promise<Record<string, unknown> & { bytes?: Uint8Array }> {
  const asker = { ...(scope === undefined ? {} : { scope }), ...(as === undefined ? {} : { as }) };
  // The handlers of other kinds are this gateway's own.
  const call = client.call.bind(client) as unknown as (
    cmd: CallName,
    fields: object,
    options: object,
  ) => Promise<Record<string, unknown>>;
  return call(name as CallName, { ...params, ...asker }, { signal });
}

/** Of a pattern, for a new terminal. @throws T4aError `host_ambiguous` for every other request */
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

async function listOf(host: string, links: HostLinks, params: object, call: Call): Promise<Reply<'list'>> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(LIST_MS)]);
  const client = await links.to(host, signal, false);
  return (await callAs(client, 'list', params, { ...call, signal })) as unknown as Reply<'list'>;
}

async function listOfAll(links: HostLinks, params: object, call: Call): Promise<Reply<'list'>> {
  const lists = await Promise.all(
    links.names(call.host).map(async (host) => {
      try {
        const reply = await listOf(host, links, params, call);
        return { terminals: addressed(host, reply).terminals.map((terminal) => ({ ...terminal, host })) };
      } catch (error) {
        const failure = failureOf(error);
        // No daemon on this machine has no terminals.
        if (host === LOCAL && failure.code === 'daemon_unreachable') return { terminals: [] };
        return { unreachable: { host, ...failure } };
      }
    }),
  );
  const unreachable = lists.flatMap((one) =>
    'unreachable' in one && one.unreachable !== undefined ? [one.unreachable] : [],
  );
  return { terminals: lists.flatMap((one) => one.terminals ?? []), unreachable };
}
