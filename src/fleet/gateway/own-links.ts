/**
 * Connections to hosts that belong to one client of the gateway. What hangs on a connection in a daemon (its end, its
 * restriction, whose watcher it is) hangs on the client's that way, also when the gateway dies. They are made for what
 * needs them alone: over ssh each is a channel.
 */
import type { CallName } from '../../client/connection.js';
import { whileAway } from '../../client/deleted-socket.js';
import { hasFeature } from '../../client/envelope.js';
import type { OpenConnection } from '../../client/open-connection.js';
import { overReplacements } from '../../client/resume.js';
import { type ResumeRequest, T4aError, quote } from '../../protocol/errors.js';
import { COMMANDS, type CommandName } from '../../protocol/registry.js';
import type { Restriction } from '../../rpc/restriction.js';
import { UNRESTRICTED } from '../../rpc/restriction.js';
import type { Call, CallConnection } from '../../rpc/service.js';
import { type HostLinks, unlessAborted } from './host-links.js';

type Fields = Readonly<Record<string, unknown>>;

/** Commands, and those of their requests whose meaning includes the connection. `docs/fleet.md` has the same table. */
const BOUND: { readonly [Name in CommandName]?: (params: Fields) => boolean } = {
  create: ({ tied }) => tied === true,
  control: ({ connected, exclusive }) => connected === true || exclusive === true,
  trigger: ({ with_connection: withConnection, when }) =>
    withConnection === true || [when].flat().some((condition) => isDisconnected(condition)),
  watch: () => true,
};

/** Commands whose answer is the same for each restriction. All hosts are asked at once. */
const ALIKE: readonly CommandName[] = ['list', 'ping'];

function isDisconnected(condition: unknown): boolean {
  return typeof condition === 'object' && condition !== null && 'disconnected' in condition;
}

function isRestricted({ restriction = UNRESTRICTED }: Call): boolean {
  return restriction.reach !== UNRESTRICTED.reach || !restriction.person || restriction.rights !== undefined;
}

/** Sends a request. Its end ends it there, too. */
export type Ask = (cmd: CallName, params: object, signal: AbortSignal) => Promise<Fields & { bytes?: Uint8Array }>;

export class OwnLinks {
  readonly #links: HostLinks;
  readonly #ofClients = new WeakMap<CallConnection, Map<string, OwnLink>>();

  constructor(links: HostLinks) {
    this.#links = links;
  }

  /**
   * Undefined: the connection that all clients share will do.
   * @param isCrowded that one has so many unanswered requests that another client would be refused
   */
  for(host: string, params: object, call: Call, isCrowded: boolean): Ask | undefined {
    const links = this.#ofClients.get(call.connection);
    const isBound = BOUND[call.cmd]?.(params as Fields) === true || (isRestricted(call) && !ALIKE.includes(call.cmd));
    const link = links?.get(host) ?? (isBound || isCrowded ? this.#add(host, call.connection) : undefined);
    if (link === undefined) return undefined;
    const starts = !('startsNoDaemon' in COMMANDS[call.cmd]);
    return (cmd, fields, signal) => link.ask(cmd, fields, { signal, starts, restriction: call.restriction });
  }

  #add(host: string, connection: CallConnection): OwnLink {
    let links = this.#ofClients.get(connection);
    if (links === undefined) {
      this.#ofClients.set(connection, (links = new Map()));
      const opened = links;
      connection.onGone(() => opened.forEach((link) => link.close()));
    }
    const link = new OwnLink(host, (starts) => this.#links.open(host, starts));
    links.set(host, link);
    return link;
  }
}

interface Asked {
  readonly signal: AbortSignal;
  /** The daemon of this machine, if none runs. */
  readonly starts: boolean;
  readonly restriction: Restriction | undefined;
}

class OwnLink {
  readonly #host: string;
  readonly #open: (starts: boolean) => Promise<OpenConnection>;
  #opening: Promise<OpenConnection> | undefined;
  /** Restriction of the connection that is open. */
  #lowered: Restriction = UNRESTRICTED;
  #isClosed = false;

  constructor(host: string, open: (starts: boolean) => Promise<OpenConnection>) {
    this.#host = host;
    this.#open = open;
  }

  /** Over replacements of the daemon it goes on, each time on a new connection with the same restriction. */
  ask(cmd: CallName, params: object, asked: Asked): ReturnType<Ask> {
    const again = (request: ResumeRequest): ReturnType<Ask> => {
      const { cmd: next, ...fields } = request;
      return this.#ask(next as CallName, fields, asked);
    };
    return overReplacements(this.#ask(cmd, params, asked), { ...params, cmd }, again);
  }

  async #ask(cmd: CallName, params: object, { signal, starts, restriction = UNRESTRICTED }: Asked): ReturnType<Ask> {
    const { connection, daemon } = await unlessAborted(this.#connected(starts), signal);
    // On the same connection before the request: it holds for every later line.
    const lowering = hasFeature(daemon, 'restrict')
      ? this.#lower(connection, restriction, hasFeature(daemon, 'as_long_as'))
      : undefined;
    const call = connection.call.bind(connection) as unknown as (
      cmd: CallName,
      params: object,
      options: object,
    ) => Promise<Fields>;
    await lowering;
    return call(cmd, params, { signal });
  }

  close(): void {
    this.#isClosed = true;
    void this.#opening?.then(
      ({ connection }) => connection.close(),
      () => 'there is none',
    );
  }

  /** One that was cut is opened anew: what hung on it has ended there. */
  async #connected(starts: boolean): Promise<OpenConnection> {
    for (let wasReplaced = false; ;) {
      if (this.#isClosed) throw new T4aError('connection_lost', 'The client has gone.');
      if (this.#opening === undefined) {
        this.#lowered = UNRESTRICTED;
        this.#opening = wasReplaced ? whileAway(() => this.#open(starts)) : this.#open(starts);
      }
      const opening: Promise<OpenConnection> = this.#opening;
      try {
        const opened = await opening;
        // It may have gone in the time that this took.
        if (this.#isClosed) await opened.connection.close();
        else if (opened.connection.isOpen) return opened;
        ({ wasReplaced } = opened.connection);
      } catch (error) {
        if (this.#opening === opening) this.#opening = undefined;
        throw error;
      }
      if (this.#opening === opening) this.#opening = undefined;
    }
  }

  async #lower(
    connection: OpenConnection['connection'],
    restriction: Restriction,
    knowsRights: boolean,
  ): Promise<void> {
    const { reach, person, rights = [] } = restriction;
    const had = this.#lowered;
    this.#lowered = restriction;
    const added = knowsRights && rights.length > (had.rights?.length ?? 0) ? rights.map(({ file }) => file) : undefined;
    // The files are not on another machine: there the gateway looks itself, before each request.
    if (added !== undefined)
      await connection
        .call('restrict', { reach: had.reach, as_long_as: added })
        .catch(() => this.#door(connection, had));
    if (had.reach === reach && had.person === person) return;
    const lowered = await connection.call('restrict', { reach, ...(person ? {} : { person }) });
    if (lowered.reach === reach && (person || !lowered.person)) return;
    await connection.close();
    throw new T4aError('not_allowed', `The host ${quote(this.#host)} has not lowered what this connection may do.`);
  }

  async #door(connection: OpenConnection['connection'], { reach }: Restriction): Promise<void> {
    await connection.call('restrict', { reach, as_long_as: [] });
  }
}
