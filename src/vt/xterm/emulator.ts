/**
 * The one file that imports @xterm/headless: a parser and its grid, driven synchronously.
 *
 * The library parses from a timer of its own, a millisecond later at best. Only after user input does it parse a write at
 * once, so every write here is preceded by an empty input: then each parse ends before {@link Emulator.parse} returns, and
 * the caller decides about slices, order and time.
 */
import xterm, { type IFunctionIdentifier } from '@xterm/headless';
import type { Disposable } from '../../base/lifetime.js';
import { checkCellLayout } from './cell-layout.js';
import { ControlStrings } from './control-strings.js';
import { fitRow } from './cut-rows.js';
import { FastLane } from './fast-lane.js';
import { keepCursors } from './followed-cursor.js';
import { codePointWidth, joinWord, PLAIN_CELL } from './graphemes.js';
import { leaveSlabs, LineSlabs, useSlabs } from './line-slabs.js';
import type { PatchTarget, SequenceParams } from './patch-target.js';
import { PATCHES } from './patches.js';
import { dropUnparsed, openInternals, type Internals, type RawBuffer } from './internals.js';
import { type LayoutSize, SlicedLayout } from './sliced-layout.js';

/** The library cannot go below: a wide character must fit. */
export const MIN_COLS = 2;
export const MIN_ROWS = 1;

export interface EmulatorOptions {
  readonly cols: number;
  readonly rows: number;
  readonly scrollback: number;
}

export class Emulator implements Disposable, PatchTarget {
  readonly terminal: xterm.Terminal;
  readonly internals: Internals;
  readonly controlStrings: ControlStrings;
  readonly fastLane: FastLane;
  readonly #lineSlabs: LineSlabs;

  constructor({ cols, rows, scrollback }: EmulatorOptions) {
    this.terminal = new xterm.Terminal({
      cols,
      rows,
      scrollback,
      allowProposedApi: true,
      logLevel: 'off',
      // Queries without an answer are included: a query that is not allowed is not even recorded.
      windowOptions: {
        getWinState: true,
        getWinPosition: true,
        getWinSizePixels: true,
        getScreenSizePixels: true,
        getCellSizePixels: true,
        getWinSizeChars: true,
        getScreenSizeChars: true,
        getIconTitle: true,
        getWinTitle: true,
        pushTitle: true,
        popTitle: true,
      },
    });
    this.internals = openInternals(this.terminal);
    checkCellLayout((width, height) => new xterm.Terminal({ cols: width, rows: height, allowProposedApi: true }));
    this.controlStrings = new ControlStrings(this.internals);
    this.#registerWidths();
    for (const { apply } of PATCHES) apply?.(this);
    this.#lineSlabs = new LineSlabs(this.internals);
    this.fastLane = new FastLane(this.internals);
    if (!this.#parsesAtOnce()) throw new Error('This @xterm/headless does not parse at once; 6.0.0 is known to.');
  }

  /** The buffer that is shown: the normal one or the alternate one. */
  get buffer(): RawBuffer {
    return this.internals.buffers.active;
  }

  get normalBuffer(): RawBuffer {
    return this.internals.buffers.normal;
  }

  get altScreen(): boolean {
    return this.internals.buffers.active !== this.internals.buffers.normal;
  }

  /** @throws what a handler or the library threw; the rest of `text` is lost then, later text is parsed as usual */
  parse(text: string | Uint8Array): void {
    useSlabs(this.#lineSlabs);
    this.controlStrings.onParse(text);
    try {
      this.terminal.input('');
      this.terminal.write(text);
    } catch (error) {
      dropUnparsed(this.internals);
      throw error;
    }
  }

  /** See {@link FastLane.run}. */
  runLane(bytes: Uint8Array, start: number, budgetNs: number, isAscii: boolean): number {
    useSlabs(this.#lineSlabs);
    return this.fastLane.run(bytes, start, budgetNs, isAscii);
  }

  /** Undefined where a change of size takes so little that it needs no slices. */
  slicedLayout(size: LayoutSize): SlicedLayout | undefined {
    return SlicedLayout.of(this.internals, this.#lineSlabs, size);
  }

  /** @param layout of this size, prepared and current */
  resize(cols: number, rows: number, layout?: SlicedLayout): void {
    const isEdited = !this.altScreen && this.terminal.modes.bracketedPasteMode;
    keepCursors(this.internals, rows, isEdited, () => {
      if (layout === undefined) this.terminal.resize(cols, rows);
      else layout.apply(() => this.terminal.resize(cols, rows));
      keepViewportWithin(this.internals.buffers.normal, rows);
      keepViewportWithin(this.internals.buffers.alt, rows);
    });
    if (!this.altScreen) return;
    // The library leaves the lines of the alternate screen as wide as they were.
    const { lines } = this.buffer;
    const blank = this.buffer.getNullCell();
    for (let index = 0; index < lines.length; index++) {
      const line = lines.get(index);
      if (line !== undefined) fitRow(line, cols, blank);
    }
  }

  /** Handlers return true when no other handler needs the sequence; the one registered last is asked first. */
  onCsi(identifier: IFunctionIdentifier, handler: (params: SequenceParams) => boolean): void {
    this.terminal.parser.registerCsiHandler(identifier, handler);
  }

  onEsc(identifier: IFunctionIdentifier, handler: () => boolean): void {
    this.terminal.parser.registerEscHandler(identifier, handler);
  }

  onOsc(code: number, handler: (payload: string) => boolean): void {
    this.terminal.parser.registerOscHandler(code, handler);
  }

  onDcs(identifier: IFunctionIdentifier, handler: (payload: string, params: SequenceParams) => boolean): void {
    this.terminal.parser.registerDcsHandler(identifier, handler);
  }

  dispose(): void {
    this.terminal.dispose();
    leaveSlabs(this.#lineSlabs);
  }

  /** Lets go of all lines but one of each buffer. Nothing may read them any more. */
  forget(): void {
    const { normal, alt } = this.internals.buffers;
    for (const { lines } of [normal, alt]) lines.maxLength = 1;
  }

  #registerWidths(): void {
    const atLineStart = () => this.internals.buffers.active.x === 0;
    this.terminal.unicode.register({
      version: 't4a',
      wcwidth: codePointWidth,
      // Called for every character: most are ASCII that nothing joins. Digits begin keycaps.
      charProperties: (codePoint, preceding) =>
        (codePoint < 0x7f && codePoint > 0x39) || codePoint === 0x20
          ? PLAIN_CELL
          : joinWord(codePoint, preceding, atLineStart),
    });
    this.terminal.unicode.activeVersion = 't4a';
  }

  #parsesAtOnce(): boolean {
    let parsed = false;
    this.terminal.input('');
    this.terminal.write('', () => {
      parsed = true;
    });
    return parsed;
  }
}

/**
 * A new layout that also cuts the scrollback can leave the viewport a line too low, beyond the last line: then there is no
 * line for the lowest row, and whatever is printed there throws.
 */
function keepViewportWithin(buffer: RawBuffer, rows: number): void {
  const top = Math.max(0, buffer.lines.length - rows);
  // A buffer that is not in use has no lines.
  if (buffer.ybase <= top || buffer.lines.length === 0) return;
  buffer.y = Math.min(rows - 1, buffer.y + buffer.ybase - top);
  buffer.ybase = top;
  buffer.ydisp = top;
}

export function checkSize(cols: number, rows: number): void {
  if (Number.isInteger(cols) && Number.isInteger(rows) && cols >= MIN_COLS && rows >= MIN_ROWS) return;
  throw new RangeError(`grid of ${cols}x${rows}: expected whole numbers, at least ${MIN_COLS}x${MIN_ROWS}`);
}
