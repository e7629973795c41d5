/** Ended terminals are kept for reading, and dropped after a while or when there are many: the oldest first. */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import type { Config } from '../protocol/commands/config.js';
import type { Terminal } from '../terminal/terminal.js';

/** The part of the daemon that this needs. */
export interface EndedOwner {
  readonly clock: Clock;
  config(): Pick<Config, 'ended_ttl_ms' | 'ended_max'>;
  remove(terminal: Terminal): Promise<unknown>;
}

/** Longest time between two looks: the clock may stand still while the machine sleeps. */
const LOOK_MS = 60_000;

interface End {
  readonly atMs: number;
  readonly wallMs: number;
}

export class EndedTerminals implements Disposable {
  readonly #owner: EndedOwner;
  /** Ends in their order. */
  readonly #ends = new Map<Terminal, End>();
  #timer: Disposable | undefined;
  #isDisposed = false;

  constructor(owner: EndedOwner) {
    this.#owner = owner;
  }

  /** To be called when the program of a terminal has ended. */
  add(terminal: Terminal): void {
    const { clock } = this.#owner;
    this.#ends.set(terminal, { atMs: clock.now(), wallMs: clock.wallNow() });
    this.#look();
  }

  /** To be called when one is removed. */
  delete(terminal: Terminal): void {
    this.#ends.delete(terminal);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#timer?.dispose();
    this.#ends.clear();
  }

  #look(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const { ended_ttl_ms: ttlMs, ended_max: most } = this.#owner.config();
    for (const [terminal, end] of this.#ends) {
      const isOld = ttlMs > 0 && this.#ageMs(end) >= ttlMs;
      if (!isOld && this.#ends.size <= most) break;
      this.#ends.delete(terminal);
      void this.#owner.remove(terminal).catch(() => {});
    }
    if (this.#ends.size === 0 || this.#isDisposed) return;
    this.#timer = this.#owner.clock.after(Math.min(LOOK_MS, ttlMs || LOOK_MS), () => this.#look());
  }

  /** Age by the clock that has gone further: one of them may have been set back, or have stood still. */
  #ageMs({ atMs, wallMs }: End): number {
    const { clock } = this.#owner;
    return Math.max(clock.now() - atMs, clock.wallNow() - wallMs);
  }
}
