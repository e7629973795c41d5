/** Lines as they were in one instant, to be formatted later: rows are values, which do not change. */
import type { Params } from '../../protocol/registry.js';
import type { Work } from '../../search/work.js';
import type { ReadableLines } from '../../vt/readable-lines.js';
import type { SnapshotRow } from '../../vt/snapshot.js';
import { capturedPlain, type LinePart, rowsOf } from './line-formats.js';
import { headAndTail } from './output-lines.js';
import type { LineSpan } from '../../vt/region.js';

export interface CapturedLine {
  readonly line: LineSpan;
  /** Empty if only the text is wanted. */
  readonly rows: readonly SnapshotRow[];
  readonly plain: () => string;
}

export interface Omitted {
  readonly lines: number;
  readonly bytes: number;
  readonly after: number;
}

const noText = (): string => '';

/** Cells of a scrollback that is read in one step: of styled rows, 5 ms. */
const CELLS_AT_ONCE = 100_000;

/** A line that was to be read later is no longer there, or is another. */
export class ScreenMoved extends Error {}

export interface CaptureOptions extends Pick<Params<'text'>, 'format' | 'trim' | 'highlights' | 'links'> {
  /** A long scrollback is read line by line as the lines are formatted, which throws {@link ScreenMoved} if it has changed. */
  readonly isLater: boolean;
}

/** Bytes of a line's objects, and of a cell in a row: both measured. */
const LINE_BYTES = 300;
const CELL_BYTES = 10;

/** Bytes that {@link captureLines} keeps of so many lines. */
export function capturedBytes(lines: number, cols: number, options: CaptureOptions): number {
  if (options.isLater) return lines * LINE_BYTES;
  return lines * (LINE_BYTES + cols * (needsRows(options) ? CELL_BYTES : 1));
}

function needsRows({ format, highlights, links }: CaptureOptions): boolean {
  return format !== 'plain' || highlights || links;
}

/** @param partOf see plainLine */
export function captureLines(
  screen: ReadableLines,
  lines: readonly LineSpan[],
  options: CaptureOptions,
  partOf: (line: LineSpan) => LinePart,
): readonly CapturedLine[] {
  const { format, trim, isLater } = options;
  const isPlain = format === 'plain';
  const hasRows = needsRows(options);
  const rows = (line: LineSpan): SnapshotRow[] => (hasRows ? rowsOf(screen, line) : []);
  const plain = (line: LineSpan, part: LinePart): (() => string) =>
    isPlain ? capturedPlain(screen, line, trim, part) : noText;
  const above = screen.scrollbackLines;
  const later = isLater && lines.length * screen.cols > CELLS_AT_ONCE ? new LaterLines(screen) : undefined;
  return lines.map((line) => {
    const part = partOf(line);
    if (later === undefined || line.end > above) return { line, rows: rows(line), plain: plain(line, part) };
    return {
      line,
      get rows() {
        return rows(later.found(line));
      },
      plain: () => plain(later.found(line), part)(),
    };
  });
}

/** Lines above the viewport do not change: they only go, at the top, or are laid out anew. */
class LaterLines {
  readonly #screen: ReadableLines;
  readonly #rev: number;

  constructor(screen: ReadableLines) {
    this.#screen = screen;
    this.#rev = screen.rev;
  }

  /** Its place now. @throws ScreenMoved */
  found(line: LineSpan): LineSpan {
    const screen = this.#screen;
    const first = line.number - screen.firstLineNumber;
    const end = first + line.end - line.first;
    if (screen.altScreen || first < 0 || end > screen.totalLines || screen.revisionFloor > this.#rev) {
      throw new ScreenMoved();
    }
    for (let number = line.number; number < line.number + end - first; number++) {
      if (screen.lineRevision(number) > this.#rev) throw new ScreenMoved();
    }
    return { ...line, first, end };
  }
}

interface Cut<T> {
  readonly lines: T[];
  readonly kept: readonly CapturedLine[];
  readonly omitted?: Omitted;
}

/** Formats lines, and leaves out the middle of those that are too long together. Pauses after each line. */
export function* cut<T>(
  given: readonly CapturedLine[],
  maxBytes: number | undefined,
  format: (line: CapturedLine) => T,
  bytesOf: (formatted: T) => number,
): Work<Cut<T>> {
  const items: { line: CapturedLine; value: T; bytes: number }[] = [];
  for (const line of given) {
    const value = format(line);
    items.push({ line, value, bytes: maxBytes === undefined ? 0 : bytesOf(value) });
    yield 1;
  }
  if (maxBytes === undefined) return { lines: items.map(({ value }) => value), kept: given };
  const { head, tail, omitted } = headAndTail(items, maxBytes, ({ bytes }) => bytes);
  const kept = [...head, ...tail];
  return {
    lines: kept.map(({ value }) => value),
    kept: kept.map(({ line }) => line),
    ...(omitted.count === 0 ? {} : { omitted: { lines: omitted.count, bytes: omitted.bytes, after: head.length } }),
  };
}
