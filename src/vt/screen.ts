/**
 * A terminal's screen: bytes in, a value out. Knows no socket, file or PTY.
 *
 * Bytes are parsed from the event loop, in slices that alternate with other screens (see parsing/schedule.ts), in order
 * with changes of size. The events of a slice are emitted after it, never during it: effects in their order, then
 * {@link Screen.onParsed}.
 */
import { systemClock, type Clock } from '../base/clock.js';
import { checkSize } from './xterm/emulator.js';
import { KEEP_CLEARED } from './xterm/kept-cleared.js';
import { OutputParser } from './parsing/output-parser.js';
import { ParseQueue, type QueueItem } from './parsing/queue.js';
import { LITTLE_BYTES, ParseSchedule, type ParseTask } from './parsing/schedule.js';
import { ReadableScreen } from './readable-screen.js';
import type { SlicedLayout } from './xterm/sliced-layout.js';
import type { AheadOfWhole, WholeScreen } from './whole-screen.js';
import type { FrozenLine } from './xterm/frozen-emulator.js';
import { SettleWaiters } from './parsing/settle-waiters.js';
import type { ReportedColors } from './snapshot.js';

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Lines kept above the viewport. */
  readonly scrollback: number;
  /** Pixels of a cell, reported to programs that ask. */
  readonly cellWidth?: number;
  readonly cellHeight?: number;
  /** The theme's colours, reported to programs that ask. */
  readonly colors: ReportedColors;
  /** Version of this product, reported to programs that ask. */
  readonly version: string;
  /** Whether programs that ask learn that reports of their status are read (OSC 7501). */
  readonly answersStatus?: boolean;
  /** Revision of the blank screen. Default: 0. */
  readonly firstRev?: number | undefined;
  /** Whether what a program clears goes into the scrollback. */
  readonly keepsCleared?: boolean;
  readonly clock?: Clock;
  /** Shared with the other screens of a daemon; by default a screen has its own. */
  readonly schedule?: ParseSchedule;
}

/** Text of this size takes a millisecond or two; of more expensive output less is taken (see parsing/cost.ts). */
const SLICE_BYTES = 64 * 1024;

/** A change of size lays out as many lines in a turn of the event loop as take this long: a request takes two or three turns. */
const LAYOUT_SLICE_MS = 0.4;
/** After lines were dropped a layout begins anew; beyond this it is made in one step. */
const MOST_LAYOUTS = 4;

const LINE_FEED = 10;

export class Screen extends ReadableScreen {
  /** While it returns true, a slice ends with the first line feed: what it has written is seen before what follows. */
  endsSlicesAtLines: (() => boolean) | undefined;
  readonly #waiters: SettleWaiters;
  readonly #schedule: ParseSchedule;
  readonly #queue = new ParseQueue();
  readonly #parser: OutputParser;
  readonly #task: ParseTask = {
    isUrgent: () => this.#waiters.size > 0 || this.#queue.pendingBytes <= LITTLE_BYTES,
    parseSlice: () => this.#parseSlice(),
  };
  /** Layout of the change of size that is next in the queue. */
  #layout: SlicedLayout | undefined;
  #layouts = 0;
  #layoutOf: { readonly resizes: number; readonly buffer: object } | undefined;
  /** Until the next turn of the event loop. */
  #resting = false;
  #scheduled = false;
  #parsedBytes = 0;
  #resizes = 0;
  #parsing = false;
  #disposed = false;

  /** @throws RangeError for a grid below 2x1 */
  constructor(options: ScreenOptions) {
    checkSize(options.cols, options.rows);
    super(options);
    this.#waiters = new SettleWaiters(options.clock ?? systemClock);
    this.#parser = new OutputParser(this.emulator);
    this.#schedule = options.schedule ?? new ParseSchedule();
    if (options.keepsCleared === true) void this.insert(KEEP_CLEARED);
  }

  /** Written but not yet parsed. */
  get pendingBytes(): number {
    return this.#queue.pendingBytes;
  }

  /** Since the screen was created. */
  get parsedBytes(): number {
    return this.#parsedBytes;
  }

  /** Changes of size since the screen was created. */
  get resizes(): number {
    return this.#resizes;
  }

  /** Once all changes of size that wait are made. */
  get sizeToCome(): { readonly cols: number; readonly rows: number } {
    return this.#queue.lastResize ?? this;
  }

  protected get isMidCharacter(): boolean {
    return this.#parser.isMidCharacter;
  }

  /** Keeps `bytes` until they are parsed. */
  write(bytes: Uint8Array): void {
    if (this.#disposed || bytes.length === 0) return;
    this.#queue.push({ kind: 'bytes', bytes });
    this.#enqueue();
  }

  /** A new object after each change of size and each reset. Under one object the lines of the scrollback do not change. */
  get layout(): object {
    const { normalBuffer } = this.emulator;
    if (this.#layoutOf?.resizes !== this.#resizes || this.#layoutOf.buffer !== normalBuffer)
      this.#layoutOf = { resizes: this.#resizes, buffer: normalBuffer };
    return this.#layoutOf;
  }

  /** Lasting number of the first line below the scrollback of the normal screen. */
  get scrollbackEnd(): number {
    return this.lineNumbers.numberOf(this.emulator.normalBuffer.ybase);
  }

  /** Lines of the scrollback of the normal screen. @param from lasting number of the first line @param end of the line behind the last */
  linesAbove(from: number, end: number): FrozenLine[] {
    const { first } = this.lineNumbers;
    return this.state.freezeLines(from - first, Math.min(end, this.scrollbackEnd) - first);
  }

  /** The whole screen, to be thawed elsewhere. This screen goes on. */
  whole(ahead?: AheadOfWhole): WholeScreen {
    const { cols, rows, scrollbackLimit: scrollback, lineNumbers, effects, state } = this;
    const watched = effects.freezeRows();
    const count = ahead?.count ?? 0;
    return {
      cols,
      rows,
      scrollback,
      state: state.freeze('all', ahead === undefined ? undefined : { count, links: ahead.links }),
      firstLine: lineNumbers.first,
      ...(count === 0 ? {} : { ahead: count }),
      firstAlternateLine: lineNumbers.firstAlternate,
      revisions: state.freezeRevisions(),
      ...(watched === undefined ? {} : { watched }),
      unfinished: this.#parser.unfinished,
      waiting: this.#queue.items.map((item) =>
        item.kind === 'resize' ? { cols: item.cols, rows: item.rows } : item.bytes.slice(),
      ),
      parsedBytes: this.#parsedBytes,
      resizes: this.#resizes,
    };
  }

  /** @param options of the screen that was frozen, but for its size */
  static thaw(options: Omit<ScreenOptions, 'cols' | 'rows' | 'scrollback'>, whole: WholeScreen): Screen {
    const { cols, rows, scrollback } = whole;
    const screen = new Screen({ ...options, cols, rows, scrollback });
    screen.#restore(whole);
    return screen;
  }

  #restore(whole: WholeScreen): void {
    const { lineNumbers, state, effects } = this;
    lineNumbers.restore(whole.firstLine);
    state.restore(whole.state);
    // Thawed, the alternate screen has got new numbers.
    lineNumbers.restore(whole.firstLine, whole.firstAlternateLine);
    state.restoreRevisions(whole.revisions);
    // It does nothing yet, as it had not on the other screen.
    this.#parser.parse(whole.unfinished, []);
    effects.take();
    if (whole.watched !== undefined) effects.restoreRows(whole.watched);
    this.#parsedBytes = whole.parsedBytes;
    this.#resizes = whole.resizes;
    for (const item of whole.waiting) {
      if (item instanceof Uint8Array) this.write(item);
      else void this.resize(item.cols, item.rows);
    }
  }

  /** Drops unparsed output. @returns how many bytes */
  discardPending(): number {
    const bytes = this.#queue.discardBytes();
    this.#waiters.check(this.#queue.taken, this.state.synchronizedOutput);
    return bytes;
  }

  /**
   * Waits until all output written before the call is parsed, and while the program holds a synchronized update (mode
   * 2026; see {@link SettleWaiters} for its bound). Returns false if `deadlineMs` passed first.
   */
  settle(deadlineMs: number): Promise<boolean> {
    const promise = this.#waiters.add(this.#queue.accepted, deadlineMs);
    if (this.#queue.empty) this.#waiters.check(this.#queue.taken, this.state.synchronizedOutput);
    return promise;
  }

  /**
   * Earlier output is still laid out at the old size. Resolves once the new size is in force.
   * @param follow called when all earlier output and its effects are through; what it returns, once lines have their new numbers
   * @throws RangeError for a grid below 2x1
   */
  resize(cols: number, rows: number, follow?: () => () => void): Promise<void> {
    checkSize(cols, rows);
    if (this.#disposed) return Promise.resolve();
    return new Promise((applied) => {
      const idle = this.#queue.empty && !this.#parsing;
      this.#queue.push({ kind: 'resize', cols, rows, follow, applied });
      if (idle) this.#parseNext();
      else this.#enqueue();
    });
  }

  /**
   * Like output, once all earlier output is through: what the program has begun to send goes on behind it.
   * @param sequences whole ones, in ASCII
   */
  insert(sequences: string): Promise<void> {
    if (this.#disposed) return Promise.resolve();
    return new Promise((applied) => {
      this.#queue.push({ kind: 'inserted', bytes: Buffer.from(sequences), applied });
      this.#enqueue();
    });
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#layout?.dispose();
    this.#schedule.remove(this.#task);
    for (const item of this.#queue.clear()) if (item.kind !== 'bytes') item.applied();
    this.#waiters.dispose();
    this.emulator.dispose();
    this.clearListeners();
  }

  /** Lets go of all lines. Nothing may read them any more. */
  forget(): void {
    this.dispose();
    this.emulator.forget();
  }

  #enqueue(): void {
    if (this.#disposed || this.#parsing || this.#scheduled || this.#resting || this.#queue.empty) return;
    this.#scheduled = true;
    this.#schedule.add(this.#task);
  }

  #parseSlice(): boolean {
    try {
      this.#parseNext();
    } finally {
      this.#scheduled = !this.#disposed && !this.#queue.empty && !this.#resting;
    }
    return this.#scheduled;
  }

  /** @returns whether the change of size that is next, if one is, can be made in one step */
  #isLaidOut(): boolean {
    const resize = this.#queue.nextResize;
    if (resize === undefined) return true;
    if (this.#layout?.isCurrent !== true) {
      this.#layout?.dispose();
      this.#layout = this.#layouts++ < MOST_LAYOUTS ? this.emulator.slicedLayout(resize) : undefined;
    }
    return this.#layout?.advance(LAYOUT_SLICE_MS) ?? true;
  }

  #rest(): void {
    this.#resting = true;
    setImmediate(() => {
      this.#resting = false;
      this.#enqueue();
    });
  }

  /** Makes what becomes of the rows an effect from now on, as it is after a mark of a shell. */
  watchRows(): void {
    this.effects.watchRows();
  }

  #parseNext(): void {
    if (!this.#isLaidOut()) return this.#rest();
    const next = this.#queue.next(SLICE_BYTES);
    if (next === undefined) return;
    this.#parsing = true;
    try {
      const faults: unknown[] = [];
      const parsedBefore = this.#parsedBytes;
      this.state.beforeChange();
      attempt(faults, () => this.#apply(next, faults));
      const bytes = this.#parsedBytes - parsedBefore;
      const changed = attempt(faults, () => this.state.update()) ?? false;
      if (next.kind !== 'bytes') next.applied();
      this.emitEffects(this.effects.take());
      for (const fault of faults) this.onFault.emit(fault);
      this.onParsed.emit({ changed, rev: this.state.rev, bytes });
    } finally {
      // Also after a listener's error: the rest must be parsed all the same.
      this.#parsing = false;
      this.#queue.release();
      this.#waiters.check(this.#queue.taken, this.state.synchronizedOutput);
      this.#enqueue();
    }
  }

  #apply(next: QueueItem, faults: unknown[]): void {
    if (next.kind === 'inserted') return this.#insert(Buffer.from(next.bytes), faults);
    if (next.kind === 'resize') {
      const followed = [next.follow?.(), this.effects.followRows()];
      const layout = this.#layout;
      this.#layout = undefined;
      this.#layouts = 0;
      this.lineNumbers.keepAnchors(() => this.emulator.resize(next.cols, next.rows, layout));
      for (const done of followed) done?.();
      this.#resizes++;
      return this.onSlice.emit(next);
    }
    const end = this.endsSlicesAtLines?.() === true ? next.bytes.indexOf(LINE_FEED) + 1 : 0;
    const { taken, text } = this.#parser.parse(end > 0 ? next.bytes.subarray(0, end) : next.bytes, faults);
    this.#queue.consume(taken);
    this.#parsedBytes += taken;
    if (!this.onSlice.hasListeners) return;
    const bytes = next.bytes.subarray(0, taken);
    this.onSlice.emit({
      kind: 'output',
      bytes,
      get text() {
        return text();
      },
    });
  }

  #insert(sequences: Buffer, faults: unknown[]): void {
    const bytes = Buffer.concat([CANCEL, sequences, this.#parser.setAside()]);
    const text = sequences.toString();
    for (let at = 0; at < bytes.length;) at += this.#parser.parse(bytes.subarray(at), faults).taken;
    if (this.onSlice.hasListeners) this.onSlice.emit({ kind: 'output', bytes, text });
  }
}

/** Ends a sequence that is unfinished. */
const CANCEL = Buffer.from('\x18');

/**
 * Returns the result of `action`; on an error undefined, with the error added to `faults`, so that later steps still
 * run.
 */
export function attempt<T>(faults: unknown[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    faults.push(error);
    return undefined;
  }
}
