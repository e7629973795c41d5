/**
 * A terminal's screen: bytes in, a value out. Knows no socket, file or PTY.
 *
 * Bytes are parsed from the event loop, in slices that alternate with other screens (see parsing/schedule.ts), in order
 * with changes of size. The events of a slice are emitted after it, never during it: effects in their order, then
 * {@link Screen.onParsed}.
 */
import { systemClock, type Clock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import { attempt } from './attempt.js';
import { checkSize, Emulator } from './xterm/emulator.js';
import { LineNumbers, type LineAnchor } from './rows/line-numbers.js';
import { ParseQueue, type Slice } from './parsing/queue.js';
import { LITTLE_BYTES, ParseSchedule, type ParseTask } from './parsing/schedule.js';
import { ScreenEffects } from './screen-effects.js';
import { ScreenEvents } from './screen-events.js';
import type { ScreenModes } from './screen-modes.js';
import { ScreenState } from './screen-state.js';
import { screenWeight } from './screen-weight.js';
import { limitScrollback, scrollbackLimit } from './xterm/scrollback-limit.js';
import { SettleWaiters } from './parsing/settle-waiters.js';
import type { ReportedColors, Snapshot, SnapshotRow } from './snapshot.js';
import { StreamDecoder } from './parsing/stream-decoder.js';

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
  readonly clock?: Clock;
  /** Shared with the other screens of a daemon; by default a screen has its own. */
  readonly schedule?: ParseSchedule;
}

/** Text of this size takes a millisecond or two; of more expensive output less is taken (see parsing/cost.ts). */
const SLICE_BYTES = 64 * 1024;

export class Screen extends ScreenEvents implements Disposable {
  readonly #emulator: Emulator;
  readonly #effects: ScreenEffects;
  readonly #lineNumbers: LineNumbers;
  readonly #state: ScreenState;
  readonly #waiters: SettleWaiters;
  readonly #schedule: ParseSchedule;
  readonly #queue = new ParseQueue();
  readonly #decoder = new StreamDecoder();
  readonly #task: ParseTask = {
    isUrgent: () => this.#waiters.size > 0 || this.#queue.pendingBytes <= LITTLE_BYTES,
    parseSlice: () => this.#parseSlice(),
  };
  #scheduled = false;
  #parsedBytes = 0;
  #parsing = false;
  #disposed = false;

  /** @throws RangeError for a grid below 2x1 */
  constructor(options: ScreenOptions) {
    super();
    checkSize(options.cols, options.rows);
    this.#emulator = new Emulator(options);
    this.#lineNumbers = new LineNumbers(this.#emulator);
    this.#effects = new ScreenEffects(this.#emulator, this.#lineNumbers);
    this.#state = new ScreenState(this.#emulator, this.#lineNumbers, options, (bytes) => this.#effects.reply(bytes));
    this.#effects.noteQueries();
    this.#waiters = new SettleWaiters(options.clock ?? systemClock);
    this.#schedule = options.schedule ?? new ParseSchedule();
  }

  get cols(): number {
    return this.#emulator.terminal.cols;
  }

  get rows(): number {
    return this.#emulator.terminal.rows;
  }

  get rev(): number {
    return this.#state.rev;
  }

  get title(): string {
    return this.#state.title;
  }

  get altScreen(): boolean {
    return this.#emulator.altScreen;
  }

  get modes(): ScreenModes {
    return this.#state.modes;
  }

  /** Written but not yet parsed. */
  get pendingBytes(): number {
    return this.#queue.pendingBytes;
  }

  /** Since the screen was created. */
  get parsedBytes(): number {
    return this.#parsedBytes;
  }

  /** Lines of the buffer in use: scrollback and viewport. */
  get totalLines(): number {
    return this.#state.totalLines;
  }

  /** Lines above the viewport; none on the alternate screen. */
  get scrollbackLines(): number {
    return this.#state.scrollbackLines;
  }

  /** Lines above the viewport of the normal screen, even while the alternate one is shown. */
  get normalScrollbackLines(): number {
    return this.#emulator.normalBuffer.ybase;
  }

  /** Maximum of lines kept above the viewport. */
  get scrollbackLimit(): number {
    return scrollbackLimit(this.#emulator);
  }

  /** From now on keeps only the newest `limit` lines above the viewport; returns how many it drops. */
  limitScrollback(limit: number): number {
    return limitScrollback(this.#emulator, limit);
  }

  /** Estimate of its memory in bytes: see screen-weight.ts. */
  weigh(): number {
    return screenWeight(this.#emulator);
  }

  /** Lasting number of the oldest line: the count of lines that the scrollback has lost. */
  get firstLineNumber(): number {
    return this.#lineNumbers.first;
  }

  /** Keeps `bytes` until they are parsed. */
  write(bytes: Uint8Array): void {
    if (this.#disposed || bytes.length === 0) return;
    this.#queue.push({ kind: 'bytes', bytes });
    this.#enqueue();
  }

  /** Drops unparsed output. @returns how many bytes */
  discardPending(): number {
    const bytes = this.#queue.discardBytes();
    this.#waiters.check(this.#queue.taken, this.#state.synchronizedOutput);
    return bytes;
  }

  /**
   * Waits until all output written before the call is parsed, and while the program holds a synchronized update (mode
   * 2026; see {@link SettleWaiters} for its bound). Returns false if `deadlineMs` passed first.
   */
  settle(deadlineMs: number): Promise<boolean> {
    const promise = this.#waiters.add(this.#queue.accepted, deadlineMs);
    if (this.#queue.empty) this.#waiters.check(this.#queue.taken, this.#state.synchronizedOutput);
    return promise;
  }

  /**
   * Earlier output is still laid out at the old size. Resolves once the new size is in force.
   * @throws RangeError for a grid below 2x1
   */
  resize(cols: number, rows: number): Promise<void> {
    checkSize(cols, rows);
    if (this.#disposed) return Promise.resolve();
    return new Promise((applied) => {
      const idle = this.#queue.empty && !this.#parsing;
      this.#queue.push({ kind: 'resize', cols, rows, applied });
      if (idle) this.#parseNext();
      else this.#enqueue();
    });
  }

  /** The viewport after the last parse. The same object while {@link rev} stays. */
  snapshot(): Snapshot {
    return this.#state.snapshot();
  }

  /** Any line of the buffer in use, 0 being the oldest of the scrollback. */
  row(index: number): SnapshotRow | undefined {
    return this.#state.row(index);
  }

  /** Like `rowText` of {@link row}, at a tenth of its cost: for searches through the scrollback. */
  lineText(index: number, { trim = true }: { readonly trim?: boolean } = {}): string | undefined {
    return this.#state.lineText(index, trim);
  }

  /** See {@link writeLatin1}. */
  writeLineLatin1(index: number, trim: boolean, target: Uint8Array, start: number): number {
    return this.#state.writeLineLatin1(index, trim, target, start);
  }

  /** Whether the line was printed as one with the line above it (soft wrap). */
  continuesLine(index: number): boolean {
    return this.#state.continuesLine(index);
  }

  /** Lasting number of the line with index 0; the alternate screen counts from its top. */
  get firstShownNumber(): number {
    return this.altScreen ? 0 : this.firstLineNumber;
  }

  /** Revision of the line's last change; 0 if unchanged since {@link revisionFloor}. */
  lineRevision(number: number): number {
    return this.#state.revisions.get(number);
  }

  /** Readers whose last revision is older must read everything again. */
  get revisionFloor(): number {
    return this.#state.revisions.floor;
  }

  /**
   * Tracks a line of the normal screen across scrolling and changes of size.
   * @param line {@link firstLineNumber} plus its place in the buffer, as in {@link OscMessage}
   */
  anchorLine(line: number): LineAnchor {
    return this.#lineNumbers.anchor(line);
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#schedule.remove(this.#task);
    for (const item of this.#queue.clear()) if (item.kind === 'resize') item.applied();
    this.#waiters.dispose();
    this.#emulator.dispose();
    this.clearListeners();
  }

  #enqueue(): void {
    if (this.#disposed || this.#parsing || this.#scheduled || this.#queue.empty) return;
    this.#scheduled = true;
    this.#schedule.add(this.#task);
  }

  #parseSlice(): boolean {
    try {
      this.#parseNext();
    } finally {
      this.#scheduled = !this.#disposed && !this.#queue.empty;
    }
    return this.#scheduled;
  }

  #parseNext(): void {
    const slice = this.#queue.take(SLICE_BYTES, this.#emulator.terminal);
    if (slice === undefined) return;
    const bytes = slice.kind === 'bytes' ? slice.length : 0;
    this.#parsedBytes += bytes;
    this.#parsing = true;
    try {
      const faults: unknown[] = [];
      attempt(faults, () => this.#apply(slice));
      const changed = attempt(faults, () => this.#state.update()) ?? false;
      if (slice.kind === 'resize') slice.applied();
      this.emitEffects(this.#effects.take());
      for (const fault of faults) this.onFault.emit(fault);
      this.onParsed.emit({ changed, rev: this.#state.rev, bytes });
    } finally {
      // Also after a listener's error: the rest must be parsed all the same.
      this.#parsing = false;
      this.#waiters.check(this.#queue.taken, this.#state.synchronizedOutput);
      this.#enqueue();
    }
  }

  #apply(slice: Slice): void {
    if (slice.kind === 'resize') {
      this.#lineNumbers.keepAnchors(() => this.#emulator.resize(slice.cols, slice.rows));
      return this.onSlice.emit(slice);
    }
    const text = this.#decoder.decode(slice.pieces);
    try {
      this.#emulator.parse(text);
    } finally {
      if (this.onSlice.hasListeners) this.onSlice.emit({ kind: 'output', text });
    }
  }
}
