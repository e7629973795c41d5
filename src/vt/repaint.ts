/**
 * Output that brings an emulator in any state to that of a screen, for all that later output shows: after a reset, both
 * buffers with their scroll regions, tabs and saved cursors, the cursor with a wrap that is pending, the pen, character sets, modes,
 * title and colours. It is made from a keyframe, which holds all of that. Not kept: scrollback, protected cells, stacked titles,
 * and modes of input, which change nothing that is shown.
 */
import { PastScreen } from './past-screen.js';
import type { Keyframe, ReadableScreen } from './readable-screen.js';
import { LINE_SIZE_SEQUENCES, rowAnsi } from './rows/row-ansi.js';
import { cellWidth } from './rows/row-text.js';
import { charsetName } from './xterm/charset-names.js';
import type { FrozenBuffer, FrozenEmulator } from './xterm/frozen-emulator.js';
import { CELL_WORDS, type CursorShape, type DynamicColors, type SnapshotRow } from './snapshot.js';

export function repaint(screen: ReadableScreen): string {
  const keyframe = screen.keyframe();
  const copy = new Copy(keyframe);
  try {
    return painted(keyframe, copy);
  } finally {
    copy.dispose();
  }
}

const RESET = '\x1bc';
/** Not 1049, which would save the cursor. */
const TO_ALTERNATE = '\x1b[?47h';
const TO_NORMAL = '\x1b[?47l';
const SAVE = '\x1b7';
const PLAIN = '\x1b[m';

function painted(keyframe: Keyframe, copy: Copy): string {
  const { state, cols } = keyframe;
  const { emulator: frozen, title, colors, modes } = state;
  const [icon] = frozen.titles.slice(1);
  let text = RESET;
  if (icon !== undefined && icon !== '' && icon !== title) text += osc('1', icon);
  if (title !== '') text += osc('2', title);
  text += dynamicColors(colors);
  if (modes.reverseScreen) text += '\x1b[?5h';
  text += bufferText(frozen.normal, copy.rows('normal'), copy.savedPen('normal'), keyframe);
  if (frozen.altScreen) {
    text += `${TO_ALTERNATE}\x1b[H${bufferText(frozen.alt, copy.rows('alternate'), copy.savedPen('alternate'), keyframe)}`;
  }
  const rows = copy.rows(frozen.altScreen ? 'alternate' : 'normal');
  text += cursorLooks(copy.shape, frozen);
  if (frozen.convertEol) text += '\x1b[20h';
  if (frozen.privateModes['reverseWraparound'] === true) text += '\x1b[?45h';
  if (frozen.privateModes['origin'] === true) text += '\x1b[?6h';
  if (frozen.privateModes['wraparound'] === false) text += '\x1b[?7l';
  text += cursorPlace(frozen, rows, cols);
  text += copy.pen + charsets(frozen);
  if (frozen.modes['insertMode'] === true) text += '\x1b[4h';
  return text;
}

/** On an empty screen with the cursor at its beginning. */
function bufferText(buffer: FrozenBuffer, rows: readonly SnapshotRow[], savedPen: string, { cols }: Keyframe): string {
  let text = '';
  // A line that wraps is printed as one: a change of size lays it out as the program's own.
  rows.forEach((row, index) => {
    if (index > 0 && !row.wrapped) text += '\r\n';
    const next = rows[index + 1];
    text += rowAnsi({ ...row, lineSize: 'single' }, next?.wrapped === true ? next : undefined);
  });
  // Before the text they would be those of the row above, whose wrap is pending.
  rows.forEach(({ lineSize }, index) => {
    if (lineSize !== 'single') text += place(index, 0) + LINE_SIZE_SEQUENCES[lineSize];
  });
  text += tabStops(buffer, cols);
  const { savedX, savedRow, savedCharset, scrollTop, scrollBottom } = buffer;
  if (savedX > 0 || savedRow > 0 || savedPen !== '' || savedCharset !== undefined) {
    const charset = savedCharset === undefined ? '' : `\x1b(${charsetName(savedCharset)}`;
    text += `${place(savedRow, Math.min(savedX, cols - 1))}${savedPen}${charset}${SAVE}`;
    if (charset !== '') text += '\x1b(B';
    if (savedPen !== '') text += PLAIN;
  }
  if (scrollTop > 0 || scrollBottom < rows.length - 1) text += `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
  return text;
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
function cursorPlace(frozen: FrozenEmulator, rows: readonly SnapshotRow[], cols: number): string {
  const { x, y, scrollTop } = frozen.altScreen ? frozen.alt : frozen.normal;
  const top = frozen.privateModes['origin'] === true ? scrollTop : 0;
  const row = rows[y];
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

/** A restored cursor brings its set back without designating it: here it is designated. */
function charsets({ charsets: sets, charset, glevel }: FrozenEmulator): string {
  const named = DESIGNATIONS.map((designation, g) => {
    const set = g === glevel ? charset : sets[g];
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

/** What a keyframe holds in the library's words, read as rows and sequences from screens that are thawed from it. */
class Copy {
  readonly shape: { readonly shape: CursorShape; readonly blink: boolean };
  readonly pen: string;
  readonly #keyframe: Keyframe;
  readonly #shown: PastScreen;
  #normal: PastScreen | undefined;

  constructor(keyframe: Keyframe) {
    this.#keyframe = keyframe;
    this.#shown = new PastScreen(keyframe, 0);
    this.shape = this.#shown.snapshot().cursor;
    this.pen = this.#penAfter('');
  }

  rows(buffer: 'normal' | 'alternate'): readonly SnapshotRow[] {
    return this.#screen(buffer).snapshot().lines;
  }

  savedPen(buffer: 'normal' | 'alternate'): string {
    return this.#penAfter(buffer === 'normal' && this.#shown.altScreen ? `${TO_NORMAL}\x1b8` : '\x1b8');
  }

  dispose(): void {
    this.#shown.dispose();
    this.#normal?.dispose();
  }

  #screen(buffer: 'normal' | 'alternate'): PastScreen {
    if (buffer === 'alternate' || !this.#shown.altScreen) return this.#shown;
    if (this.#normal === undefined) {
      this.#normal = new PastScreen(this.#keyframe, 0);
      this.#normal.apply(Buffer.from(TO_NORMAL));
    }
    return this.#normal;
  }

  /** The sequences that set the pen, as a character printed with it has them. */
  #penAfter(sequences: string): string {
    const probe = new PastScreen(this.#keyframe, 0);
    probe.apply(Buffer.from(`${sequences}\x1b[r\x1b[?6l\x1b[4l\x1b(B\x0f\x1b[HX`));
    const [row] = probe.snapshot().lines;
    probe.dispose();
    const printed = row === undefined ? '' : rowAnsi(cells(row, 0, 1));
    return printed.slice(0, Math.max(0, printed.lastIndexOf('X')));
  }
}
