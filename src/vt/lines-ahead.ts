/**
 * Lines of the scrollback that another process gets while the screen goes on. Such lines change with the next change of size and the
 * next reset alone, so a screen that is frozen later leaves them out.
 */
import { decodeWithBlobs, encodeWithBlobs, type WithBlobs } from '../base/json-blobs.js';
import { packLine, type PackedLine, unpackLines, wordsOf } from './rows/frozen-lines.js';
import type { Screen } from './screen.js';
import { Emulator, MIN_COLS, MIN_ROWS } from './xterm/emulator.js';
import { addLinks, type FrozenLine, lineMaker } from './xterm/frozen-emulator.js';
import { adoptSlab } from './xterm/line-slabs.js';

/** Most memory of the lines of one part: that of a slab of lines. */
const PART_BYTES = 256 * 1024;

const BYTES_A_CELL = 12;

interface Packed {
  /** Lasting number of the first line. */
  readonly first: number;
  readonly lines: readonly PackedLine[];
  readonly words: Uint32Array;
}

export class LinesAhead {
  readonly #screen: Screen;
  readonly #layout: object;
  #first: number;
  /** Lasting number of the next line to give. */
  #next: number;
  readonly links = new Set<number>();

  constructor(screen: Screen) {
    this.#screen = screen;
    this.#layout = screen.layout;
    this.#first = screen.firstLineNumber;
    this.#next = this.#first;
  }

  /** Lines of this moment that were not given yet. Later lines wait for the next call. */
  *parts(): Generator<WithBlobs> {
    const end = this.#screen.scrollbackEnd;
    for (let part = this.#part(end); part !== undefined; part = this.#part(end)) yield part;
  }

  /** @param end lasting number of the line behind the last */
  #part(end: number): WithBlobs | undefined {
    const { firstLineNumber: first, cols } = this.#screen;
    if (!this.#isCurrent) return undefined;
    // A flood has pushed out the next line: the other side begins anew.
    if (this.#next < first) this.#first = this.#next = first;
    const most = Math.max(1, Math.floor(PART_BYTES / (BYTES_A_CELL * cols)));
    const lines = this.#screen.linesAbove(this.#next, Math.min(end, this.#next + most));
    if (lines.length === 0) return undefined;
    addLinks(this.links, lines);
    const part: Packed = { first: this.#next, lines: lines.map(packLine), words: wordsOf(lines) };
    this.#next += lines.length;
    return encodeWithBlobs(part);
  }

  /** Number of oldest lines of the screen that the other side has. */
  get count(): number {
    const { firstLineNumber: first } = this.#screen;
    return this.#isCurrent && this.#first <= first ? Math.max(0, this.#next - first) : 0;
  }

  get #isCurrent(): boolean {
    return this.#screen.layout === this.#layout;
  }
}

/** The given lines in the other process, by the number of their terminal. */
export class LinesBefore {
  readonly #emulator = new Emulator({ cols: MIN_COLS, rows: MIN_ROWS, scrollback: 0 });
  readonly #make = lineMaker(this.#emulator);
  readonly #of = new Map<number, { first: number; lines: FrozenLine[] }>();

  add(of: number, part: WithBlobs): void {
    const { first, lines, words } = decodeWithBlobs(part) as Packed;
    const before = this.#of.get(of);
    const kept = before !== undefined && first === before.first + before.lines.length ? before : { first, lines: [] };
    this.#of.set(of, kept);
    adoptSlab(words);
    for (const line of unpackLines(lines, words).lines) kept.lines.push(this.#make(line));
  }

  /** @param first lasting number of the oldest line */
  take(of: number, first: number, count: number): readonly FrozenLine[] {
    const kept = this.#of.get(of);
    this.#of.delete(of);
    return kept?.lines.slice(first - kept.first, first - kept.first + count) ?? [];
  }

  dispose(): void {
    this.#of.clear();
    this.#emulator.dispose();
  }
}
