/** Consecutive lines as one text, which is searched at once; each line is ended by a line feed. */
import type { SnapshotRow } from '../vt/snapshot.js';

export interface ReadLine {
  /** Lasting number of its first row. */
  readonly number: number;
  readonly text: string;
  /** Rows of a line that may change still. */
  readonly rows: readonly SnapshotRow[] | undefined;
}

/** The part of a screen that text is read from: see vt's Screen. */
export interface TextSource {
  lineText(index: number, options: { readonly trim: boolean }): string | undefined;
  writeLineLatin1(index: number, trim: boolean, target: Uint8Array, start: number): number;
}

const LINE_FEED = 0x0a;
/** Rows that are gathered before they become text. */
const GATHERED_BYTES = 64 * 1024;

let bytes = Buffer.alloc(0);

export class LineText {
  readonly #numbers: number[] = [];
  /** Start of each line in the text. */
  readonly #starts: number[] = [];
  readonly #rows = new Map<number, readonly SnapshotRow[]>();
  #text = '';
  #lines: readonly ReadLine[] | undefined;

  get lineCount(): number {
    return this.#numbers.length;
  }

  get text(): string {
    return this.#text;
  }

  /** Top to bottom; made when they are asked for, since of most texts nobody wants one. */
  get lines(): readonly ReadLine[] {
    this.#lines ??= this.#numbers.map((number, i) => {
      const end = (this.#starts[i + 1] ?? this.#text.length) - 1;
      return { number, text: this.#text.slice(this.#starts[i], end), rows: this.#rows.get(number) };
    });
    return this.#lines;
  }

  /** Index of the line that a place of the text is in. */
  lineAt(place: number): number {
    let [from, to] = [0, this.#starts.length];
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if ((this.#starts[middle] ?? 0) <= place) from = middle;
      else to = middle;
    }
    return from;
  }

  /** Fills it, once. */
  static gather(fill: (add: Adding) => void): LineText {
    const gathered = new LineText();
    const adding = new Adding(gathered.#numbers, gathered.#starts, gathered.#rows);
    fill(adding);
    gathered.#text = adding.finish();
    return gathered;
  }
}

export class Adding {
  readonly #numbers: number[];
  readonly #starts: number[];
  readonly #rows: Map<number, readonly SnapshotRow[]>;
  #text = '';
  /** Bytes gathered since `#text`. */
  #used = 0;

  constructor(numbers: number[], starts: number[], rows: Map<number, readonly SnapshotRow[]>) {
    this.#numbers = numbers;
    this.#starts = starts;
    this.#rows = rows;
  }

  /** A line of rows that are known already. */
  line(number: number, text: string, rows: readonly SnapshotRow[]): void {
    this.#begin(number);
    this.#rows.set(number, rows);
    this.#flush();
    this.#text += `${text}\n`;
  }

  /** A line of `count` rows from this index on, read straight from the screen. */
  rowsOf(source: TextSource, index: number, count: number, cols: number, number: number): void {
    this.#begin(number);
    for (let i = index; i < index + count; i++) {
      const trim = i === index + count - 1;
      this.#makeRoom(cols);
      const end = source.writeLineLatin1(i, trim, bytes, this.#used);
      if (end !== -1) this.#used = end;
      else {
        this.#flush();
        this.#text += source.lineText(i, { trim }) ?? '';
      }
    }
    bytes[this.#used++] = LINE_FEED;
  }

  finish(): string {
    this.#flush();
    return this.#text;
  }

  #begin(number: number): void {
    this.#numbers.push(number);
    this.#starts.push(this.#text.length + this.#used);
  }

  /** Makes room for a row and a line feed. */
  #makeRoom(cols: number): void {
    if (this.#used + cols + 1 <= bytes.length) return;
    this.#flush();
    if (bytes.length < cols + 1) bytes = Buffer.alloc(Math.max(GATHERED_BYTES, cols + 1));
  }

  #flush(): void {
    if (this.#used > 0) this.#text += bytes.toString('latin1', 0, this.#used);
    this.#used = 0;
  }
}
