/**
 * Decides when to probe whether the program waits for input: shortly after output or input has stopped, then at growing
 * intervals while it does not. The probe is a parameter; changes are reported.
 */
import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import type { Disposable } from '../../base/lifetime.js';
import type { AwaitingInput } from '../../events/awaiting-input.js';

/** A program that prints its prompt and then reads does both within this time. */
export const FIRST_PROBE_MS = 30;
/** Between two probes, while a wait needs the answer and while none does. */
const LONGEST_PAUSE_WANTED_MS = 250;
const LONGEST_PAUSE_MS = 4000;

/** Probes in a row that found no reader, with the cursor where it was: of two seconds of a spinner, with two to each step. */
const MANY_PROBES = 40;
/** Between output of a spinner and the probe that follows it: longer than most take for a step, so that most steps have none. */
const SPINNER_PROBE_MS = 120;
/** After that long without output, what is printed next is something new. */
const STILL_MS = 500;

export interface InputWatchOptions {
  readonly clock: Clock;
  readonly probe: () => Promise<AwaitingInput | undefined>;
  /** Whether a wait needs the answer now. */
  readonly wanted: () => boolean;
  /** Whether a probe may be later while a spinner turns. */
  readonly mayBeLate: () => boolean;
  /** Whether a reader that was found to be likely may be certain soon. Absent: none. */
  readonly mayTurn?: () => boolean;
  /** Line and column of the cursor, as one number: a spinner leaves it where it was, and a question does not. */
  readonly cursor: () => number;
}

export interface FrozenInputWatch {
  readonly current: AwaitingInput | undefined;
  readonly currentForMs: number;
  readonly reported: AwaitingInput | undefined;
}

export class InputWatch implements Disposable {
  /** The program waits for input, and did not at the last report, or input was sent since. */
  readonly onAwaiting = new Emitter<AwaitingInput>();
  /** The same, but after each output or input that is followed by a probe with this result. */
  readonly onConfirmed = new Emitter<AwaitingInput>();
  readonly #clock: Clock;
  readonly #probe: () => Promise<AwaitingInput | undefined>;
  readonly #wanted: () => boolean;
  #current: AwaitingInput | undefined;
  #currentSinceMs = 0;
  /** Last reported result; reset by each input. */
  #reported: AwaitingInput | undefined;
  #likelySeen: AwaitingInput | undefined;
  #lastActivityMs: number;
  #pauseMs = FIRST_PROBE_MS;
  #timer: Disposable | undefined;
  /** Grows with each output or input: the result of a probe that overlaps one is discarded. */
  #activities = 0;
  /** Probes that found no reader, with the cursor where it is. */
  #inVain = 0;
  #cursor = -1;
  /** The next probe is one of {@link SPINNER_PROBE_MS}. */
  #isLate = false;
  #disposed = false;
  readonly #mayBeLate: () => boolean;
  readonly #cursorNow: () => number;
  readonly #mayTurn: () => boolean;

  constructor({ clock, probe, wanted, mayBeLate, mayTurn = () => false, cursor }: InputWatchOptions) {
    this.#clock = clock;
    this.#probe = probe;
    this.#wanted = wanted;
    this.#mayBeLate = mayBeLate;
    this.#cursorNow = cursor;
    this.#mayTurn = mayTurn;
    this.#lastActivityMs = clock.now();
    this.#probeAfter(FIRST_PROBE_MS);
  }

  freeze(): FrozenInputWatch {
    const currentForMs = this.#clock.now() - this.#currentSinceMs;
    return { current: this.#current, currentForMs, reported: this.#reported };
  }

  /** The next probe tells again what is known, and publishes only what is new. */
  restore({ current, currentForMs, reported }: FrozenInputWatch): void {
    this.#current = current;
    this.#currentSinceMs = this.#clock.now() - currentForMs;
    this.#reported = reported;
    this.#likelySeen = current;
  }

  /** Result of the last probe; undefined as soon as there is output or input. */
  get current(): AwaitingInput | undefined {
    return this.#current;
  }

  /** Clock time of the first probe with the present result. */
  get currentSinceMs(): number {
    return this.#currentSinceMs;
  }

  onBytes(): void {
    if (this.#clock.now() - this.#lastActivityMs >= STILL_MS) this.#inVain = 0;
    this.#onActivity();
  }

  onInput(): void {
    this.#reported = undefined;
    this.#inVain = 0;
    this.#onActivity();
    this.hurry();
  }

  /** Output is on the screen. */
  onParsed(): void {
    if (this.#isLate && this.#cursorNow() !== this.#cursor) this.hurry();
  }

  /** No probe is late from now on, unless it may be. */
  hurry(): void {
    if (!this.#isLate || this.#disposed) return;
    this.#isLate = false;
    this.#probeAfter(FIRST_PROBE_MS);
  }

  /** Probes at once, and reports the result even if it is unchanged. */
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
    // A timer for the first probe checks the time itself: no timer is set for each chunk.
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
    this.#isLate = this.#inVain >= MANY_PROBES && this.#cursorNow() === this.#cursor && this.#mayBeLate();
    const quietMs = this.#isLate ? SPINNER_PROBE_MS : FIRST_PROBE_MS;
    const remainingMs = this.#lastActivityMs + quietMs - this.#clock.now();
    if (remainingMs > 0) return this.#probeAfter(remainingMs);
    this.#isLate = false;
    const activities = this.#activities;
    void this.#probe().then(
      (found) => this.#found(found, activities),
      () => this.#found(undefined, activities),
    );
  };

  #found(found: AwaitingInput | undefined, activities: number): void {
    if (this.#disposed || activities !== this.#activities) return;
    const cursor = this.#cursorNow();
    this.#inVain = found === undefined && cursor === this.#cursor ? this.#inVain + 1 : 0;
    this.#cursor = cursor;
    // An event loop is between two steps of its work now and then: a likely result must be confirmed once.
    const doubtful = found !== undefined && !found.certain && !isSame(found, this.#likelySeen);
    this.#likelySeen = found;
    this.#pauseMs = Math.min(2 * this.#pauseMs, this.#wanted() ? LONGEST_PAUSE_WANTED_MS : LONGEST_PAUSE_MS);
    // A waiting program goes on waiting until there is input; only a wait for another kind needs to see the end of it. The work
    // beside a reader ends by itself, and so does its rest.
    if (doubtful) this.#probeAfter(FIRST_PROBE_MS);
    else if (found === undefined || this.#wanted() || (!found.certain && this.#mayTurn()))
      this.#probeAfter(this.#pauseMs);
    if (doubtful) return;
    const isNews = found !== undefined && !isSame(found, this.#current);
    if (isNews) this.#currentSinceMs = this.#clock.now();
    this.#current = found;
    if (found === undefined || !isNews) return;
    const isUnreported = !isSame(found, this.#reported);
    this.#reported = found;
    if (isUnreported) this.onAwaiting.emit(found);
    this.onConfirmed.emit(found);
  }
}

function isSame(a: AwaitingInput, b: AwaitingInput | undefined): boolean {
  return b !== undefined && a.pid === b.pid && a.kind === b.kind && a.certain === b.certain && a.secrecy === b.secrecy;
}
