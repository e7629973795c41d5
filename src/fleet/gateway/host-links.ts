/** One connection to each host, opened with the first request for it and kept; one that was cut is opened anew. */
import { connect, type Client } from '../../client/client.js';
import { type ConnectOptions, openConnection, type OpenConnection } from '../../client/open-connection.js';
import type { Route } from '../../client/route.js';
import type { ReplyBudget } from '../../client/reply-budget.js';
import { LOCAL } from '../address.js';
import type { HostList } from '../host-list.js';
import { fitting } from '../host-pattern.js';
import { hostRoute } from '../host-route.js';
import { PLACES } from '../hosts.js';
import { whileListed } from '../while-listed.js';

export interface HostLinksOptions {
  /** The list of now: it may change, and globs have other sockets. */
  readonly hosts: () => HostList;
  readonly local: ConnectOptions;
  /** Budget of the replies of all hosts. */
  readonly replyBudget: ReplyBudget;
  /** Path of the gateway itself, which is no host. */
  readonly ownPath: string;
  /** Instance of the gateway, once it listens. */
  readonly instance: () => string | undefined;
}

/** No name of a host: a connection to the daemon of this machine that starts none. */
const AS_IT_IS = '/local';

export class HostLinks {
  readonly #options: HostLinksOptions;
  readonly #clients = new Map<string, Promise<Client>>();

  constructor(options: HostLinksOptions) {
    this.#options = options;
  }

  get instance(): string | undefined {
    return this.#options.instance();
  }

  /** This machine's first. @param pattern of the wanted ones @throws T4aError `host_unknown` if none fits */
  names(pattern?: string): string[] {
    const routes = this.#options.hosts().routes.filter(({ carrier }) => !this.#isSelf(carrier));
    const names = [...new Set([LOCAL, ...routes.map(({ name }) => name)])];
    return pattern === undefined ? names : fitting(pattern, names);
  }

  /**
   * The signal ends the wait of its caller alone.
   * @param starts false: the daemon of this machine is not started for it
   * @throws T4aError `host_unknown`, `host_ambiguous`, `host_unreachable`, `host_alias`, `version_mismatch`
   */
  to(name: string, signal?: AbortSignal, starts = true): Promise<Client> {
    const key = name === LOCAL && !starts ? AS_IT_IS : name;
    let client = this.#clients.get(key);
    if (client === undefined) {
      client = this.#open(key);
      this.#clients.set(key, client);
      client.catch(() => this.#clients.delete(key));
    }
    return signal === undefined ? client : unlessAborted(client, signal);
  }

  async close(): Promise<void> {
    const clients = await Promise.allSettled(this.#clients.values());
    await Promise.all(clients.flatMap((one) => (one.status === 'fulfilled' ? [one.value.close()] : [])));
  }

  /** A connection of its caller's. @throws as {@link HostLinks.to} */
  open(name: string, starts: boolean): Promise<OpenConnection> {
    return openConnection(this.#way(name === LOCAL && !starts ? AS_IT_IS : name));
  }

  async #open(name: string): Promise<Client> {
    return connect(this.#way(name));
  }

  #way(name: string): ConnectOptions {
    const { local, hosts, replyBudget, ownPath } = this.#options;
    if (name === LOCAL) return { ...local, replyBudget };
    if (name === AS_IT_IS) return { ...local, replyBudget, autoStart: false };
    const route = hostRoute(hosts().find(name), [ownPath]);
    // Opened anew it leads where the list says then.
    const open: Route['open'] = (options) => {
      const listed = hosts().find(name);
      return whileListed(listed, hostRoute(listed, [ownPath]), PLACES, { isDoor: true }).open(options);
    };
    return { route: { ...route, open }, replyBudget };
  }

  #isSelf(carrier: HostList['routes'][number]['carrier']): boolean {
    return carrier.kind === 'socket' && carrier.path === this.#options.ownPath;
  }
}

export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
