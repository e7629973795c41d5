/**
 * A change of width in slices: the library lays a whole scrollback out anew in one step, which takes half a second for
 * 100,000 lines. Here the rows above the viewport are laid out beside the old ones, which stay readable until
 * {@link SlicedLayout.apply} exchanges them; the library then does the rest. The result is the library's, cell for cell.
 *
 * Assumes that nothing is printed in between. Lines may be dropped (see scrollback-limit.ts): then {@link SlicedLayout.isCurrent} is false.
 */
import type { Disposable } from '../../base/lifetime.js';
import type { Internals, RawBuffer, RawLine } from './internals.js';
import { isInSlab, type LineSlabs } from './line-slabs.js';
import { RAW_WIDTH_SHIFT, RAW_WORDS } from './row-builder.js';
import { joinRows, splitRows } from './wrapped-group.js';

/** Fewer cells are laid out at once, within a few milliseconds. */
const LEAST_CELLS = 200_000;
/** The library lays out the viewport in any case: of a large one, fewer rows above it are a small part of its step. */
const LEAST_VIEWPORTS = 4;
/** 12 bytes each: old and new cells are held at the same time. Older lines are laid out in one step. */
const MOST_CELLS = 12_000_000;
/** Between two looks at the clock. */
const CELLS_A_STEP = 4096;
const ROWS_A_STEP = 32;

/** One of all screens at a time, since each may hold as much. */
const underWay = new Set<SlicedLayout>();

export interface LayoutSize {
  readonly cols: number;
  readonly rows: number;
  readonly leastCells?: number | undefined;
  readonly mostCells?: number | undefined;
}

/** Changes when lines are dropped, added or laid out by others. */
type LinesMark = readonly unknown[];

interface PreparedRow {
  readonly target: RawLine;
  readonly words: Uint32Array;
  readonly combined: RawLine['_combined'];
  readonly extended: RawLine['_extendedAttrs'];
}

/** Rows that belong together and become more or fewer. */
interface ChangedGroup {
  readonly first: number;
  readonly rows: number;
  /** Narrower: how many are added. Wider: how many at its end are left over. */
  readonly change: number;
  readonly added: readonly RawLine[];
}

export class SlicedLayout implements Disposable {
  readonly #buffer: RawBuffer;
  readonly #core: Internals;
  readonly #slabs: LineSlabs;
  readonly #cols: number;
  readonly #oldCols: number;
  readonly #from: number;
  readonly #to: number;
  readonly #made: LinesMark;
  readonly #prepared: PreparedRow[] = [];
  readonly #groups: ChangedGroup[] = [];
  readonly #work: Generator<undefined, void>;
  readonly #trims: Disposable;
  #trimmed = 0;
  #isDone = false;
  #isDisposed = false;

  /** @returns undefined where the library is to lay out all lines at once */
  static of(core: Internals, slabs: LineSlabs, size: LayoutSize): SlicedLayout | undefined {
    const { cols, rows, mostCells = MOST_CELLS } = size;
    if (cols === core.cols) return undefined;
    const { leastCells = Math.max(LEAST_CELLS, LEAST_VIEWPORTS * rows * Math.max(core.cols, cols)) } = size;
    const buffer = core.buffers.normal;
    // The library may cut so many oldest rows before it lays out the others.
    const cut = Math.max(0, buffer.lines.length - core.optionsService.rawOptions.scrollback - rows);
    const widest = Math.max(core.cols, cols);
    let to = buffer.ybase;
    while (to > cut && buffer.lines.get(to)?.isWrapped === true) to--;
    let from = Math.max(cut, to - Math.floor(mostCells / widest));
    while (from < to && buffer.lines.get(from)?.isWrapped === true) from++;
    const cells = (to - from) * widest;
    return cells <= 0 || cells < leastCells ? undefined : new SlicedLayout(core, slabs, cols, { from, to });
  }

  private constructor(
    core: Internals,
    slabs: LineSlabs,
    cols: number,
    { from, to }: { readonly from: number; readonly to: number },
  ) {
    this.#core = core;
    this.#slabs = slabs;
    this.#buffer = core.buffers.normal;
    this.#cols = cols;
    this.#oldCols = core.cols;
    this.#from = from;
    this.#to = to;
    this.#made = this.#mark();
    this.#trims = this.#buffer.lines.onTrim((count) => {
      this.#trimmed += count;
    });
    this.#work = this.#prepare();
  }

  /** Whether the lines are those that it was made for. */
  get isCurrent(): boolean {
    if (this.#isDisposed || this.#trimmed > 0 || this.#core.buffers.normal !== this.#buffer) return false;
    const now = this.#mark();
    const made = this.#made;
    return now.every((value, index) => value === made[index]);
  }

  /** Does nothing while another screen's is under way. @returns whether all is prepared */
  advance(budgetMs: number): boolean {
    if (underWay.size === 0) underWay.add(this);
    if (!underWay.has(this)) return false;
    const endMs = performance.now() + budgetMs;
    try {
      do this.#isDone ||= this.#work.next().done === true;
      while (!this.#isDone && performance.now() < endMs);
    } catch {
      // Rows that the library cannot lay out: it reports them itself, in one step.
      this.dispose();
    }
    return this.#isDone;
  }

  /** @param resize the library's change of size, with the same numbers */
  apply(resize: () => void): void {
    const buffer = this.#buffer;
    for (const { target, words, combined, extended } of this.#prepared) {
      target._data = words;
      target._combined = combined;
      target._extendedAttrs = extended;
      target.length = this.#cols;
    }
    buffer._reflow = (cols, rows) =>
      cols > this.#oldCols ? this.#layOutWider(cols, rows) : this.#layOutNarrower(rows);
    try {
      resize();
    } finally {
      delete (buffer as { _reflow?: unknown })._reflow;
      this.dispose();
    }
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    underWay.delete(this);
    this.#trims.dispose();
  }

  #mark(): LinesMark {
    const { lines, ybase } = this.#buffer;
    return [this.#core.cols, this.#core.optionsService.rawOptions.scrollback, lines.length, ybase, lines.get(0)];
  }

  *#prepare(): Generator<undefined, void> {
    const { lines } = this.#buffer;
    const isWider = this.#cols > this.#oldCols;
    const width = Math.max(this.#cols, this.#oldCols);
    let cells = 0;
    for (let first = this.#from; first < this.#to;) {
      const targets = [this.#lineAt(first)];
      while (first + targets.length < this.#to && lines.get(first + targets.length)?.isWrapped === true) {
        targets.push(this.#lineAt(first + targets.length));
      }
      const isChanged = targets.length > 1 || (!isWider && (targets[0]?.getTrimmedLength() ?? 0) > this.#cols);
      const copies: RawLine[] = [];
      for (const target of targets) {
        if (isChanged) copies.push(this.#copyOf(target));
        else this.#take(target, target);
        if ((cells += width) < CELLS_A_STEP) continue;
        cells = 0;
        yield;
      }
      if (isChanged) yield* this.#prepareGroup(first, targets, copies);
      first += targets.length;
    }
  }

  *#prepareGroup(first: number, targets: readonly RawLine[], rows: RawLine[]): Generator<undefined, void> {
    const blank = this.#buffer.getNullCell();
    const isWider = this.#cols > this.#oldCols;
    const change = isWider
      ? yield* joinRows(rows, this.#oldCols, this.#cols, blank)
      : yield* splitRows(rows, this.#oldCols, this.#cols, { blank, newRow: () => this.#newRow(this.#cols, true) });
    const added: RawLine[] = [];
    for (const [index, row] of rows.entries()) {
      const target = targets[index];
      if (target !== undefined) this.#take(target, row);
      else {
        row._data = this.#wordsOf(row);
        added.push(row);
      }
      if (index % ROWS_A_STEP === 0) yield;
    }
    this.#groups.push({ first, rows: targets.length, change, added });
  }

  #lineAt(index: number): RawLine {
    const line = this.#buffer.lines.get(index);
    if (line === undefined) throw new Error(`the scrollback has no line ${index}`);
    return line;
  }

  #newRow(cols: number, isWrapped: boolean): RawLine {
    const sample = this.#lineAt(0);
    return new sample.constructor(cols, this.#buffer.getNullCell(), isWrapped);
  }

  /** To work on, of the wider of the two widths. */
  #copyOf(line: RawLine): RawLine {
    const copy = this.#newRow(0, line.isWrapped);
    copy.copyFrom(line);
    if (this.#cols > copy.length) copy.resize(this.#cols, this.#buffer.getNullCell());
    return copy;
  }

  /** @param row what `target` is to be; itself, if it only gets another width */
  #take(target: RawLine, row: RawLine): void {
    const combined = cut(row._combined, this.#cols);
    const extended = cut(row._extendedAttrs, this.#cols);
    this.#prepared.push({ target, words: this.#wordsOf(row), combined, extended });
  }

  #wordsOf({ _data: words, length }: RawLine): Uint32Array {
    // What is cut off stays in memory, as with the library, unless it is the larger part.
    if (length >= this.#cols && length < 2 * this.#cols && isInSlab(words))
      return words.subarray(0, this.#cols * RAW_WORDS);
    const copy = this.#slabs.take(this.#cols * RAW_WORDS);
    copy.set(length > this.#cols ? words.subarray(0, copy.length) : words);
    for (let col = length; col < this.#cols; col++) copy[col * RAW_WORDS] = BLANK;
    return copy;
  }

  #layOutWider(cols: number, rows: number): void {
    const { lines } = this.#buffer;
    const [from, to] = [this.#from - this.#trimmed, this.#to - this.#trimmed];
    const removed: { first: number; count: number }[] = [];
    this.#joinBetween(0, from, removed);
    for (const { first, rows: count, change } of this.#groups) {
      if (change > 0) removed.push({ first: first - this.#trimmed + count - change, count: change });
    }
    this.#joinBetween(to, lines.length, removed);
    if (removed.length === 0) return;
    const kept: (RawLine | undefined)[] = [];
    let index = 0;
    let total = 0;
    for (const { first, count } of removed) {
      while (index < first) kept.push(lines.get(index++));
      lines.onDeleteEmitter.fire({ index: first - total, amount: count });
      index += count;
      total += count;
    }
    while (index < lines.length) kept.push(lines.get(index++));
    for (const [place, line] of kept.entries()) lines.set(place, line);
    lines.length = kept.length;
    this.#buffer._reflowLargerAdjustViewport(cols, rows, total);
  }

  /** The row of the cursor, where its line is left to the program; else none. */
  get #leftRow(): number {
    const { ybase, y } = this.#buffer;
    return this.#core.optionsService.rawOptions.reflowCursorLine ? -1 : ybase + y;
  }

  #joinBetween(from: number, to: number, removed: { first: number; count: number }[]): void {
    const { lines } = this.#buffer;
    const cursor = this.#leftRow;
    for (let first = from; first < Math.min(to, lines.length - 1);) {
      const rows = [this.#lineAt(first)];
      while (first + rows.length < lines.length && lines.get(first + rows.length)?.isWrapped === true) {
        rows.push(this.#lineAt(first + rows.length));
      }
      const after = first + rows.length;
      if (rows.length > 1 && (cursor < first || cursor >= after)) {
        const count = atOnce(joinRows(rows, this.#oldCols, this.#cols, this.#buffer.getNullCell()));
        if (count > 0) removed.push({ first: after - count, count });
      }
      first = after;
    }
  }

  #layOutNarrower(rows: number): void {
    const { lines } = this.#buffer;
    const [from, to] = [this.#from - this.#trimmed, this.#to - this.#trimmed];
    const inserted: { start: number; added: readonly RawLine[] }[] = [];
    let count = 0;
    const note = (first: number, { rows: length, change, added }: Omit<ChangedGroup, 'first'>): void => {
      const trimmed = this.#rowsTrimmed(change);
      if (added.length > 0) inserted.push({ start: first + length + count, added });
      count += added.length;
      this.#moveViewport(change, { down: change - trimmed, count, rows });
    };
    this.#splitBetween(to, lines.length, note);
    for (const group of this.#groups.toReversed()) note(group.first - this.#trimmed, group);
    this.#splitBetween(0, from, note);
    if (inserted.length > 0) this.#insert(inserted, count);
  }

  #rowsTrimmed(added: number): number {
    const { ybase, y, lines } = this.#buffer;
    const used = ybase === 0 && y !== lines.length - 1 ? y : lines.length;
    return Math.max(0, used - lines.maxLength + added);
  }

  #moveViewport(added: number, { down, count, rows }: { down: number; count: number; rows: number }): void {
    const buffer = this.#buffer;
    const { lines } = buffer;
    for (let left = down; left > 0; left--) {
      if (buffer.ybase > 0) {
        if (buffer.ybase >= Math.min(lines.maxLength, lines.length + count) - rows) continue;
        if (buffer.ybase === buffer.ydisp) buffer.ydisp++;
        buffer.ybase++;
      } else if (buffer.y < rows - 1) {
        buffer.y++;
        lines.pop();
      } else {
        buffer.ybase++;
        buffer.ydisp++;
      }
    }
    buffer.savedY = Math.min(buffer.savedY + added, buffer.ybase + rows - 1);
  }

  /** Upwards, as the library does: rows that are dropped at the end count then. */
  #splitBetween(from: number, to: number, note: (first: number, group: Omit<ChangedGroup, 'first'>) => void): void {
    const { lines } = this.#buffer;
    for (let index = to - 1; index >= from; index--) {
      let line = lines.get(index);
      if (line === undefined || (!line.isWrapped && line.getTrimmedLength() <= this.#cols)) continue;
      const rows = [line];
      while (line.isWrapped && index > 0) {
        line = this.#lineAt(--index);
        rows.push(line);
      }
      rows.reverse();
      const cursor = this.#leftRow;
      if (cursor >= index && cursor < index + rows.length) continue;
      const length = rows.length;
      const ways = { blank: this.#buffer.getNullCell(), newRow: () => this.#newRow(this.#cols, true) };
      const change = atOnce(splitRows(rows, this.#oldCols, this.#cols, ways));
      note(index, { rows: length, change, added: rows.slice(length) });
    }
  }

  /** @param inserted from the last to the first */
  #insert(inserted: readonly { readonly start: number; readonly added: readonly RawLine[] }[], count: number): void {
    const { lines } = this.#buffer;
    const originals = Array.from({ length: lines.length }, (_, index) => lines.get(index));
    const events: { index: number; amount: number }[] = [];
    let original = originals.length - 1;
    let next = 0;
    let insertedRows = 0;
    lines.length = Math.min(lines.maxLength, originals.length + count);
    for (let index = Math.min(lines.maxLength - 1, originals.length + count - 1); index >= 0; index--) {
      const group = inserted[next];
      if (group === undefined || group.start <= original + insertedRows) {
        lines.set(index, originals[original--]);
        continue;
      }
      for (const row of group.added.toReversed()) lines.set(index--, row);
      index++;
      events.push({ index: original + 1, amount: group.added.length });
      insertedRows += group.added.length;
      next++;
    }
    let fired = 0;
    for (const event of events.toReversed()) {
      lines.onInsertEmitter.fire({ index: event.index + fired, amount: event.amount });
      fired += event.amount;
    }
    const trimmed = Math.max(0, originals.length + count - lines.maxLength);
    if (trimmed > 0) lines.onTrimEmitter.fire(trimmed);
  }
}

const BLANK = 1 << RAW_WIDTH_SHIFT;

/** @returns `values` itself if there is nothing to cut off */
function cut<T>(values: Readonly<Record<number, T>>, cols: number): Readonly<Record<number, T>> {
  for (const last in values) {
    if (Number(last) < cols) continue;
    const kept: Record<number, T> = {};
    for (const col in values) if (Number(col) < cols) kept[col] = values[col] as T;
    return kept;
  }
  return values;
}

function atOnce<T>(work: Generator<undefined, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
