/** A row as text for a person's terminal: text and SGR, nothing else. */
import type { MirrorRow, MirrorRun } from './mirror.js';
import type { OuterStyles } from './outer-style.js';
import { runCells } from './run-cells.js';
import { column, OUTER, style } from './outer-sequences.js';
import { safeText } from './safe-text.js';

/** The visible part of a row, in cells. */
export interface Columns {
  readonly left: number;
  readonly cols: number;
}

const RESET = OUTER.resetStyle.on;

/** Terminals agree on the width of these. */
const PLAIN = /^[ -~]*$/;
const LETTER = /^[\p{L}\p{N}\p{P}\p{S}]$/u;
const MARK = /^[\p{M}\p{Cf}]/u;
const FIRST_ASIAN = 0x2e80;

/**
 * The cells of the window, from the first column of the person's terminal on. Begins and ends with default attributes;
 * blank cells at the end are left to the erased row, unless the screen has a color of its own.
 */
export function ansiRow(row: MirrorRow, { left, cols }: Columns, styles: OuterStyles): string {
  const line = new AnsiLine(styles);
  const right = left + cols;
  let col = 0;
  for (const run of row.runs) {
    if (col >= right) break;
    const [text, sgr = '', cells = 0] = run;
    if (cells === 0 && PLAIN.test(text)) {
      line.put(text.slice(Math.max(0, left - col), right - col), sgr);
      col += text.length;
    } else col = putCells(line, run, col, { left, cols });
  }
  if (styles.of('') !== '') line.put(' '.repeat(Math.max(0, right - Math.max(col, left))), '');
  return line.end();
}

/** @returns the column after the run */
function putCells(line: AnsiLine, run: MirrorRun, from: number, { left, cols }: Columns): number {
  const sgr = run[1] ?? '';
  const right = left + cols;
  let col = from;
  line.separate();
  for (const { text, width } of runCells(run)) {
    const isWhole = col >= left && col + width <= right;
    // Half of a wide character is blank.
    const visible = Math.min(col + width, right) - Math.max(col, left);
    if (isWhole) line.putOne(text, width, sgr);
    else if (visible > 0) line.put(' '.repeat(visible), sgr);
    col += width;
  }
  return col;
}

class AnsiLine {
  readonly #styles: OuterStyles;
  #out = '';
  #pen = '';
  #col = 0;
  #isPlaceCertain = true;
  #mayJoin = false;

  constructor(styles: OuterStyles) {
    this.#styles = styles;
  }

  put(text: string, sgr: string): void {
    if (text === '') return;
    this.#mayJoin = false;
    this.#place();
    this.#style(sgr);
    this.#out += text;
    this.#col += text.length;
  }

  /** A run begins: its first character joins none before it. */
  separate(): void {
    this.#mayJoin = this.#col > 0;
  }

  /** A character that the person's terminal may give another width: what follows it is placed by its column. */
  putOne(text: string, width: number, sgr: string): void {
    const safe = safeText(text);
    if (safe.length !== text.length && safe.trim() === '') return this.put(' '.repeat(width), sgr);
    this.#isPlaceCertain &&= !this.#mayJoin;
    this.#mayJoin = false;
    const isLetter = width === 1 && LETTER.test(safe) && safe.charCodeAt(0) < FIRST_ASIAN;
    if (!isLetter || !this.#isPlaceCertain) this.#place();
    this.#style(sgr);
    // A mark alone in its cell: terminals put it on the character before, so it gets one.
    this.#out += MARK.test(safe) ? ` ${safe}` : safe;
    this.#col += width;
    this.#isPlaceCertain &&= isLetter;
  }

  end(): string {
    return this.#pen === '' ? this.#out : `${this.#out}${RESET}`;
  }

  #place(): void {
    if (!this.#isPlaceCertain) this.#out += column(this.#col);
    this.#isPlaceCertain = true;
  }

  #style(sgr: string): void {
    const pen = this.#styles.of(sgr);
    if (pen === this.#pen) return;
    this.#pen = pen;
    this.#out += pen === '' ? RESET : style(`0;${pen}`);
  }
}
