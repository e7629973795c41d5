/**
 * The selection of a program, by colour alone: the spans whose background differs from that of their neighbours in a list, a menu or a
 * line, or the entry of a list whose text has another colour. A guess, made of one screen: bars at its edges, headers, titles in borders, and what is coloured in three places or more are none.
 */
import { rowRuns } from '../../vt/rows/row-runs.js';
import { cellWidth, rowCols, rowText } from '../../vt/rows/row-text.js';
import { COLOR_DEFAULT, graphemeAt, type Snapshot, type SnapshotCursor, type SnapshotRow } from '../../vt/snapshot.js';
import { groundOf } from './text-spans.js';

/** Columns of a row, the last one not included. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What stands before and after the selection in a text; no program known draws it. */
const MARKS = ['⟦', '⟧'] as const;

const MIN_COLS = 3;

const WORD = /[\p{L}\p{N}]/u;

/** By row. A larger screen has none. */
type Selection = ReadonlyMap<number, readonly Span[]>;

const MAX_CELLS = 50_000;

const MAX_GAP_COLS = 3;

/** More separate spans of one background are matches of a search, keys of a bar, and the like. */
const MAX_BLOCKS = 2;

function selectionOf({ lines, cols, rows, altScreen, cursor }: Snapshot): Selection {
  if (cols * rows > MAX_CELLS) return new Map();
  const grid = lines.map((row) => new Line(row));
  // A shell colours its prompt and its lists; a menu on the normal screen hides the cursor, or has a background of its own.
  if (!altScreen && cursor.visible && !isPainted(grid)) return new Map();
  const area = areas(grid);
  const blocks = blocksOf(grid).filter((block) => isChoice(grid, block, area));
  const found = new Map<number, Span[]>();
  for (const { ground, first, spans } of blocks) {
    if (blocks.filter((other) => other.ground === ground).length > MAX_BLOCKS) continue;
    if (isPrompt(grid, first, cursor)) continue;
    for (const [i, span] of spans.entries()) {
      const inner = grid[first + i]?.withoutBlanks(withCursor(span, first + i, cursor));
      if (inner !== undefined) found.set(first + i, [...(found.get(first + i) ?? []), inner]);
    }
  }
  if (found.size > 0 || !altScreen || cursor.visible) return found;
  return choiceByText(lines);
}

/** Of a pager: the last row with text, as long as that does not fill the screen. */
function isPrompt(grid: readonly Line[], row: number, cursor: SnapshotCursor): boolean {
  return cursor.visible && cursor.row === row && grid.slice(row + 1).every((line) => line.written(line.whole) === 0);
}

/** Vim leaves the cell of the cursor as it is. */
function withCursor(span: Span, index: number, { row, col, visible }: SnapshotCursor): Span {
  if (!visible || row !== index) return span;
  return { from: span.from === col + 1 ? col : span.from, to: span.to === col ? col + 1 : span.to };
}

function isPainted(grid: readonly Line[]): boolean {
  const shares = grid.map((line) => line.segments.filter(({ ground }) => ground === COLOR_DEFAULT));
  const blank = shares.flat().reduce((sum, { from, to }) => sum + to - from, 0);
  return blank * 2 < grid.reduce((sum, { cols }) => sum + cols, 0);
}

/** Fewer entries are no list: one of two may be a title. */
const MIN_ENTRIES = 3;

/**
 * In a program that hides the cursor and has no background for what is selected: the one entry of a list whose text has another colour.
 * None if several lists have one.
 */
function choiceByText(lines: readonly SnapshotRow[]): Map<number, Span[]> {
  const entries = lines.map(entryOf);
  const chosen: [number, Span[]][] = [];
  for (let first = 0; first < entries.length;) {
    let end = first + 1;
    while (end < entries.length && entries[first] !== undefined && entries[end]?.from === entries[first]?.from) end++;
    const list = entries.slice(first, end).filter((entry) => entry !== undefined);
    const odd = list.filter(({ fg }) => list.filter((other) => other.fg === fg).length === 1);
    const [only] = odd;
    const colors = new Set(list.map(({ fg }) => fg)).size;
    if (list.length >= MIN_ENTRIES && colors === 2 && odd.length === 1 && only !== undefined)
      chosen.push([first + list.indexOf(only), [only]]);
    first = end;
  }
  return new Map(chosen.length === 1 ? chosen : []);
}

/** The words of a row between its borders; undefined if it has none, or they have several colours. */
function entryOf(row: SnapshotRow): (Span & { readonly fg: number }) | undefined {
  const runs = rowRuns(row);
  const hasWord = ({ graphemes }: (typeof runs)[number]): boolean => graphemes.some((each) => WORD.test(each));
  const words = runs.slice(runs.findIndex(hasWord), runs.findLastIndex(hasWord) + 1);
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined || !hasWord(first)) return undefined;
  const isOne = words.every(
    (run) => run.style.fg === first.style.fg || !run.graphemes.some((each) => each.trim() !== ''),
  );
  const begin = first.graphemes.findIndex((each) => WORD.test(each)) * first.width;
  return isOne ? { from: first.col + begin, to: last.col + last.cols, fg: first.style.fg } : undefined;
}

/** The rows of the viewport that have a part of the selection, as text, by their places in the buffer. */
export function markedRows(snapshot: Snapshot, above: number): ReadonlyMap<number, string> {
  const rows = [...selectionOf(snapshot)].flatMap(([index, spans]): [number, string][] => {
    const row = snapshot.lines[index];
    return row === undefined ? [] : [[above + index, markedText(row, spans)]];
  });
  return new Map(rows);
}

/** Without blanks at its end. */
function markedText(row: SnapshotRow, spans: readonly Span[]): string {
  const [before, after] = MARKS;
  let text = '';
  let at = 0;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    text += `${rowText(row, { trim: false, from: at, to: from })}${before}${rowText(row, { trim: false, from, to })}${after}`;
    at = to;
  }
  return (text + rowText(row, { from: at })).trimEnd();
}

interface Segment extends Span {
  readonly ground: number;
}

/** A row by its backgrounds. */
class Line {
  readonly segments: readonly Segment[];
  readonly #row: SnapshotRow;

  constructor(row: SnapshotRow) {
    this.#row = row;
    const segments: (Segment & { to: number })[] = [];
    const add = (ground: number, from: number, to: number): void => {
      const last = segments.at(-1);
      if (last?.ground === ground) last.to = to;
      else segments.push({ ground, from, to });
      this.#joinOverGap(segments);
    };
    let end = 0;
    for (const run of rowRuns(row)) {
      if (run.col > end) add(COLOR_DEFAULT, end, run.col);
      end = run.col + run.cols;
      add(groundOf(run), run.col, end);
    }
    if (end < rowCols(row)) add(COLOR_DEFAULT, end, rowCols(row));
    this.segments = segments;
  }

  /** The parts of an entry, such as its key and its words, may have a gap between them. */
  #joinOverGap(segments: (Segment & { to: number })[]): void {
    const [before, gap, last] = segments.slice(-3);
    if (before === undefined || gap === undefined || last === undefined || before.ground !== last.ground) return;
    const isGap = gap.to - gap.from <= MAX_GAP_COLS && this.#text(gap).trim() === '';
    if (!isGap || before.ground === COLOR_DEFAULT) return;
    segments.splice(-2);
    before.to = last.to;
  }

  get cols(): number {
    return rowCols(this.#row);
  }

  get whole(): Span {
    return { from: 0, to: this.cols };
  }

  at(col: number): number | undefined {
    return this.segments.find(({ from, to }) => col >= from && col < to)?.ground;
  }

  /** The background of most cells that are not blank. */
  groundOfWords(span: Span): number | undefined {
    const shares = this.segments.map(({ ground, from, to }) => {
      const part = { from: Math.max(from, span.from), to: Math.min(to, span.to) };
      return { ground, share: part.from < part.to ? this.written(part) : 0 };
    });
    return shares.toSorted((a, b) => b.share - a.share)[0]?.ground;
  }

  /** Several words on one background: keys and what they do. */
  isKeys(ground: number): boolean {
    return this.segments.filter((each) => each.ground === ground && this.hasWords(each)).length > MAX_BLOCKS;
  }

  /** Characters that are not blank. */
  written(span: Span): number {
    return this.#text(span).replaceAll(' ', '').length;
  }

  hasWords(span: Span): boolean {
    return WORD.test(this.#text(span));
  }

  isPlainWord(span: Span): boolean {
    return /^[\p{L}\p{N}]+$/u.test(this.#text(span).trim());
  }

  /** Before the next border, from its first column on or from its last one back. */
  hasWordsNear(span: Span, isAfter: boolean): boolean {
    const parts = this.#text(span).split(/[\u2502\u2503\u2551]/u);
    return WORD.test((isAfter ? parts[0] : parts.at(-1)) ?? '');
  }

  /** Of a border, which the span interrupts. */
  isTitle({ from, to }: Span): boolean {
    return this.isBorder({ from: from - 2, to: from }) || this.isBorder({ from: to, to: to + 2 });
  }

  isBorder(span: Span): boolean {
    return /[\u2500\u2501\u2550\u2014]/u.test(this.#text(span));
  }

  withoutBlanks({ from, to }: Span): Span | undefined {
    const isBlank = (col: number): boolean =>
      cellWidth(this.#row, col) === 1 && graphemeAt(this.#row, col).trim() === '';
    let [first, end] = [from, to];
    while (first < end && isBlank(first)) first++;
    while (end > first && isBlank(end - 1)) end--;
    return first < end ? { from: first, to: end } : undefined;
  }

  #text({ from, to }: Span): string {
    return rowText(this.#row, { trim: false, from: Math.max(0, from), to: Math.min(to, this.cols) });
  }
}

/** Segments of one background with words, in neighbouring rows. */
interface Block {
  readonly ground: number;
  readonly first: number;
  readonly spans: Segment[];
}

function blocksOf(grid: readonly Line[]): Block[] {
  const done: Block[] = [];
  let open: Block[] = [];
  for (const [row, line] of grid.entries()) {
    const next: Block[] = [];
    for (const segment of line.segments) {
      if (segment.ground === COLOR_DEFAULT || !line.hasWords(segment)) continue;
      const above = open.find(({ ground, spans }) => ground === segment.ground && isOver(spans.at(-1), segment));
      if (above !== undefined && !next.includes(above)) {
        above.spans.push(segment);
        next.push(above);
      } else next.push({ ground: segment.ground, first: row, spans: [segment] });
    }
    done.push(...open.filter((block) => !next.includes(block)));
    open = next;
  }
  return [...done, ...open];
}

/** By half of the wider one at least. */
function isOver(above: Span | undefined, { from, to }: Span): boolean {
  if (above === undefined) return false;
  const common = Math.min(to, above.to) - Math.max(from, above.from);
  return common * 2 >= Math.max(to - from, above.to - above.from);
}

/** Characters on each background. */
function areas(grid: readonly Line[]): Map<number, number> {
  const area = new Map<number, number>();
  for (const line of grid) {
    for (const segment of line.segments)
      area.set(segment.ground, (area.get(segment.ground) ?? 0) + line.written(segment));
  }
  return area;
}

function isChoice(grid: readonly Line[], block: Block, area: ReadonlyMap<number, number>): boolean {
  const { ground, first, spans } = block;
  const end = first + spans.length;
  const [top] = spans;
  const bottom = spans.at(-1);
  // Row 0 has a title or a menu, whose open part has the selection; the last row has state, keys or a question.
  if (top === undefined || bottom === undefined || end === grid.length) return false;
  if (first === 0 && grid[0]?.at(0) !== COLOR_DEFAULT && grid[0]?.at(grid[0].cols - 1) !== COLOR_DEFAULT) return false;
  if (spans.some(({ from, to }) => to - from < MIN_COLS) && !isSmallChoice(grid[first], spans)) return false;
  if (spans.some((span, i) => grid[first + i]?.isTitle(span) === true)) return false;
  const around = [
    siblingIn(grid[first - 1], top, ground),
    siblingIn(grid[end], bottom, ground),
    ...besides(grid[first], top),
    ...besides(grid[end - 1], bottom),
  ].filter((other) => other !== undefined);
  if (!around.some((other) => (area.get(ground) ?? 0) < (area.get(other) ?? 0))) return false;
  return !spans.some((_, i) => isBar(grid, first + i, block));
}

/** A day, a letter: no shadow of a box, which has that on one side alone, no bracket that has its match, no name of a key. */
function isSmallChoice(line: Line | undefined, spans: readonly Span[]): boolean {
  const [only, ...others] = spans;
  if (line === undefined || only === undefined || others.length > 0 || !line.isPlainWord(only)) return false;
  return line.at(only.from - 1) !== undefined && line.at(only.from - 1) === line.at(only.to);
}

/** The background of most words in these columns of another row, if that is another one. */
function siblingIn(line: Line | undefined, span: Span, ground: number): number | undefined {
  if (line === undefined || !line.hasWords(span) || line.isBorder(span) || line.isKeys(ground)) return undefined;
  const other = line.groundOfWords(span);
  return other === ground ? undefined : other;
}

/** The backgrounds beside it, if they have words in the same box. */
function besides(line: Line | undefined, span: Span): (number | undefined)[] {
  if (line === undefined) return [];
  const beside = line.segments.filter(({ from, to }) => to === span.from || from === span.to);
  return beside.filter((segment) => line.hasWordsNear(segment, segment.from === span.to)).map(({ ground }) => ground);
}

/** From edge to edge, other than the rows around it: a title, a header, a line of keys or of state. */
function isBar(grid: readonly Line[], row: number, { ground, first, spans }: Block): boolean {
  const line = grid[row];
  const above = grid[first - 1];
  const below = grid[first + spans.length];
  if (line === undefined || !isEdged(line, below)) return false;
  if (line.segments.length > 1) return true;
  // The last row of a list stands above the keys, or else it is a line of state.
  if (row === grid.length - 2) return (below?.segments.length ?? 0) <= MAX_BLOCKS;
  if (siblingIn(above, line.whole, ground) === below?.at(0)) return false;
  // The first row of a list is right below a header, and no header.
  return above?.hasWords(above.whole) !== true || !isEdged(above, below);
}

/** Whether both ends have another background than those of another row. */
function isEdged(line: Line, other: Line | undefined): boolean {
  return other !== undefined && line.at(0) !== other.at(0) && line.at(line.cols - 1) !== other.at(other.cols - 1);
}
