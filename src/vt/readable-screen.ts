/**
 * The reading half of a screen: of a live one, and of a past one that was rebuilt (see past-screen.ts). Both are what texts,
 * pictures and searches take.
 */
import type { Disposable } from '../base/lifetime.js';
import { canFreeze } from './xterm/frozen-emulator.js';
import { Emulator, type EmulatorOptions } from './xterm/emulator.js';
import { LineNumbers, type LineAnchor } from './rows/line-numbers.js';
import { ScreenEffects } from './screen-effects.js';
import { ScreenEvents } from './screen-events.js';
import type { ModesMoment, ScreenModes } from './input-modes.js';
import { type FrozenState, type ScreenFacts, ScreenState, type ScreenStateOptions } from './screen-state.js';
import { screenWeight } from './screen-weight.js';
import { limitScrollback, scrollbackLimit } from './xterm/scrollback-limit.js';
import type { Snapshot, SnapshotRow } from './snapshot.js';

/** All state of a screen but its scrollback, as plain values. Kept in memory only: no file holds one. */
export interface Keyframe {
  readonly cols: number;
  readonly rows: number;
  /** Lines that were above the viewport of the normal screen. */
  readonly above: number;
  /** Lasting number of the top line of that viewport. */
  readonly firstLine: number;
  readonly state: FrozenState;
}

export abstract class ReadableScreen extends ScreenEvents implements Disposable {
  protected readonly emulator: Emulator;
  protected readonly effects: ScreenEffects;
  protected readonly lineNumbers: LineNumbers;
  protected readonly state: ScreenState;

  constructor(options: EmulatorOptions & ScreenStateOptions) {
    super();
    this.emulator = new Emulator(options);
    this.lineNumbers = new LineNumbers(this.emulator);
    this.effects = new ScreenEffects(this.emulator, this.lineNumbers);
    this.state = new ScreenState(this.emulator, this.lineNumbers, options, (bytes) => this.effects.reply(bytes));
    this.effects.noteQueries();
    this.effects.modesAt = () => this.state.modesMoment();
  }

  get cols(): number {
    return this.emulator.terminal.cols;
  }

  get rows(): number {
    return this.emulator.terminal.rows;
  }

  get rev(): number {
    return this.state.rev;
  }

  get title(): string {
    return this.state.title;
  }

  get altScreen(): boolean {
    return this.emulator.altScreen;
  }

  /** Within a synchronized update (mode 2026). */
  get synchronizedOutput(): boolean {
    return this.state.synchronizedOutput;
  }

  get modes(): ScreenModes {
    return this.state.modes;
  }

  /** The modes, and how often each was set. */
  get modesMoment(): ModesMoment {
    return this.state.modesMoment();
  }

  /** Lines of the buffer in use: scrollback and viewport. */
  get totalLines(): number {
    return this.state.totalLines;
  }

  /** Lines above the viewport; none on the alternate screen. */
  get scrollbackLines(): number {
    return this.state.scrollbackLines;
  }

  /** Lines above the viewport of the normal screen, even while the alternate one is shown. */
  get normalScrollbackLines(): number {
    return this.emulator.normalBuffer.ybase;
  }

  /** Maximum of lines kept above the viewport. */
  get scrollbackLimit(): number {
    return scrollbackLimit(this.emulator);
  }

  /** Keeps only the newest `limit` lines above the viewport from now on; returns how many it drops. */
  limitScrollback(limit: number): number {
    return limitScrollback(this.emulator, limit);
  }

  /** Estimate of its memory in bytes: see screen-weight.ts. */
  weigh(): number {
    return screenWeight(this.emulator);
  }

  /** Lasting number of the oldest line: the count of lines that the scrollback has lost. */
  get firstLineNumber(): number {
    return this.lineNumbers.first;
  }

  /** Facts that the {@link snapshot} has beside rows. */
  get facts(): ScreenFacts {
    return this.state.frame;
  }

  /** The viewport after the last parse. The same object while {@link rev} stays. */
  snapshot(): Snapshot {
    return this.state.snapshot();
  }

  /** Any line of the buffer in use, or of the `normal` screen behind it; 0 is the oldest of the scrollback. */
  row(index: number, of?: 'normal'): SnapshotRow | undefined {
    return this.state.row(index, of);
  }

  /**
   * Like `rowText` of {@link row}, at a tenth of its cost: for searches through the scrollback. Without `trim` it is the
   * row's part of its line: without the cell that stayed empty because the line goes on with a wide character.
   */
  lineText(
    index: number,
    { trim = true, of }: { readonly trim?: boolean; readonly of?: 'normal' } = {},
  ): string | undefined {
    return this.state.lineText(index, trim, of);
  }

  /** See {@link writeLatin1}. */
  writeLineLatin1(index: number, trim: boolean, target: Uint8Array, start: number): number {
    return this.state.writeLineLatin1(index, trim, target, start);
  }

  /** Whether the line was printed as one with the line above it (soft wrap). */
  continuesLine(index: number, of?: 'normal'): boolean {
    return this.state.continuesLine(index, of);
  }

  /** Lasting number of the line with index 0; the alternate screen counts from its top. */
  get firstShownNumber(): number {
    return this.altScreen ? 0 : this.firstLineNumber;
  }

  /**
   * Number of the line with index 0 for places of marks ({@link OscMessage}); on the alternate screen another count than
   * {@link firstShownNumber}.
   */
  get firstMarkedNumber(): number {
    return this.lineNumbers.shownNumberOf(-this.scrollbackLines);
  }

  /** Revision of the line's last change; 0 if unchanged since {@link revisionFloor}. */
  lineRevision(number: number): number {
    return this.state.revisions.get(number);
  }

  /** Readers whose last revision is older must read everything again. */
  get revisionFloor(): number {
    return this.state.revisions.floor;
  }

  /**
   * Tracks a line of the normal screen across scrolling and changes of size.
   * @param line {@link firstLineNumber} plus its place in the buffer, as in {@link OscMessage}
   */
  anchorLine(line: number): LineAnchor {
    return this.lineNumbers.anchor(line);
  }

  /** Undefined within a sequence or a character: another slice of output ends it. */
  freeze(): Keyframe | undefined {
    return this.isMidCharacter || !canFreeze(this.emulator) ? undefined : this.keyframe();
  }

  /** Place of the cursor of the normal screen, also while the alternate one is shown. */
  get normalCursor(): { readonly row: number; readonly col: number } {
    const { x: col, y: row } = this.emulator.normalBuffer;
    return { row, col };
  }

  /**
   * Also within a sequence or a character, whose beginning it does not hold.
   * @param hasLines without them it is no start of a screen
   */
  keyframe({ hasLines = true }: { readonly hasLines?: boolean } = {}): Keyframe {
    return {
      cols: this.cols,
      rows: this.rows,
      above: this.normalScrollbackLines,
      firstLine: this.lineNumbers.first + this.normalScrollbackLines,
      state: this.state.freeze(hasLines ? 'viewport' : 'none'),
    };
  }

  /** Whether the last output ended within a character. */
  protected abstract get isMidCharacter(): boolean;

  abstract dispose(): void;
}
