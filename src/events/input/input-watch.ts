/**
 * When to look whether the program waits for input: shortly after output or input has stopped, then less and less
 * often while it does not. Who looks is given; what is told is the change.
 */
import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import type { Disposable } from '../../base/lifetime.js';
import type { AwaitingInput } from './awaiting-input.js';

/** A program that prints its prompt and then reads does both within this. */
export const FIRST_PROBE_MS = 30;
/** Between two looks, while somebody waits for the answer and while nobody does. */
const LONGEST_PAUSE_WANTED_MS = 250;
const LONGEST_PAUSE_MS = 4000;

export interface InputWatchOptions {
  readonly clock: Clock;
  readonly probe: () => Promise<AwaitingInput | undefined>;
  /** Somebody waits for the answer now. */
  readonly wanted: () => boolean;
}

export class InputWatch implements Disposable {
  /** The program has come to wait for input, and did not when last told, or input was sent since. */
  readonly onAwaiting = new Emitter<AwaitingInput>();
  /** The same, but each time that a look after output or input finds it so. */
  readonly onConfirmed = new Emitter<AwaitingInput>();
  readonly #clock: Clock;
  readonly #probe: () => Promise<AwaitingInput | undefined>;
  readonly #wanted: () => boolean;
  #current: AwaitingInput | undefined;
  /** What listeners were told last; forgotten with each input. */
  #told: AwaitingInput | undefined;
  #likelySeen: AwaitingInput | undefined;
  #lastActivityMs: number;
  #pauseMs = FIRST_PROBE_MS;
  #timer: Disposable | undefined;
  /** Grows with each stir: a look that was under way meanwhile counts for nothing. */
  #activities = 0;
  #disposed = false;

  constructor({ clock, probe, wanted }: InputWatchOptions) {
    this.#clock = clock;
    this.#probe = probe;
    this.#wanted = wanted;
    this.#lastActivityMs = clock.now();
    this.#probeAfter(FIRST_PROBE_MS);
  }

  /** As of the last look; undefined as soon as there was output or input since. */
  get current(): AwaitingInput | undefined {
    return this.#current;
  }

  onBytes(): void {
    this.#onActivity();
  }

  onInput(): void {
    this.#told = undefined;
    this.#onActivity();
  }

  /** Somebody wants to know now, and is told also what was found before. */
  probeNow(): void {
    if (this.#disposed) return;
    this.#current = undefined;
    this.#pauseMs = FIRST_PROBE_MS;
    this.#probeAfter(0);
  }

  dispose(): void {
    this.#disposed = true;
    this.#timer?.dispose();
    this.#timer = undefined;
    this.onAwaiting.clear();
    this.onConfirmed.clear();
  }

  #onActivity(): void {
    if (this.#disposed) return;
    this.#activities++;
    this.#lastActivityMs = this.#clock.now();
    this.#current = undefined;
    this.#likelySeen = undefined;
    // A timer that runs for the first look already looks at the time itself: none is set anew for each chunk.
    if (this.#timer !== undefined && this.#pauseMs === FIRST_PROBE_MS) return;
    this.#pauseMs = FIRST_PROBE_MS;
    this.#probeAfter(FIRST_PROBE_MS);
  }

  #probeAfter(afterMs: number): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(afterMs, this.#onDue);
  }

  readonly #onDue = (): void => {
    this.#timer = undefined;
    const remainingMs = this.#lastActivityMs + FIRST_PROBE_MS - this.#clock.now();
    if (remainingMs > 0) return this.#probeAfter(remainingMs);
    const activities = this.#activities;
    void this.#probe().then(
      (found) => this.#found(found, activities),
      () => this.#found(undefined, activities),
    );
  };

  #found(found: AwaitingInput | undefined, activities: number): void {
    if (this.#disposed || activities !== this.#activities) return;
    // An event loop is between two steps of its work now and then: what is only likely must be so twice.
    const doubtful = found !== undefined && !found.certain && !isSame(found, this.#likelySeen);
    this.#likelySeen = found;
    this.#pauseMs = Math.min(2 * this.#pauseMs, this.#wanted() ? LONGEST_PAUSE_WANTED_MS : LONGEST_PAUSE_MS);
    // A program that waits goes on to, until there is input; only who waits for another kind wants to see it give up.
    if (doubtful) this.#probeAfter(FIRST_PROBE_MS);
    else if (found === undefined || this.#wanted()) this.#probeAfter(this.#pauseMs);
    if (doubtful) return;
    const isNews = found !== undefined && !isSame(found, this.#current);
    this.#current = found;
    if (found === undefined || !isNews) return;
    const isUntold = !isSame(found, this.#told);
    this.#told = found;
    if (isUntold) this.onAwaiting.emit(found);
    this.onConfirmed.emit(found);
  }
}

function isSame(a: AwaitingInput, b: AwaitingInput | undefined): boolean {
  return b !== undefined && a.pid === b.pid && a.kind === b.kind && a.certain === b.certain && a.secrecy === b.secrecy;
}
