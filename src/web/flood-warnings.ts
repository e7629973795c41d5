/** Warnings to the operator of a daemon about pages that ask faster than it answers: the event `warning`, now and then. */
import type { Clock } from '../base/clock.js';
import { connect } from '../client/client.js';
import type { Way } from './daemons.js';

/** Pause for each daemon. Further floods within it are not reported. */
export const FLOOD_QUIET_MS = 60_000;

export class FloodWarnings {
  readonly #clock: Clock;
  readonly #person: string;
  /** Times of warnings by the socket of the daemon, or its host. */
  readonly #warnedAt = new Map<string, number>();

  constructor(clock: Clock, person: string) {
    this.#clock = clock;
    this.#person = person;
  }

  /** A page of this daemon has been slowed. */
  slowed(way: Way): void {
    const name = 'route' in way ? way.route.host : way.socketPath;
    const before = this.#warnedAt.get(name);
    const now = this.#clock.now();
    if (before !== undefined && now - before < FLOOD_QUIET_MS) return;
    this.#warnedAt.set(name, now);
    this.#warn(way).catch(() => {
      // The daemon has gone, or takes no more connections: its page is slowed all the same.
    });
  }

  /** Warns by a connection of its own: that of the page may not do it. */
  async #warn(way: Way): Promise<void> {
    await using client = await connect({ ...way, autoStart: false, as: this.#person });
    const data = `A page of ${this.#person} sends faster than it is answered: its input waits in the browser.`;
    await client.call('publish', { name: 'page.flood', data, warn: true });
  }
}
