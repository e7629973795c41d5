/** Lines as they were in one instant, to be formatted later: rows are values, which do not change. */
import type { Params } from '../../protocol/registry.js';
import type { Work } from '../../events/search/work.js';
import type { ReadableScreen } from '../../vt/readable-screen.js';
import type { SnapshotRow } from '../../vt/snapshot.js';
import { capturedPlain, type LinePart, rowsOf } from './line-formats.js';
import { headAndTail } from './output-lines.js';
import type { LineSpan } from './region.js';

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

/** @param partOf see plainLine */
export function captureLines(
  screen: ReadableScreen,
  lines: readonly LineSpan[],
  { format, trim, highlights, links }: Pick<Params<'text'>, 'format' | 'trim' | 'highlights' | 'links'>,
  partOf: (line: LineSpan) => LinePart,
): readonly CapturedLine[] {
  const isPlain = format === 'plain';
  const needsRows = !isPlain || highlights || links;
  return lines.map((line) => ({
    line,
    rows: needsRows ? rowsOf(screen, line) : [],
    plain: isPlain ? capturedPlain(screen, line, trim, partOf(line)) : noText,
  }));
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
