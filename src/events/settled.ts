/**
 * Settled: nothing on the screen changed for a while, but for cells that change all the time (spinner, clock, progress).
 * Which cells those are is learnt from their own history, and told as `ignored`.
 *
 * Frames are looked at in intervals while the screen changes, never per byte: a flood costs some 25 comparisons a
 * second. Bytes that change nothing are no change; a frame within a synchronized update is not looked at.
 */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import { CellHistory, type ChangedSpan } from './cell-history.js';
import { type ScreenFrame, type RowChange, compareFrames } from './frame-changes.js';

/** Between two looks at a screen that changes: half of a fast spinner's step. */
export const FRAME_INTERVAL_MS = 40;
/** While output scrolls by, there is nothing to learn from each frame. */
const SCROLLING_INTERVAL_MS = 120;
/** A program that never ends its synchronized update is looked at all the same. */
const SYNCHRONIZED_LIMIT_MS = 1000;
/** Spans told at most; a screen full of changing figures has more than anybody reads. */
export const MAX_IGNORED_SPANS = 64;

export interface SettledDetectorOptions {
  readonly clock: Clock;
  /** The screen as it is now. */
  readonly takeFrame: () => ScreenFrame;
  readonly synchronizedOutput: () => boolean;
}

export interface Settled {
  readonly ignored: readonly ChangedSpan[];
}

interface Watch {
  readonly settledMs: number;
  readonly sinceMs: number;
  readonly onSettled: (settled: Settled) => void;
  timer: Disposable | undefined;
}

export class SettledDetector implements Disposable {
  readonly #clock: Clock;
  readonly #takeFrame: () => ScreenFrame;
  readonly #synchronizedOutput: () => boolean;
  readonly #watches = new Set<Watch>();
  #frame: ScreenFrame;
  #history: CellHistory;
  /** When the screen last changed in earnest. */
  #lastChangeAtMs: number;
  /** When the screen last changed at all, and has not been looked at since. */
  #unseenChangeAtMs: number | undefined;
  #sampleTimer: Disposable | undefined;
  #synchronizedSinceMs: number | undefined;
  #intervalMs = FRAME_INTERVAL_MS;
  #disposed = false;

  constructor({ clock, takeFrame, synchronizedOutput }: SettledDetectorOptions) {
    this.#clock = clock;
    this.#takeFrame = takeFrame;
    this.#synchronizedOutput = synchronizedOutput;
    this.#frame = takeFrame();
    this.#history = new CellHistory(this.#frame.cols);
    this.#lastChangeAtMs = clock.now();
  }

  get lastChangeAtMs(): number {
    return this.#lastChangeAtMs;
  }

  /** To be called after each parse that changed the screen. */
  onScreenChanged(): void {
    if (this.#disposed) return;
    this.#unseenChangeAtMs = this.#clock.now();
    this.#sampleTimer ??= this.#clock.after(this.#intervalMs, this.#sample);
  }

  /** What changes next, somebody caused: cells that changed with every key so far were not changing by themselves. */
  onInput(): void {
    this.#history.clear();
  }

  /**
   * Calls back once, when nothing has changed for `settledMs`. That may be true already, and is then told at once, in
   * this call; `sinceMs` is the earliest time (of the clock) that the silence may count from.
   */
  watch(settledMs: number, sinceMs: number, onSettled: (settled: Settled) => void): Disposable {
    const watch: Watch = { settledMs, sinceMs, onSettled, timer: undefined };
    this.#watches.add(watch);
    this.#check(watch);
    return { dispose: () => this.#end(watch) };
  }

  dispose(): void {
    this.#disposed = true;
    this.#sampleTimer?.dispose();
    for (const watch of this.#watches) this.#end(watch);
  }

  readonly #sample = (): void => {
    this.#sampleTimer = undefined;
    const changedAtMs = this.#unseenChangeAtMs;
    if (changedAtMs === undefined) return;
    if (this.#heldBySynchronizedOutput()) {
      this.#sampleTimer = this.#clock.after(FRAME_INTERVAL_MS, this.#sample);
      return;
    }
    this.#unseenChangeAtMs = undefined;
    const frame = this.#takeFrame();
    const before = this.#frame;
    this.#frame = frame;
    this.#judge(before, frame, changedAtMs);
    for (const watch of this.#watches) this.#check(watch);
  };

  #judge(before: ScreenFrame, frame: ScreenFrame, changedAtMs: number): void {
    const compared = compareFrames(before, frame);
    this.#intervalMs = compared.kind === 'scrolled' ? SCROLLING_INTERVAL_MS : FRAME_INTERVAL_MS;
    if (compared.kind !== 'in_place') {
      this.#history = new CellHistory(frame.cols);
      this.#lastChangeAtMs = changedAtMs;
      return;
    }
    let inEarnest = false;
    for (const change of compared.changes) {
      // Cells that change together with periodic ones of their row are of the same show: the bar beside its percentage.
      if (!this.#noteRow(change, changedAtMs)) inEarnest = true;
    }
    if (inEarnest) this.#lastChangeAtMs = changedAtMs;
  }

  /** Whether the row had periodic cells among those that changed. */
  #noteRow({ row, changedCols }: RowChange, nowMs: number): boolean {
    let periodic = false;
    for (const col of changedCols) {
      this.#history.note(row, col, nowMs);
      periodic ||= this.#history.isPeriodic(row, col, nowMs);
    }
    return periodic;
  }

  #heldBySynchronizedOutput(): boolean {
    if (!this.#synchronizedOutput()) {
      this.#synchronizedSinceMs = undefined;
      return false;
    }
    this.#synchronizedSinceMs ??= this.#clock.now();
    return this.#clock.now() - this.#synchronizedSinceMs < SYNCHRONIZED_LIMIT_MS;
  }

  #check(watch: Watch): void {
    watch.timer?.dispose();
    watch.timer = undefined;
    const dueMs = Math.max(this.#lastChangeAtMs, watch.sinceMs) + watch.settledMs;
    const remainingMs = dueMs - this.#clock.now();
    // The look that is to come will check again.
    if (remainingMs <= 0 && this.#unseenChangeAtMs !== undefined) return;
    const held = remainingMs <= 0 && this.#heldBySynchronizedOutput();
    if (remainingMs > 0 || held) {
      watch.timer = this.#clock.after(held ? FRAME_INTERVAL_MS : remainingMs, () => this.#check(watch));
      return;
    }
    this.#end(watch);
    watch.onSettled({ ignored: this.#history.periodicSpans(this.#clock.now(), MAX_IGNORED_SPANS) });
  }

  #end(watch: Watch): void {
    this.#watches.delete(watch);
    watch.timer?.dispose();
    watch.timer = undefined;
  }
}
