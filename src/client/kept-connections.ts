/**
 * Connections that a process which works for several callers (base/caller.ts) keeps from one call to the next, to the daemon of one
 * socket. What a daemon ties to a connection is its caller's: a connection on which anything of that kind was asked, or of which a reply
 * is due, ends with the call, and only the others serve another.
 */
import { lstatSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { VERSION } from '../base/version.js';
import type { DaemonConnection } from './connection.js';
import type { DaemonLock } from './daemon-lock.js';
import type { Pong } from './handshake.js';
import { isRunning } from './stopped-daemon.js';

export interface KeptConnection {
  readonly connection: DaemonConnection;
  readonly stream: Duplex;
  /** First answer of the daemon. */
  readonly daemon: Pong;
  readonly lock: DaemonLock;
  /** Place of the socket, when it was opened. */
  readonly place: string;
}

/** More calls at once open connections of their own. */
const MOST_IDLE = 4;

/** A daemon counts it as a client, and may end once it has none. */
const IDLE_MS = 1000;

export class KeptConnections {
  readonly #socketPath: string;
  readonly #idle: { readonly kept: KeptConnection; readonly sinceMs: number }[] = [];

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Lends connections for one call. */
  lend(): LentConnections {
    return new LentConnections(this.#socketPath, {
      take: () => this.#take(),
      keep: (kept) => {
        const fits = this.#idle.length < MOST_IDLE;
        if (fits) this.#idle.push({ kept, sinceMs: performance.now() });
        return fits;
      },
    });
  }

  /** Ends those that nobody has used for a while. To be called now and then. */
  look(nowMs = performance.now()): void {
    const olderMs = nowMs - IDLE_MS;
    while (this.#idle[0] !== undefined && this.#idle[0].sinceMs < olderMs) this.#idle.shift()?.kept.stream.destroy();
  }

  close(): void {
    for (const { kept } of this.#idle.splice(0)) kept.stream.destroy();
  }

  #take(): KeptConnection | undefined {
    const place = placeOf(this.#socketPath);
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const { kept } = idle;
      // A stopped daemon would do what it is asked once it is continued.
      if (kept.connection.isOpen && kept.place === place && isRunning(kept.lock)) return kept;
      kept.stream.destroy();
    }
    return undefined;
  }
}

interface Pool {
  take(): KeptConnection | undefined;
  /** @returns whether there was room */
  keep(kept: KeptConnection): boolean;
}

/** Connections that one call has of them. */
export class LentConnections {
  readonly #socketPath: string;
  readonly #pool: Pool;
  readonly #used = new Set<KeptConnection>();
  #isOver = false;

  constructor(socketPath: string, pool: Pool) {
    this.#socketPath = socketPath;
    this.#pool = pool;
  }

  /** Takes a connection whose daemon runs, as far as is known, and is the one at that path. */
  take(socketPath: string): KeptConnection | undefined {
    const kept = socketPath === this.#socketPath && !this.#isOver ? this.#pool.take() : undefined;
    if (kept !== undefined) this.#used.add(kept);
    return kept;
  }

  /** Undefined where what is opened now will not be kept. @returns to be called before it is opened */
  placeOf(socketPath: string): string | undefined {
    return socketPath === this.#socketPath ? placeOf(socketPath) : undefined;
  }

  opened(kept: KeptConnection): void {
    if (this.#isOver) kept.stream.destroy();
    else if (kept.lock?.['pid'] === kept.daemon.pid && kept.daemon.version === VERSION) this.#used.add(kept);
  }

  /** The call is over. @returns the streams that are kept for others */
  end(isGone: boolean): ReadonlySet<unknown> {
    const kept = new Set<unknown>();
    for (const one of this.#used) {
      if (!isGone && one.connection.isFree && this.#pool.keep(one)) kept.add(one.stream);
      else one.stream.destroy();
    }
    this.#used.clear();
    this.#isOver = true;
    return kept;
  }
}

/** Another socket of that path has another. Undefined if there is none. */
function placeOf(path: string): string | undefined {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat === undefined ? undefined : `${stat.dev} ${stat.ino} ${stat.ctimeMs}`;
  } catch {
    return undefined;
  }
}
