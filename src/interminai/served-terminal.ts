/**
 * The terminal that is served: requests to its daemon, and to no other one. A daemon that was started anew may have a
 * terminal of the same name.
 */
import { connect, type Client } from '../client/client.js';
import type { ConnectOptions } from '../client/open-connection.js';
import type { CallResult } from '../client/connection.js';
import { isAnother } from '../client/resume.js';
import { Terminal, type TerminalCommand } from '../client/terminal.js';
import { T4aError } from '../protocol/errors.js';
import type { ParamsInput } from '../protocol/registry.js';

/** A wait has a deadline on the wire; it is begun again until it ends. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

export interface ServedTerminalOptions {
  readonly daemon: ConnectOptions;
  /** Id of a terminal that exists already, or the fields of a new one. */
  readonly terminal: string | ParamsInput<'create'>;
}

export class ServedTerminal {
  readonly #terminal: Terminal;
  readonly #options: ConnectOptions;
  /** Whether it was created to be served. */
  readonly isOwn: boolean;

  constructor(client: Client, id: string, pid: number | null, options: ConnectOptions, isOwn: boolean) {
    this.#terminal = new Terminal(client, { id, pid });
    this.#options = options;
    this.isOwn = isOwn;
  }

  /** @throws T4aError if there is no such terminal, or the program cannot be started */
  static async open({ daemon, terminal }: ServedTerminalOptions): Promise<ServedTerminal> {
    const client = await connect(daemon);
    const isOwn = typeof terminal !== 'string';
    try {
      const { id, pid } = await (isOwn ? client.call('create', terminal) : client.call('status', { id: terminal }));
      const options = { ...daemon, socketPath: client.socketPath, autoStart: false };
      return new ServedTerminal(client, id, pid, options, isOwn);
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  call<Name extends TerminalCommand>(cmd: Name, fields: Omit<ParamsInput<Name>, 'id'>): Promise<CallResult<Name>> {
    return this.#terminal.call(cmd, fields);
  }

  /**
   * Waits without a deadline, on a connection of its own: the daemon ends the wait with that connection.
   * @throws the signal's reason, once it is aborted
   */
  async waitFor(until: ParamsInput<'wait'>['until'], signal: AbortSignal): Promise<CallResult<'wait'>> {
    await using client = await connect({ ...this.#options, signal });
    const { id, client: known } = this.#terminal;
    if (isAnother(known.daemon, client.daemon)) throw new T4aError('terminal_not_found', `Terminal "${id}" has gone.`);
    for (;;) {
      const fields = { id, until, timeout_ms: LONGEST_WAIT_MS, tail: 0 };
      const reply = await client.call('wait', fields, { signal });
      if (reply.outcome !== 'timeout') return reply;
    }
  }

  /** Ends the terminal, if it still exists. */
  async end(): Promise<void> {
    try {
      await this.call('kill', {});
    } catch (error) {
      if (!(error instanceof T4aError && GONE.includes(error.code))) throw error;
    }
  }

  close(): Promise<void> {
    return this.#terminal.client.close();
  }
}

const GONE: readonly string[] = ['terminal_not_found', 'connection_lost', 'daemon_unreachable', 'shutting_down'];
