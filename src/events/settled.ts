/**
 * Settled: nothing on the screen has changed for a while, except cells that change all the time (spinner, clock,
 * progress). Those cells are learnt from their own history, and reported as `ignored`.
 *
 * Frames are sampled at intervals while the screen changes, never per byte: a flood costs some 25 comparisons a second.
 * Bytes that change nothing are no change; frames within a synchronized update are not sampled.
 */
import type { Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import { CellHistory, type ChangedSpan } from './cell-history.js';
import { type ScreenFrame, type RowChange, compareFrames } from './frame-changes.js';

/** Between two samples of a changing screen: half of a fast spinner's step. */
export const FRAME_INTERVAL_MS = 40;
/** While output scrolls, single frames teach nothing. */
const SCROLLING_INTERVAL_MS = 120;
/** After this, a synchronized update that does not end is ignored. */
const SYNCHRONIZED_LIMIT_MS = 1000;
/** Spans reported at most; a screen full of changing figures has more than any reader needs. */
export const MAX_IGNORED_SPANS = 64;

export interface SettledDetectorOptions {
  readonly clock: Clock;
  /** Returns the current screen. */
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
  /** Time of the last change that counts. */
  #lastChangeAtMs: number;
  /** Time of the last change of any kind, if it has not been sampled yet. */
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

  /** Call it after each parse that changed the screen. */
  onScreenChanged(): void {
    if (this.#disposed) return;
    this.#unseenChangeAtMs = this.#clock.now();
    this.#sampleTimer ??= this.#clock.after(this.#intervalMs, this.#sample);
  }

  /** Input causes the next changes: cells that changed with every key so far did not change by themselves. */
  onInput(): void {
    this.#history.clear();
  }

  /**
   * Calls back once, when nothing has changed for `settledMs`; during this call if that is the case already. `sinceMs`
   * is the earliest time (of the clock) from which the silence counts.
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
      // Cells that change together with periodic ones of their row count as periodic: the bar beside its percentage.
      if (!this.#noteRow(change, changedAtMs)) inEarnest = true;
    }
    if (inEarnest) this.#lastChangeAtMs = changedAtMs;
  }

  /** Returns whether the row had periodic cells among the changed ones. */
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
    // The next sample will check again.
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
