/** What the operator of a daemon hears of pages that ask faster than it answers: the event `warning`, now and then. */
import type { Clock } from '../base/clock.js';
import { connect } from '../client/client.js';

/** For each daemon. Further floods within it are not reported. */
export const QUIET_MS = 60_000;

export class FloodWarnings {
  readonly #clock: Clock;
  readonly #person: string;
  /** By socket of the daemon. */
  readonly #warnedAt = new Map<string, number>();

  constructor(clock: Clock, person: string) {
    this.#clock = clock;
    this.#person = person;
  }

  /** A page of this daemon has been slowed. */
  slowed(socketPath: string): void {
    const before = this.#warnedAt.get(socketPath);
    const now = this.#clock.now();
    if (before !== undefined && now - before < QUIET_MS) return;
    this.#warnedAt.set(socketPath, now);
    this.#warn(socketPath).catch(() => {
      // The daemon has gone, or takes no more connections: its page is slowed all the same.
    });
  }

  /** By a connection of its own: that of the page may not do it. */
  async #warn(socketPath: string): Promise<void> {
    await using client = await connect({ socketPath, autoStart: false, as: this.#person });
    const data = `A page of ${this.#person} sends faster than it is answered: its input waits in the browser.`;
    await client.call('publish', { name: 'page.flood', data, warn: true });
  }
}
