/** The daemon of a host, followed over its replacements: which one it is, and how many terminals it has and may have. */
import type { Duplex } from 'node:stream';
import { pastReplacements } from '../fleet/greeting.js';
import { isT4aError, T4aError } from '../protocol/errors.js';
import { daemonAnswer, loweredConnection } from './asked-daemon.js';

export interface DaemonCounts {
  readonly instance: string;
  readonly terminals: number;
  readonly room: number;
}

export class FollowedDaemon {
  readonly #socketPath: string;
  #connection: Duplex;
  #counts: DaemonCounts = { instance: '', terminals: 0, room: 0 };
  #isCounting = false;
  #isLeft = false;

  private constructor(socketPath: string, connection: Duplex) {
    this.#socketPath = socketPath;
    this.#connection = connection;
  }

  /** @throws T4aError `daemon_unreachable`, `connection_lost` */
  static async reach(socketPath: string): Promise<FollowedDaemon> {
    return new FollowedDaemon(socketPath, await loweredConnection(socketPath, 'read'));
  }

  /** Figures of the last count. */
  get counts(): DaemonCounts {
    return this.#counts;
  }

  /** @param onEnded called once it has ended, and no other has taken its place */
  follow(onEnded: (reason: T4aError) => void): void {
    // Its end is seen by who reads.
    this.#connection.once('close', () => void this.#goOn(onEnded)).resume();
  }

  /** @returns false if it has not answered: the count before is under way, or it has ended @throws T4aError for another answer */
  async count(): Promise<boolean> {
    if (this.#isCounting) return false;
    try {
      this.#isCounting = true;
      await this.#count();
      return true;
    } catch (error) {
      // Its end is looked at where it is seen.
      if (isT4aError(error) && ['connection_lost', 'replaced'].includes(error.code)) return false;
      throw error;
    } finally {
      this.#connection.resume();
      this.#isCounting = false;
    }
  }

  leave(): void {
    this.#isLeft = true;
    this.#connection.destroy();
  }

  async #goOn(onEnded: (reason: T4aError) => void): Promise<void> {
    if (this.#isLeft) return;
    const ended = new T4aError('connection_lost', 'The daemon of this host has ended.');
    const { instance } = this.#counts;
    try {
      this.#connection = await pastReplacements(async () => {
        const successor = await loweredConnection(this.#socketPath, 'read');
        if ((await daemonAnswer(successor, { cmd: 'ping' }))['instance'] === instance) return successor;
        successor.destroy();
        throw ended;
      });
    } catch {
      return onEnded(ended);
    }
    if (this.#isLeft) return void this.#connection.destroy();
    this.follow(onEnded);
  }

  async #count(): Promise<void> {
    const { instance, terminals } = await daemonAnswer(this.#connection, { cmd: 'ping' });
    const { max_terminals: most } = await daemonAnswer(this.#connection, { cmd: 'config' });
    const count = Number(terminals ?? 0);
    this.#counts = {
      instance: typeof instance === 'string' ? instance : 'unknown',
      terminals: count,
      room: Math.max(0, Number(most ?? 0) - count),
    };
  }
}
