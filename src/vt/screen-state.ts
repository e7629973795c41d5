/** The visible state after the last parse, its revision, and its snapshot. */
import type { Emulator } from './xterm/emulator.js';
import {
  type FrozenEmulator,
  type FrozenLine,
  type FrozenLines,
  freezeEmulator,
  freezeLines,
  linksOf,
  thawEmulator,
} from './xterm/frozen-emulator.js';
import { wholeInternals } from './xterm/frozen-internals.js';
import { type FrozenLinks, Hyperlinks } from './xterm/hyperlinks.js';
import type { RawLine } from './xterm/internals.js';
import type { LineNumbers } from './rows/line-numbers.js';
import type { FrozenRevisions, LineRevisions } from './rows/line-revisions.js';
import { LineSizes } from './rows/line-sizes.js';
import { LineTextReader, writeLatin1 } from './rows/line-text.js';
import { ProgramColors, sameColors } from './replies/program-colors.js';
import { answerReports, answerStatusQuery } from './replies/reports.js';
import { buildRow, type LinkTarget } from './xterm/row-builder.js';
import { RowTracker } from './rows/row-tracker.js';
import type { ModesMoment, ScreenModes } from './input-modes.js';
import { type FrozenModes, ProgramModes } from './screen-modes.js';
import type { ReportedColors, DynamicColors, Snapshot, SnapshotCursor, SnapshotRow } from './snapshot.js';

export interface ScreenStateOptions {
  readonly cellWidth?: number;
  readonly cellHeight?: number;
  readonly colors: ReportedColors;
  readonly version: string;
  /** Whether programs that ask learn that reports of their status are read (OSC 7501). */
  readonly answersStatus?: boolean;
  /** Revision of the blank screen. Default: 0. */
  readonly firstRev?: number | undefined;
}

/** Cell size of the default picture profile. */
const DEFAULT_CELL_WIDTH = 8;
const DEFAULT_CELL_HEIGHT = 16;

/** The visible state except the rows. Compared field by field. */
export interface ScreenFacts {
  readonly cols: number;
  readonly rows: number;
  readonly cursor: SnapshotCursor;
  readonly colors: DynamicColors;
  readonly reverseScreen: boolean;
  readonly altScreen: boolean;
  readonly title: string;
}

export interface FrozenState {
  readonly emulator: FrozenEmulator;
  readonly links: FrozenLinks;
  readonly colors: DynamicColors;
  readonly modes: FrozenModes;
  readonly title: string;
  readonly rev: number;
}

export interface FrozenRevisionsOfBoth {
  readonly normal: FrozenRevisions;
  readonly alternate: FrozenRevisions;
}

export class ScreenState {
  readonly #emulator: Emulator;
  readonly #lineNumbers: LineNumbers;
  readonly #lineText = new LineTextReader();
  readonly #lineSizes: LineSizes;
  readonly #colors: ProgramColors;
  readonly #modes: ProgramModes;
  /** One for each buffer: rows of the normal screen stay the same objects during a visit to the alternate one. */
  readonly #normalRows: RowTracker;
  readonly #altRows: RowTracker;
  readonly #hyperlinks: Hyperlinks;
  readonly #linkTarget: LinkTarget;
  #title = '';
  #rev: number;
  #frame: ScreenFacts;
  #snapshot: Snapshot | undefined;
  #keepLinks: (() => void) | undefined;

  constructor(
    emulator: Emulator,
    lineNumbers: LineNumbers,
    options: ScreenStateOptions,
    reply: (bytes: string) => void,
  ) {
    this.#emulator = emulator;
    this.#lineNumbers = lineNumbers;
    this.#rev = options.firstRev ?? 0;
    this.#lineSizes = new LineSizes(emulator);
    this.#colors = new ProgramColors(emulator, options.colors, reply);
    this.#modes = new ProgramModes(emulator, reply);
    const { cellWidth = DEFAULT_CELL_WIDTH, cellHeight = DEFAULT_CELL_HEIGHT } = options;
    answerReports(emulator, options.version, { cellWidth, cellHeight }, reply);
    if (options.answersStatus === true) answerStatusQuery(emulator, reply, () => this.#rev);
    emulator.terminal.onTitleChange((title) => {
      this.#title = title;
    });
    this.#hyperlinks = new Hyperlinks(emulator);
    this.#linkTarget = (number) => this.#hyperlinks.targetOf(number);
    this.#normalRows = new RowTracker(this.#lineSizes, this.#linkTarget);
    this.#altRows = new RowTracker(this.#lineSizes, this.#linkTarget);
    this.#frame = this.#readFrame();
    this.#takeRows(this.#rev);
    for (const { revisions } of [this.#normalRows, this.#altRows]) revisions.raiseFloor(this.#rev);
  }

  get rev(): number {
    return this.#rev;
  }

  get title(): string {
    return this.#title;
  }

  get modes(): ScreenModes {
    return this.#modes.current();
  }

  /** Also within a parse. */
  modesMoment(): ModesMoment {
    return this.#modes.moment();
  }

  get synchronizedOutput(): boolean {
    return this.#modes.synchronizedOutput;
  }

  /** Call it after each parse. Returns whether anything visible changed. */
  update(): boolean {
    const frame = this.#readFrame();
    const { revisions } = this.#rowTracker;
    const laidOutAnew = frame.cols !== this.#frame.cols || frame.altScreen !== this.#frame.altScreen;
    const rowsChanged = this.#takeRows(this.#rev + 1);
    if (laidOutAnew) revisions.raiseFloor(this.#rev + 1);
    const changed = rowsChanged || !sameFrame(this.#frame, frame);
    if (!changed) return false;
    this.#frame = frame;
    this.#rev++;
    this.#snapshot = undefined;
    return true;
  }

  /** Facts as the snapshot has them, without rows, which take long to build. */
  get frame(): ScreenFacts {
    return this.#frame;
  }

  snapshot(): Snapshot {
    if (this.#snapshot !== undefined) return this.#snapshot;
    const lazy = this.#rowTracker.lazyRows();
    this.#keepLinks = lazy.keepLinks;
    const { cols, rows, cursor, colors, reverseScreen, altScreen, title } = this.#frame;
    return (this.#snapshot = {
      cols,
      rows,
      cursor,
      colors,
      reverseScreen,
      altScreen,
      title,
      rev: this.#rev,
      get lines() {
        return lazy.rows();
      },
    });
  }

  /** Call it before each parse and change of size: the last snapshot has the links of its instant, whenever its rows are read. */
  beforeChange(): void {
    this.#keepLinks?.();
    this.#keepLinks = undefined;
  }

  row(index: number, of?: 'normal'): SnapshotRow | undefined {
    const line = this.#lineAt(index, of);
    if (line === undefined) return undefined;
    const tracker = of === undefined ? this.#rowTracker : this.#normalRows;
    return tracker.builtRow(line) ?? buildRow(line, this.#lineSizes.get(line), this.#linkTarget);
  }

  /** Cheaper than {@link row} if only the characters are needed. */
  lineText(index: number, trim: boolean, of?: 'normal'): string | undefined {
    const line = this.#lineAt(index, of);
    return line === undefined
      ? undefined
      : this.#lineText.read(line, trim, trim ? undefined : this.#continuation(index, of));
  }

  /** See {@link writeLatin1}; -1 also if there is no such line. */
  writeLineLatin1(index: number, trim: boolean, target: Uint8Array, start: number): number {
    const line = this.#lineAt(index);
    return line === undefined
      ? -1
      : writeLatin1(line, trim, trim ? undefined : this.#continuation(index), target, start);
  }

  /** The line that continues the one with this index, if one does. */
  #continuation(index: number, of?: 'normal'): RawLine | undefined {
    const next = this.#lineAt(index + 1, of);
    return next?.isWrapped === true ? next : undefined;
  }

  /** Whether the line continues the one above it. */
  continuesLine(index: number, of?: 'normal'): boolean {
    return this.#lineAt(index, of)?.isWrapped === true;
  }

  /** Revision of each line's last change, on the screen that is shown. */
  get revisions(): LineRevisions {
    return this.#rowTracker.revisions;
  }

  /**
   * Call it where `canFreeze` of the emulator.
   * @param above number of oldest lines of the normal screen that are left out, and the numbers of links in these lines
   */
  freeze(lines: FrozenLines, above?: { readonly count: number; readonly links: ReadonlySet<number> }): FrozenState {
    const emulator = freezeEmulator(this.#emulator, this.#lineSizes, lines, above?.count);
    const links = linksOf(emulator);
    for (const link of above?.links ?? []) links.add(link);
    return {
      emulator,
      links: this.#hyperlinks.freeze(links),
      colors: this.#colors.current,
      modes: this.#modes.freeze(),
      title: this.#title,
      rev: this.#rev,
    };
  }

  /** Lines of the normal screen. @param first index of the oldest line @param end index behind the last line */
  freezeLines(first: number, end: number): FrozenLine[] {
    return freezeLines(wholeInternals(this.#emulator.internals).buffers.normal, this.#lineSizes, first, end);
  }

  /** Restores a new screen of the same size. All lines count as unchanged since the frozen revision. */
  restore(frozen: FrozenState): void {
    this.#hyperlinks.restore(frozen.links);
    thawEmulator(this.#emulator, frozen.emulator, this.#lineSizes);
    this.#colors.restore(frozen.colors);
    this.#modes.restore(frozen.modes);
    this.#title = frozen.title;
    this.#rev = frozen.rev;
    this.#frame = this.#readFrame();
    this.#snapshot = undefined;
    this.#takeRows(this.#rev);
    this.revisions.raiseFloor(this.#rev);
  }

  /** Revisions of both screens. */
  freezeRevisions(): FrozenRevisionsOfBoth {
    return { normal: this.#normalRows.revisions.freeze(), alternate: this.#altRows.revisions.freeze() };
  }

  /** To be called after {@link restore}: lines changed when they did. */
  restoreRevisions({ normal, alternate }: FrozenRevisionsOfBoth): void {
    this.#normalRows.revisions.restore(normal);
    this.#altRows.revisions.restore(alternate);
  }

  #takeRows(rev: number): boolean {
    const { buffer, terminal, altScreen } = this.#emulator;
    const place = { first: altScreen ? -buffer.ybase : this.#lineNumbers.first, rev };
    return this.#rowTracker.update(buffer, terminal.rows, place);
  }

  /** Readable lines: on the alternate screen those of the viewport. */
  get totalLines(): number {
    return this.#emulator.buffer.lines.length - this.#firstReadable;
  }

  get scrollbackLines(): number {
    return this.#emulator.buffer.ybase - this.#firstReadable;
  }

  /** After a loss of rows the library keeps lines above the alternate screen, which has no scrollback. */
  get #firstReadable(): number {
    const { buffer, altScreen } = this.#emulator;
    return altScreen ? buffer.ybase : 0;
  }

  /** The library's list does not check its bounds. */
  #lineAt(index: number, of?: 'normal'): RawLine | undefined {
    const { lines } = of === undefined ? this.#emulator.buffer : this.#emulator.normalBuffer;
    const at = of === undefined ? index + this.#firstReadable : index;
    return Number.isInteger(index) && index >= 0 && at < lines.length ? lines.get(at) : undefined;
  }

  get #rowTracker(): RowTracker {
    return this.#emulator.altScreen ? this.#altRows : this.#normalRows;
  }

  #readFrame(): ScreenFacts {
    const { terminal, buffer, altScreen, internals } = this.#emulator;
    const { cursorStyle, cursorBlink } = internals.coreService.decPrivateModes;
    return {
      cols: terminal.cols,
      rows: terminal.rows,
      cursor: {
        row: buffer.y,
        col: buffer.x,
        visible: !internals.coreService.isCursorHidden,
        shape: cursorStyle ?? 'block',
        blink: cursorBlink ?? terminal.options.cursorBlink ?? false,
      },
      colors: this.#colors.current,
      reverseScreen: this.#modes.reverseScreen,
      altScreen,
      title: this.#title,
    };
  }
}

function sameFrame(a: ScreenFacts, b: ScreenFacts): boolean {
  return (
    a.cols === b.cols &&
    a.rows === b.rows &&
    a.reverseScreen === b.reverseScreen &&
    a.altScreen === b.altScreen &&
    a.title === b.title &&
    sameCursor(a.cursor, b.cursor) &&
    sameColors(a.colors, b.colors)
  );
}

function sameCursor(a: SnapshotCursor, b: SnapshotCursor): boolean {
  return a.row === b.row && a.col === b.col && a.visible === b.visible && a.shape === b.shape && a.blink === b.blink;
}
