/** Snapshots made of strings, one for each row, for tests of code that reads screens. */
import type { ScreenFrame } from '../../src/events/frame-changes.js';
import { rowText, type RowTextOptions } from '../../src/vt/rows/row-text.js';
import { ATTR_WIDTH_SHIFT, CELL_WORDS, type Snapshot, type SnapshotRow } from '../../src/vt/snapshot.js';

export function row(text: string, cols: number, wrapped = false): SnapshotRow {
  const cells = new Uint32Array(cols * CELL_WORDS);
  for (const [col, char] of Array.from(text).entries()) {
    cells[col * CELL_WORDS] = char.codePointAt(0)!;
    cells[col * CELL_WORDS + 3] = 1 << ATTR_WIDTH_SHIFT;
  }
  return { cells, clusters: [], underlineColors: undefined, links: undefined, wrapped, lineSize: 'single' };
}

/** A screen that text is drawn on; rows that stay the same stay the same objects. */
export class FakeScreen {
  readonly cols: number;
  readonly rows: number;
  altScreen = false;
  cursor = { row: 0, col: 0 };
  rev = 0;
  /** Lines that have scrolled off the top, and are kept. */
  readonly #scrollback: SnapshotRow[] = [];
  firstLineNumber = 0;
  #texts: string[];
  #lines: SnapshotRow[];

  constructor(cols: number, rows: number) {
    this.cols = cols;
    this.rows = rows;
    this.#texts = Array.from({ length: rows }, () => '');
    this.#lines = this.#texts.map((text) => row(text, cols));
  }

  get scrollbackLines(): number {
    return this.#scrollback.length;
  }

  row(index: number): SnapshotRow | undefined {
    return this.#scrollback[index] ?? this.#lines[index - this.#scrollback.length];
  }

  continuesLine(index: number): boolean {
    return this.row(index)?.wrapped === true;
  }

  /** Never: the tests draw any text. */
  writeLineLatin1(): number {
    return -1;
  }

  lineText(index: number, options: RowTextOptions): string | undefined {
    const found = this.row(index);
    return found === undefined ? undefined : rowText(found, options);
  }

  /** The oldest lines of the scrollback are lost. */
  forget(count: number): void {
    this.firstLineNumber += this.#scrollback.splice(0, count).length;
  }

  get lines(): readonly SnapshotRow[] {
    return this.#lines;
  }

  draw(at: number, text: string, wrapped = false): void {
    if (this.#texts[at] === text) return;
    this.#texts[at] = text;
    this.#lines = this.#lines.with(at, row(text, this.cols, wrapped));
    this.rev++;
  }

  /** A line at the bottom, all others move up. */
  print(text: string): void {
    const [top] = this.#lines;
    if (top !== undefined) this.#scrollback.push(top);
    this.#texts = [...this.#texts.slice(1), text];
    this.#lines = [...this.#lines.slice(1), row(text, this.cols)];
    this.rev++;
  }

  /** For the settled detector. */
  frame(): ScreenFrame {
    return { ...this.snapshot(), topLine: this.firstLineNumber + this.scrollbackLines, resizes: 0 };
  }

  snapshot(): Snapshot {
    return {
      cols: this.cols,
      rows: this.rows,
      rev: this.rev,
      lines: this.#lines,
      cursor: { ...this.cursor, visible: true, shape: 'block', blink: false },
      colors: { palette: new Map(), foreground: undefined, background: undefined, cursor: undefined },
      reverseScreen: false,
      altScreen: this.altScreen,
      title: '',
    };
  }
}
