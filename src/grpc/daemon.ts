/** The daemon behind the API: one connection for what is answered at once, one of its own for what waits. */
import { connect, type Client } from '../client/client.js';
import type { CallName, CallResult } from '../client/connection.js';
import type { ConnectOptions } from '../client/open-connection.js';
import type { ParamsInput } from '../protocol/registry.js';
import { DEFAULT_THEME, THEMES, type Theme } from '../render/theme.js';

/** A wait has a deadline on the wire; one without is begun again until it ends. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

export type Ask = <Name extends CallName>(cmd: Name, params: ParamsInput<Name>) => Promise<CallResult<Name>>;

export class SessionDaemon {
  readonly client: Client;
  readonly #options: ConnectOptions;
  /** Open already: a wait must begin before the requests that come after it. */
  #spare: Promise<Client>;

  constructor(client: Client, options: ConnectOptions) {
    this.client = client;
    this.#options = { ...options, socketPath: client.socketPath };
    this.#spare = this.#connect();
  }

  /** @throws T4aError as `connect` */
  static async reach(options: ConnectOptions): Promise<SessionDaemon> {
    return new SessionDaemon(await connect(options), options);
  }

  /** The daemon ends what waits on this connection with it. To be closed by the caller. */
  async connect(): Promise<Client> {
    const spare = this.#spare;
    this.#spare = this.#connect();
    try {
      return await spare;
    } catch {
      // That of a daemon before.
      return connect({ ...this.#options, autoStart: false });
    }
  }

  /** @param as author of the requests. Default: that of the server */
  asker(as: string | undefined): Ask {
    const call: Ask = this.client.call.bind(this.client);
    return as === undefined ? call : (cmd, params) => call(cmd, { ...params, as });
  }

  async close(): Promise<void> {
    await this.client.close();
    await this.#spare.then(
      (client) => client.close(),
      () => {},
    );
  }

  #connect(): Promise<Client> {
    const client = connect({ ...this.#options, autoStart: false });
    client.catch(() => {
      // It is reported to the caller that needs it.
    });
    return client;
  }

  /** The colours of pictures. Those of a theme of the configuration's own are not known here. */
  async theme(): Promise<Theme> {
    const { theme } = await this.client.call('config', {});
    const known = THEMES.get(theme) ?? THEMES.get(DEFAULT_THEME);
    if (known === undefined) throw new Error('there is no default theme');
    return known;
  }

  /**
   * Waits on a connection of its own, which the signal closes.
   * @throws the signal's reason
   */
  async wait(params: ParamsInput<'wait'>, signal: AbortSignal): Promise<CallResult<'wait'>> {
    await using client = await this.connect();
    return await client.call('wait', params, { signal });
  }

  /** End of the program. @throws the signal's reason */
  async end(id: string, signal: AbortSignal): Promise<CallResult<'wait'>> {
    for (;;) {
      const params = { id, until: { event: 'exit' as const }, timeout_ms: LONGEST_WAIT_MS, tail: 0 };
      const reply = await this.wait(params, signal);
      if (reply.outcome !== 'timeout') return reply;
    }
  }
}
