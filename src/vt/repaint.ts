/**
 * Output that brings an emulator in any state to that of a screen, for all that later output shows: after a reset, both
 * buffers with their scroll regions, tabs and saved cursors, the cursor with a wrap that is pending, the pen, character sets, modes,
 * title and colours. It is made from a keyframe, which holds all of that. Not kept: scrollback, protected cells, stacked titles,
 * and modes of input, which change nothing that is shown.
 */
import { PastScreen } from './past-screen.js';
import { KEEP_CLEARED } from './xterm/kept-cleared.js';
import type { Keyframe, ReadableScreen } from './readable-screen.js';
import { LINE_SIZE_SEQUENCES, rowAnsi } from './rows/row-ansi.js';
import { cellWidth } from './rows/row-text.js';
import { charsetName } from './xterm/charset-names.js';
import type { FrozenBuffer, FrozenEmulator } from './xterm/frozen-emulator.js';
import type { Charset } from './xterm/frozen-internals.js';
import { CELL_WORDS, type CursorShape, type DynamicColors, type LineSize, type SnapshotRow } from './snapshot.js';

export function repaint(screen: ReadableScreen): string {
  let text = '';
  for (const part of repaintParts(screen)) text += part;
  return text;
}

/**
 * The same in parts, of a row each: between two of them other work may run that does not change the screen.
 */
export function* repaintParts(screen: ReadableScreen): Generator<string, void, void> {
  const keyframe = screen.keyframe({ hasLines: false });
  yield* painted(keyframe, new Copy(keyframe, screen));
}

const RESET = '\x1bc';
/** Not 1049, which would save the cursor. */
const TO_ALTERNATE = '\x1b[?47h';
const TO_NORMAL = '\x1b[?47l';
const SAVE = '\x1b7';
const RESTORE = '\x1b8';
const PLAIN = '\x1b[m';

function* painted(keyframe: Keyframe, copy: Copy): Generator<string, void, void> {
  const { state, cols } = keyframe;
  const { emulator: frozen, title, colors, modes } = state;
  const [icon] = frozen.titles.slice(1);
  let text = RESET;
  if (icon !== undefined && icon !== '' && icon !== title) text += osc('1', icon);
  if (title !== '') text += osc('2', title);
  text += dynamicColors(colors);
  if (modes.reverseScreen) text += '\x1b[?5h';
  if (frozen.keepsCleared === true) text += KEEP_CLEARED;
  yield text;
  yield* bufferText(frozen.normal, copy.rows('normal'), copy.savedPen('normal'), keyframe);
  if (frozen.altScreen) {
    yield `${TO_ALTERNATE}\x1b[H`;
    yield* bufferText(frozen.alt, copy.rows('alternate'), copy.savedPen('alternate'), keyframe);
  }
  text = cursorLooks(copy.shape, frozen);
  if (frozen.convertEol) text += '\x1b[20h';
  if (frozen.privateModes['reverseWraparound'] === true) text += '\x1b[?45h';
  if (frozen.privateModes['origin'] === true) text += '\x1b[?6h';
  if (frozen.privateModes['wraparound'] === false) text += '\x1b[?7l';
  const isRestored = isCharsetRestored(frozen, cols);
  if (isRestored) text += designated(frozen.charsets, frozen.glevel) + RESTORE + PLAIN;
  text += cursorPlace(frozen, copy.rows(frozen.altScreen ? 'alternate' : 'normal'), cols);
  text += copy.pen;
  if (!isRestored) {
    const { charset, charsets, glevel } = frozen;
    text += designated(
      DESIGNATIONS.map((_, g) => (g === glevel ? charset : charsets[g])),
      glevel,
    );
  }
  if (frozen.modes['insertMode'] === true) text += '\x1b[4h';
  yield text;
}

/** Text that makes a buffer on an empty screen with the cursor at its beginning. */
function* bufferText(
  buffer: FrozenBuffer,
  rows: RowsOf,
  savedPen: string,
  { cols }: Keyframe,
): Generator<string, void, void> {
  const lineSizes: [index: number, size: LineSize][] = [];
  let row = rows.at(0);
  // A line that wraps is printed as one: a change of size lays it out as the program's own.
  for (let index = 0; row !== undefined; index++) {
    const next = rows.at(index + 1);
    const text = rowAnsi({ ...row, lineSize: 'single' }, next?.wrapped === true ? next : undefined);
    if (row.lineSize !== 'single') lineSizes.push([index, row.lineSize]);
    yield index > 0 && !row.wrapped ? `\r\n${text}` : text;
    row = next;
  }
  let text = '';
  // Before the text they would be those of the row above, whose wrap is pending.
  for (const [index, lineSize] of lineSizes) text += place(index, 0) + LINE_SIZE_SEQUENCES[lineSize];
  text += tabStops(buffer, cols);
  const { savedX, savedRow, savedCharset, scrollTop, scrollBottom } = buffer;
  if (savedX > 0 || savedRow > 0 || savedPen !== '' || savedCharset !== undefined) {
    const charset = savedCharset === undefined ? '' : `\x1b(${charsetName(savedCharset)}`;
    text += `${place(savedRow, Math.min(savedX, cols - 1))}${savedPen}${charset}${SAVE}`;
    if (charset !== '') text += '\x1b(B';
    if (savedPen !== '') text += PLAIN;
  }
  if (scrollTop > 0 || scrollBottom < rows.count - 1) text += `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
  yield text;
}

const TAB_WIDTH = 8;

function tabStops({ tabs }: FrozenBuffer, cols: number): string {
  const wanted = Array.from({ length: cols }, (_, col) => tabs[col] === true);
  if (wanted.every((isStop, col) => isStop === (col % TAB_WIDTH === 0))) return '';
  const stops = wanted.map((isStop, col) => (isStop ? `\x1b[${col + 1}G\x1bH` : ''));
  return `\x1b[3g${stops.join('')}`;
}

const CURSOR_STYLES: Readonly<Record<CursorShape, number>> = { block: 1, underline: 3, bar: 5 };

function cursorLooks({ shape, blink }: Copy['shape'], { cursorHidden }: FrozenEmulator): string {
  return `\x1b[${CURSOR_STYLES[shape] + (blink ? 0 : 1)} q${cursorHidden ? '\x1b[?25l' : ''}`;
}

/** A wrap is pending behind the last column: only printing there brings it back. */
function cursorPlace(frozen: FrozenEmulator, rows: RowsOf, cols: number): string {
  const { x, y, scrollTop } = frozen.altScreen ? frozen.alt : frozen.normal;
  const top = frozen.privateModes['origin'] === true ? scrollTop : 0;
  const row = rows.at(y);
  if (x < cols || row === undefined) return place(y - top, x);
  const first = cellWidth(row, cols - 1) === 0 ? cols - 2 : cols - 1;
  const cell = cells(row, first, cols);
  return place(y - top, first) + rowAnsi(cell, cell);
}

/** Some cells of a row, as a row. */
function cells(row: SnapshotRow, from: number, end: number): SnapshotRow {
  const moved = <V>(map: ReadonlyMap<number, V> | undefined): ReadonlyMap<number, V> | undefined =>
    map && new Map(Array.from(map, ([col, value]): [number, V] => [col - from, value]));
  return {
    ...row,
    cells: row.cells.subarray(from * CELL_WORDS, end * CELL_WORDS),
    links: moved(row.links),
    underlineColors: moved(row.underlineColors),
    lineSize: 'single',
  };
}

const DESIGNATIONS = ['(', ')', '*', '+'];
const SHIFTS = ['\x0f', '\x0e', '\x1bn', '\x1bo'];

/** A restored cursor brings its set back without designating it: the next shift ends that. @returns whether restoring it does so again */
function isCharsetRestored(
  { charsets, charset, glevel, altScreen, alt, normal }: FrozenEmulator,
  cols: number,
): boolean {
  const { savedCharset, x } = altScreen ? alt : normal;
  const isSame = (one: Charset): boolean => charsetName(one) === charsetName(charset);
  // Behind the last column a character is printed to come there, which must be itself.
  return !isSame(charsets[glevel]) && isSame(savedCharset) && (x < cols || charset === undefined);
}

function designated(sets: readonly Charset[], glevel: number): string {
  const named = DESIGNATIONS.map((designation, g) => {
    const set = sets[g];
    return set === undefined ? '' : `\x1b${designation}${charsetName(set)}`;
  });
  return named.join('') + (glevel === 0 ? '' : (SHIFTS[glevel] ?? ''));
}

function place(row: number, col: number): string {
  return `\x1b[${row + 1};${col + 1}H`;
}

function dynamicColors({ palette, foreground, background, cursor }: DynamicColors): string {
  const dynamic = [foreground, background, cursor].map((color, i) => colorOsc(`${10 + i}`, color));
  return [...Array.from(palette, ([index, color]) => colorOsc(`4;${index}`, color)), ...dynamic].join('');
}

function colorOsc(code: string, color: number | undefined): string {
  return color === undefined ? '' : osc(code, `#${color.toString(16).padStart(6, '0')}`);
}

function osc(code: string, text: string): string {
  return `\x1b]${code};${text}\x1b\\`;
}

/** Rows of a viewport, built as they are asked for. */
interface RowsOf {
  readonly count: number;
  at(index: number): SnapshotRow | undefined;
}

/** Content of a keyframe without lines, whose words of the library are read as sequences; the rows are the screen's own. */
class Copy {
  readonly shape: { readonly shape: CursorShape; readonly blink: boolean };
  readonly pen: string;
  readonly #keyframe: Keyframe;
  readonly #shown: ReadableScreen;

  constructor(keyframe: Keyframe, shown: ReadableScreen) {
    this.#keyframe = keyframe;
    this.#shown = shown;
    this.shape = shown.facts.cursor;
    this.pen = this.#penAfter('');
  }

  rows(buffer: 'normal' | 'alternate'): RowsOf {
    const screen = this.#shown;
    const { scrollbackLines: first, rows: count } = screen;
    const isHidden = buffer === 'normal' && screen.altScreen;
    const at = (index: number): SnapshotRow | undefined => {
      if (index >= count) return undefined;
      return isHidden ? screen.row(screen.normalScrollbackLines + index, 'normal') : screen.row(first + index);
    };
    return { count, at };
  }

  savedPen(buffer: 'normal' | 'alternate'): string {
    return this.#penAfter(buffer === 'normal' && this.#shown.altScreen ? `${TO_NORMAL}\x1b8` : '\x1b8');
  }

  /** The sequences that set the pen, as a character printed with it has them. */
  #penAfter(sequences: string): string {
    const probe = new PastScreen(penAlone(this.#keyframe), 0);
    probe.apply(Buffer.from(`${sequences}\x1b[r\x1b[?6l\x1b[4l\x1b(B\x0f\x1b[HX`));
    const [row] = probe.snapshot().lines;
    probe.dispose();
    const printed = row === undefined ? '' : rowAnsi(cells(row, 0, 1));
    return printed.slice(0, Math.max(0, printed.lastIndexOf('X')));
  }
}

const PROBE_COLS = 4;
const PROBE_ROWS = 2;

/** A small blank screen with the pens and the modes of the keyframe. */
function penAlone(keyframe: Keyframe): Keyframe {
  const { state } = keyframe;
  const { emulator } = state;
  const blank = (buffer: FrozenBuffer): FrozenBuffer => ({
    ...buffer,
    lines: [],
    x: 0,
    y: 0,
    scrollTop: 0,
    scrollBottom: PROBE_ROWS - 1,
    savedX: 0,
    savedRow: 0,
  });
  const small = { ...emulator, normal: blank(emulator.normal), alt: blank(emulator.alt) };
  return {
    ...keyframe,
    cols: PROBE_COLS,
    rows: PROBE_ROWS,
    above: 0,
    firstLine: 0,
    state: { ...state, emulator: small },
  };
}
