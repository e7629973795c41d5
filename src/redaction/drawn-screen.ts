/**
 * A screen as a program draws it, whose cells know where their characters stand in what the program wrote: also those that stood there before.
 * It has what moves the cursor and text; colours, titles, modes of input and the scrollback have no part in it.
 */
import { codePointWidth, joinWord } from '../vt/xterm/graphemes.js';
import {
  BLANK,
  type DrawnCell,
  type DrawnRow,
  eraseCells,
  isBlank,
  isTaken,
  NOTHING,
  over,
  shiftCells,
} from './drawn-row.js';
import { SearchedRows } from './searched-rows.js';
import { TabStops } from './tab-stops.js';

/** Effect of a control: it ended its line, or moved the text to another row. */
export type Motion = 'line' | 'move' | undefined;

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Most repetitions of a character (REP). */
const MAX_REPEATED = 1000;

const OTHER_SCREEN = /^\?(?:.*;)?(?:47|1047|1049)(?:;|$)/;
// oxlint-disable-next-line no-control-regex
const CSI = /^(?:\x1b\[|\x9b)([0-?]*)([ -/]*)(.)$/;
const SINGLE: Readonly<Record<string, string>> = {
  '\x84': '\x1bD',
  '\x85': '\x1bE',
  '\x88': '\x1bH',
  '\x8d': '\x1bM',
};

export class DrawnScreen {
  #cols: number;
  #height: number;
  readonly #rows: SearchedRows;
  readonly #tabs = new TabStops();
  /** `x` is that of the right edge before a wrap. */
  #at: Place = { x: 0, y: 0 };
  #saved: Place = { x: 0, y: 0 };
  #top = 0;
  #bottom: number;
  #inserts = false;
  #isOfRegion = false;
  #word = 0;
  #last: { readonly x: number; readonly y: number } | undefined;

  /** @param search gets the cells of a line before they are overwritten */
  constructor(cols: number, rows: number, search: (cells: readonly DrawnCell[]) => void) {
    this.#cols = cols;
    this.#height = rows;
    this.#bottom = rows - 1;
    this.#rows = new SearchedRows(cols, rows, search);
  }

  get isAtStart(): boolean {
    return this.#at.x === 0;
  }

  /** The last word on the row of the cursor has ended there. */
  get isBehindBlank(): boolean {
    const { x } = this.#at;
    return x > 0 && isBlank(this.#row.cells[x - 1]);
  }

  get size(): { readonly cols: number; readonly rows: number } {
    return { cols: this.#cols, rows: this.#height };
  }

  /** @param at of the text in the output; -1 if it is gone there */
  print(text: string, at: number): void {
    this.#guard(text.length);
    let place = at;
    for (const character of text) {
      const { length } = character;
      const word = joinWord(character.codePointAt(0) ?? 0, this.#word, () => this.#at.x === 0);
      this.#word = word;
      if ((word & 1) === 1) this.#join(character, place, (word >> 1) & 3);
      else this.#put(character, { at: place, length, width: (word >> 1) & 3 || 1 });
      if (at >= 0) place += length;
    }
  }

  /** A control character or sequence. */
  control(text: string, at: number): Motion {
    this.#word = 0;
    const [, params, between, final] = CSI.exec(text) ?? [];
    if (final !== undefined) return between === '' ? this.#csi(params ?? '', final, { text, at }) : this.#rare(text);
    switch (SINGLE[text] ?? text) {
      case '\n':
      case '\v':
      case '\f':
      case '\x1bD':
        return this.#lineFeed();
      case '\x1bE': {
        const effect = this.#lineFeed();
        this.#move(0, this.#at.y);
        return effect;
      }
      case '\x1bM':
        if (this.#at.y === this.#top) this.#scroll(this.#top, -1);
        else this.#move(this.#at.x, this.#at.y - 1);
        return 'move';
      case '\r':
        return this.#move(0, this.#at.y);
      case '\b':
        return this.#move(Math.min(this.#at.x, this.#cols - 1) - 1, this.#at.y);
      case '\t':
        return this.#tab(at);
      case '\x1bH':
        this.#tabs.set(Math.min(this.#at.x, this.#cols - 1), this.#cols);
        return undefined;
      case '\x1b7':
        this.#saved = this.#at;
        return undefined;
      case '\x1b8':
        return this.#move(this.#saved.x, this.#saved.y);
      case '\x1bc':
        this.#reset();
        return 'move';
      default:
        return undefined;
    }
  }

  /** The rows of the line with the cursor. */
  line(): readonly DrawnRow[] {
    return this.#rows.lineAt(this.#at.y);
  }

  get rows(): Pick<SearchedRows, 'searchLine' | 'searchChanged' | 'forget'> {
    return this.#rows;
  }

  resize(cols: number, rows: number): void {
    const gone = Math.max(0, this.#at.y + 1 - rows);
    this.#rows.resize(cols, rows, gone);
    [this.#cols, this.#height] = [cols, rows];
    [this.#top, this.#bottom] = [0, rows - 1];
    this.#at = { x: Math.min(this.#at.x, cols), y: this.#at.y - gone };
    this.#last = undefined;
  }

  get #row(): DrawnRow {
    return this.#rows.shown[this.#at.y] as DrawnRow;
  }

  /** Searches what would be overwritten. */
  #guard(length: number): void {
    if (this.#rows.isSearched) return;
    const row = this.#row;
    const { x } = this.#at;
    for (let i = x; i < Math.min(x + length, this.#cols); i++) {
      if (isBlank(row.cells[i])) continue;
      this.#rows.searchRow(row);
      return;
    }
  }

  #put(text: string, from: { at: number; length: number; width: number }): void {
    const { width } = from;
    const skipped = this.#at.x < this.#cols && this.#at.x + width > this.#cols ? 1 : 0;
    if (this.#at.x + width > this.#cols) {
      if (skipped > 0) this.#row.cells[this.#cols - 1] = over(NOTHING, this.#row.cells[this.#cols - 1]);
      this.#lineFeed();
      this.#at = { x: 0, y: this.#at.y };
      this.#row.wrapped = true;
      this.#guard(this.#cols);
    }
    const { x, y } = this.#at;
    const row = this.#row;
    if (this.#inserts) shiftCells(row, x, width);
    const { at, length } = from;
    row.cells[x] = over({ text, at, length, cols: width + skipped, older: undefined, isMasked: false }, row.cells[x]);
    if (width === 2) row.cells[x + 1] = over(NOTHING, row.cells[x + 1]);
    this.#rows.change(row);
    this.#last = { x, y };
    this.#at = { x: x + width, y };
  }

  /** To the cluster before; a sequence may make it wide. */
  #join(character: string, at: number, width: number): void {
    const { x, y } = this.#last ?? { x: Math.max(0, this.#at.x - 1), y: this.#at.y };
    const row = this.#rows.shown[y];
    const cell = row?.cells[x];
    if (row === undefined || cell === undefined || cell.at < 0) return;
    cell.text += character;
    (cell.marks ??= []).push({ at, length: character.length });
    this.#rows.change(row);
    if (width !== 2 || row.cells[x + 1]?.text === '' || x + 1 >= this.#cols) return;
    cell.cols = 2;
    row.cells[x + 1] = over(NOTHING, row.cells[x + 1]);
    this.#at = { x: x + 2, y };
  }

  #move(x: number, y: number): Motion {
    const before = this.#at.y;
    this.#last = undefined;
    this.#at = { x: clamped(x, this.#cols - 1), y: clamped(y, this.#height - 1) };
    return this.#at.y === before ? undefined : 'move';
  }

  #lineFeed(): Motion {
    const { x, y } = this.#at;
    const isFull = isTaken(this.#row, this.#cols - 1);
    this.#last = undefined;
    if (y === this.#bottom) this.#scroll(this.#top, 1);
    this.#at = { x, y: y === this.#bottom ? y : Math.min(y + 1, this.#height - 1) };
    return isFull ? undefined : 'line';
  }

  /** @param count rows that come in below; negative: above */
  #scroll(top: number, count: number): void {
    this.#rows.scroll(top, this.#bottom, count);
  }

  /** The cells between show nothing, but are a tab of the text. */
  #tab(at: number): Motion {
    const { x, y } = this.#at;
    const end = this.#tabs.next(x, this.#cols);
    const { cells } = this.#row;
    if (end > x && cells.slice(x, end).every(isBlank)) {
      cells[x] = over({ text: '\t', at, length: 1, cols: end - x, older: undefined, isMasked: false }, cells[x]);
      for (let i = x + 1; i < end; i++) cells[i] = over(NOTHING, cells[i]);
    }
    return this.#move(Math.max(x, end), y);
  }

  #csi(params: string, final: string, from: { readonly text: string; readonly at: number }): Motion {
    const [first = 0, second = 0] = params.split(';').map((each) => Math.min(Number.parseInt(each, 10) || 0, 10_000));
    const count = first || 1;
    const { x: edge, y } = this.#at;
    const x = Math.min(edge, this.#cols - 1);
    switch (final) {
      case 'A':
      case 'F':
        return this.#move(final === 'A' ? x : 0, Math.max(y - count, y >= this.#top ? this.#top : 0));
      case 'B':
      case 'e':
      case 'E':
        return this.#move(final === 'E' ? 0 : x, Math.min(y + count, y <= this.#bottom ? this.#bottom : y + count));
      case 'C':
      case 'a':
        return this.#move(x + count, y);
      case 'D':
        return this.#move(x - count, y);
      case 'G':
      case '`':
        return count - 1 === edge ? undefined : this.#move(count - 1, y);
      case 'H':
      case 'f':
        return this.#move((second || 1) - 1, count - 1 + (this.#isOfRegion ? this.#top : 0));
      case 'd':
        return this.#move(x, count - 1 + (this.#isOfRegion ? this.#top : 0));
      case 'I':
        return this.#move(this.#tabs.next(x, this.#cols, count), y);
      case 'Z':
        return this.#move(this.#tabs.previous(x, count), y);
      case 'g':
        if (first === 0) this.#tabs.clear(x, this.#cols);
        else if (first === 3) this.#tabs.clearAll();
        return undefined;
      case 'b':
        this.#repeat(Math.min(count, MAX_REPEATED), from);
        return undefined;
      case 'J':
        return this.#eraseDisplay(first);
      case 'K':
        if (params.startsWith('?')) return undefined;
        this.#erase(this.#row, first === 0 ? edge : 0, first === 1 ? x + 1 : this.#cols);
        return undefined;
      case 'X':
        this.#erase(this.#row, x, x + count);
        return undefined;
      case '@':
      case 'P':
        this.#shift(x, count, final === '@');
        return undefined;
      case 'L':
      case 'M':
        if (y >= this.#top && y <= this.#bottom) this.#scroll(y, final === 'M' ? count : -count);
        return this.#move(0, y) ?? 'move';
      case 'S':
      case 'T':
        this.#scroll(this.#top, final === 'S' ? count : -count);
        return 'move';
      case 'r':
        if (params.startsWith('?')) return undefined;
        this.#top = Math.min(count - 1, this.#height - 1);
        this.#bottom = Math.max(this.#top, Math.min((second || this.#height) - 1, this.#height - 1));
        return this.#move(0, this.#isOfRegion ? this.#top : 0);
      case 's':
        if (params === '') this.#saved = this.#at;
        return undefined;
      case 'u':
        return params === '' ? this.#move(this.#saved.x, this.#saved.y) : undefined;
      case 'h':
      case 'l':
        return this.#mode(params, final === 'h');
      default:
        return undefined;
    }
  }

  #rare(text: string): Motion {
    if (!text.endsWith('!p')) return undefined;
    [this.#top, this.#bottom, this.#inserts, this.#isOfRegion] = [0, this.#height - 1, false, false];
    return undefined;
  }

  #mode(params: string, isOn: boolean): Motion {
    const modes = params.replace('?', '').split(';');
    const isOwn = params.startsWith('?');
    if (!isOwn && modes.includes('4')) this.#inserts = isOn;
    if (isOwn && modes.includes('6')) {
      this.#isOfRegion = isOn;
      this.#move(0, isOn ? this.#top : 0);
      return 'move';
    }
    if (isOwn && modes.includes('1048')) {
      if (isOn) this.#saved = this.#at;
      else return this.#move(this.#saved.x, this.#saved.y);
    }
    if (!OTHER_SCREEN.test(params) || isOn === this.#rows.isAlternate) return undefined;
    this.#rows.showAlternate(isOn);
    if (params.includes('1049')) {
      if (isOn) this.#saved = this.#at;
      else this.#move(this.#saved.x, this.#saved.y);
    }
    return 'move';
  }

  #reset(): void {
    this.#rows.reset();
    this.#tabs.reset();
    [this.#top, this.#bottom, this.#inserts, this.#isOfRegion] = [0, this.#height - 1, false, false];
    this.#move(0, 0);
  }

  #repeat(count: number, { text, at }: { readonly text: string; readonly at: number }): void {
    const { x, y } = this.#last ?? { x: this.#at.x - 1, y: this.#at.y };
    const repeated = this.#rows.shown[y]?.cells[x];
    if (repeated === undefined || isBlank(repeated)) return;
    const [character = ''] = Array.from(repeated.text);
    const width = codePointWidth(character.codePointAt(0) ?? 0) || 1;
    this.#guard(count * width);
    for (let i = 0; i < count; i++) {
      this.#put(character, { at, length: text.length, width });
      const last = this.#last;
      const cell = last && this.#rows.shown[last.y]?.cells[last.x];
      if (cell !== undefined) cell.cols = count * width;
    }
  }

  #eraseDisplay(kind: number): Motion {
    const { x, y } = this.#at;
    for (const [i, row] of this.#rows.shown.entries()) {
      if (i === y && kind < 2) this.#erase(row, kind === 0 ? x : 0, kind === 0 ? this.#cols : x + 1);
      else if (kind === 2 || (kind === 0 && i > y) || (kind === 1 && i < y)) this.#erase(row, 0, this.#cols);
    }
    return undefined;
  }

  #erase(row: DrawnRow, from: number, to: number): void {
    const end = Math.min(to, this.#cols);
    if (row.cells.slice(from, end).every((cell) => cell === BLANK)) return;
    this.#rows.searchRow(row);
    eraseCells(row, from, end);
  }

  #shift(x: number, count: number, isIn: boolean): void {
    const row = this.#row;
    this.#rows.searchRow(row);
    shiftCells(row, x, isIn ? count : -count);
    this.#rows.change(row);
  }
}

function clamped(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}
