/**
 * Remembers the viewport after the last parse: reports whether it changed, and keeps the identity of rows with
 * unchanged content, even if they moved.
 *
 * Changes are found by comparing the library's words with a copy; its own dirty range is coarser (one span, everything
 * after a scroll), and comparing a whole 80x24 viewport costs 5 to 10 microseconds. A difference in the library's
 * storage alone (colour 1 of 16 or of 256, DECSCA) counts as a change. Rows are built only for readers of a snapshot's
 * lines, from the copies: also later, when the library's lines are others. A row that moved is found by its line object,
 * and one that was painted again elsewhere by its content.
 */
import type { RawBuffer, RawLine } from '../xterm/internals.js';
import { LineRevisions } from './line-revisions.js';
import type { LineSizes } from './line-sizes.js';
import { buildRow, RAW_WORDS, type LinkTarget } from '../xterm/row-builder.js';
import type { LineSize, SnapshotRow } from '../snapshot.js';
import { type CopiedLine, extrasOf, lineOf, sameContent, sameExtended, sameWords } from './copied-line.js';

/** A copy of a line. Immutable except `row`, until it returns to the pool. */
interface LineCopy extends CopiedLine {
  line: RawLine | undefined;
  row: SnapshotRow | undefined;
  /** Hash of the row's content; 0 until there is a row. */
  hash: number;
  /** Whether its words are those of other copies, too: it does not return to the pool. */
  isShared: boolean;
  /** Lists of rows that may still be built from it: as long as there are any, it does not return to the pool. */
  readers: number;
}

/** Rows of one instant, built when they are first read. */
export interface LazyRows {
  readonly rows: () => readonly SnapshotRow[];
  /** Builds those with links: a target may be forgotten with the last cell that leads to it. */
  readonly keepLinks: () => void;
}

/** Place of a viewport among all lines, and the time. */
export interface ViewportPlace {
  /** Lasting number of the line with index 0 of the buffer. */
  readonly first: number;
  /** Revision for changed lines. */
  readonly rev: number;
}

/** To look for so many in a list takes less than to make a set of it. */
const FEW_ROWS = 4;

export class RowTracker {
  readonly revisions = new LineRevisions();
  #captures: LineCopy[] = [];
  /** Lasting number of the first captured line. */
  #top = 0;
  /** Rows of the last snapshot, and as many of earlier ones at most, by a hash of their content. */
  #known = new Map<number, SnapshotRow>();
  readonly #pool: LineCopy[] = [];
  readonly #lineSizes: LineSizes;
  readonly #linkTarget: LinkTarget;

  constructor(lineSizes: LineSizes, linkTarget: LinkTarget) {
    this.#lineSizes = lineSizes;
    this.#linkTarget = linkTarget;
  }

  /** Compares and copies the viewport. Returns whether its visible content changed. */
  update(buffer: RawBuffer, rows: number, place: ViewportPlace): boolean {
    const before = this.#captures;
    const top = place.first + buffer.ybase;
    const byLine = this.#linesMoved(buffer, rows) ? capturesByLine(before) : undefined;
    let changed = before.length !== rows;
    let after = changed ? before.slice(0, rows) : undefined;
    for (let y = 0; y < rows; y++) {
      const line = buffer.lines.get(buffer.ybase + y);
      if (line === undefined) throw new Error(`viewport row ${y} of ${rows} has no line`);
      const old = byLine === undefined ? before[y] : byLine.get(line);
      const same = old !== undefined && this.#holds(old, line);
      if (same && byLine === undefined) continue;
      after ??= before.slice(0, rows);
      after[y] = same ? old : this.#capture(line, after[y - 1]);
    }
    if (after !== undefined || top !== this.#top) {
      this.#noteRevisions(buffer, before, after ?? before, place);
      this.#top = top;
    }
    if (after === undefined) return changed;
    for (let y = 0; y < rows && !changed; y++) {
      const [was, is] = [before[y], after[y]];
      changed = was !== is && (was === undefined || is === undefined || !sameContent(was, is));
    }
    this.#captures = after;
    this.#recycle(before, after);
    return changed;
  }

  /** Lines are compared by number, not by row of the viewport: scrolling changes nothing. */
  #noteRevisions(
    buffer: RawBuffer,
    before: readonly LineCopy[],
    after: readonly LineCopy[],
    { first, rev }: ViewportPlace,
  ): void {
    const top = first + buffer.ybase;
    // First of all: a screen that was rebuilt from a keyframe begins with a high number, and a gap would be filled.
    this.revisions.forgetBefore(first);
    for (let number = Math.max(first, this.#top); number < top; number++) {
      const old = before[number - this.#top];
      const line = buffer.lines.get(number - first);
      if (old === undefined || line === undefined || !this.#holds(old, line)) this.revisions.set(number, rev);
    }
    for (let y = 0; y < after.length; y++) {
      const [was, is] = [before[top + y - this.#top], after[y]];
      if (is !== undefined && was !== is && (was === undefined || !sameContent(was, is)))
        this.revisions.set(top + y, rev);
    }
  }

  /** The viewport as of the last {@link update}. */
  lazyRows(): LazyRows {
    const captures = this.#captures;
    let rows: readonly SnapshotRow[] | undefined;
    for (const capture of captures) capture.readers++;
    return {
      rows: () => {
        if (rows !== undefined) return rows;
        rows = this.#rowsOf(captures);
        for (const capture of captures) capture.readers--;
        return rows;
      },
      keepLinks: () => {
        if (rows !== undefined) return;
        for (const capture of captures) {
          if (capture.row === undefined && hasLink(capture)) this.#build(capture, undefined);
        }
        // Snapshots whose rows are never read would fill it.
        if (this.#known.size > 2 * captures.length) this.#known.clear();
      },
    };
  }

  #rowsOf(captures: readonly LineCopy[]): SnapshotRow[] {
    let built = false;
    let above: LineCopy | undefined;
    for (const capture of captures) {
      if (capture.row === undefined) {
        this.#build(capture, above);
        built = true;
      }
      above = capture;
    }
    const rows = captures.map(rowOf);
    // Rows of earlier snapshots stay for a while: a new map for each snapshot costs as much as to build a row.
    if (built && this.#known.size > 2 * captures.length) {
      this.#known = new Map(captures.map((capture) => [capture.hash, rowOf(capture)]));
    }
    return rows;
  }

  /** The built row of this line of the viewport, if there is one. */
  builtRow(line: RawLine): SnapshotRow | undefined {
    return this.#captures.find((capture) => capture.line === line)?.row;
  }

  #linesMoved(buffer: RawBuffer, rows: number): boolean {
    for (let y = 0; y < rows; y++) {
      if (this.#captures[y]?.line !== buffer.lines.get(buffer.ybase + y)) return true;
    }
    return false;
  }

  #holds(capture: LineCopy, line: RawLine): boolean {
    const { words, length, extras } = capture;
    if (length !== line.length * RAW_WORDS || capture.wrapped !== line.isWrapped) return false;
    if (!sameWords(words, line._data, length)) return false;
    if (capture.lineSize !== this.#lineSizes.get(line)) return false;
    if (extras !== undefined) {
      for (const [col, extra] of extras) {
        if (extra.cluster !== undefined && extra.cluster !== line._combined[col]) return false;
        if (!sameExtended(extra.extended, extra.extended && line._extendedAttrs[col])) return false;
      }
    }
    return true;
  }

  /** @param above whose words it shares if they are the same, as on a screen that is mostly blank */
  #capture(line: RawLine, above: LineCopy | undefined): LineCopy {
    const raw = line._data;
    const length = line.length * RAW_WORDS;
    const shares =
      above !== undefined &&
      above.length === length &&
      above.extras === undefined &&
      above.words[0] === raw[0] &&
      sameWords(above.words, raw, length);
    const capture = shares ? newCopy(above.words) : (this.#pool.pop() ?? newCopy(new Uint32Array(length)));
    if (shares) above.isShared = capture.isShared = true;
    else {
      if (capture.words.length < length) capture.words = new Uint32Array(length);
      capture.words.set(raw.length === length ? raw : raw.subarray(0, length));
    }
    capture.line = line;
    capture.length = length;
    capture.extras = shares ? undefined : extrasOf(line, length);
    capture.wrapped = line.isWrapped;
    capture.lineSize = this.#lineSizes.get(line);
    capture.row = undefined;
    return capture;
  }

  /** @param above the row above it: on a screen that is mostly blank, most rows are equal, and a comparison takes a hundredth of building one */
  #build(capture: LineCopy, above: LineCopy | undefined): void {
    if (above?.row !== undefined && sameContent(above, capture)) {
      capture.row = above.row;
      capture.hash = above.hash;
      return;
    }
    const row = buildRow(lineOf(capture), capture.lineSize, this.#linkTarget);
    capture.hash = contentHash(row);
    const known = this.#known.get(capture.hash);
    capture.row = known !== undefined && sameRow(known, row) ? known : row;
    this.#known.set(capture.hash, capture.row);
  }

  #recycle(before: readonly LineCopy[], after: readonly LineCopy[]): void {
    // Most rows stay in their place.
    const moved = before.filter((capture, y) => capture !== after[y]);
    const kept = moved.length > FEW_ROWS ? new Set(after) : undefined;
    for (const capture of moved) {
      if (kept?.has(capture) ?? after.includes(capture)) continue;
      capture.line = undefined;
      if (capture.isShared || capture.readers > 0) continue;
      capture.row = undefined;
      capture.extras = undefined;
      if (this.#pool.length < after.length) this.#pool.push(capture);
    }
  }
}

function rowOf({ row }: LineCopy): SnapshotRow {
  if (row === undefined) throw new Error('a row was asked for before it was built');
  return row;
}

function capturesByLine(captures: readonly LineCopy[]): Map<RawLine, LineCopy> {
  const byLine = new Map<RawLine, LineCopy>();
  for (const capture of captures) if (capture.line !== undefined) byLine.set(capture.line, capture);
  return byLine;
}

function newCopy(words: Uint32Array): LineCopy {
  return {
    line: undefined,
    words,
    length: words.length,
    extras: undefined,
    wrapped: false,
    lineSize: 'single' satisfies LineSize,
    row: undefined,
    hash: 0,
    isShared: false,
    readers: 0,
  };
}

function hasLink({ extras }: LineCopy): boolean {
  for (const extra of extras?.values() ?? []) if ((extra.extended?.urlId ?? 0) !== 0) return true;
  return false;
}

function sameRow(a: SnapshotRow, b: SnapshotRow): boolean {
  if (a.cells.length !== b.cells.length || a.wrapped !== b.wrapped || a.lineSize !== b.lineSize) return false;
  for (let i = 0; i < a.cells.length; i++) if (a.cells[i] !== b.cells[i]) return false;
  if (a.clusters.some((cluster, i) => cluster !== b.clusters[i])) return false;
  return sameMap(a.links, b.links) && sameMap(a.underlineColors, b.underlineColors);
}

function sameMap<V>(a: ReadonlyMap<number, V> | undefined, b: ReadonlyMap<number, V> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.size !== b.size) return false;
  for (const [col, value] of a) if (b.get(col) !== value) return false;
  return true;
}

/** Hash of the cells alone; {@link sameRow} compares clusters and links. */
function contentHash({ cells }: SnapshotRow): number {
  let hash = cells.length;
  for (let i = 0; i < cells.length; i++) hash = Math.imul(hash ^ (cells[i] ?? 0), 0x0100_0193) ^ (hash >>> 15);
  return hash;
}
