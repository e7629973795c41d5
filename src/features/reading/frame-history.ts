/** The snapshots of a terminal that watchers were given last. Their rows are shared, so that a snapshot is a list of references. */
import type { Clock } from '../../base/clock.js';
import type { Disposable } from '../../base/lifetime.js';
import type { Snapshot } from '../../vt/snapshot.js';

const MAX_FRAMES = 8;

/** A watcher that asks less often gets complete frames. */
const KEPT_MS = 10_000;

export class FrameHistory implements Disposable {
  readonly #clock: Clock;
  /** By revision, in the order in which they were given last. */
  readonly #frames = new Map<number, { readonly snapshot: Snapshot; readonly untilMs: number }>();
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#frames.size;
  }

  keep(snapshot: Snapshot): void {
    this.#frames.delete(snapshot.rev);
    this.#frames.set(snapshot.rev, { snapshot, untilMs: this.#clock.now() + KEPT_MS });
    for (const rev of this.#frames.keys()) if (this.#frames.size > MAX_FRAMES) this.#frames.delete(rev);
    this.#timer ??= this.#clock.after(KEPT_MS, () => this.#dropOld());
  }

  get(rev: number): Snapshot | undefined {
    return this.#frames.get(rev)?.snapshot;
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#frames.clear();
  }

  #dropOld(): void {
    const now = this.#clock.now();
    for (const [rev, { untilMs }] of this.#frames) if (untilMs <= now) this.#frames.delete(rev);
    const [oldest] = this.#frames.values();
    this.#timer = oldest && this.#clock.after(oldest.untilMs - now, () => this.#dropOld());
  }
}
