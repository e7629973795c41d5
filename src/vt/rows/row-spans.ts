/**
 * A row as runs of `watch` and `text`: text, parameters of SGR, cells, link. Rows never change, so that the spans of a
 * row are made once, for all readers.
 */
import { wouldJoin } from './row-ansi.js';
import { rowRuns, type Run } from './row-runs.js';
import { styleParameters } from './sgr.js';
import type { LineSize, SnapshotRow } from '../snapshot.js';

/** Defaults at the end are left out: no style, a cell for each code point (0), no link. */
export type Span = [text: string, sgr?: string, cells?: number, link?: string];

export interface RowOfSpans {
  readonly runs: Span[];
  readonly wrapped?: true;
  readonly size?: Exclude<LineSize, 'single'>;
}

const made = new WeakMap<SnapshotRow, RowOfSpans>();

/** The same object for the same row. */
export function rowOfSpans(row: SnapshotRow): RowOfSpans {
  let spans = made.get(row);
  if (spans === undefined) made.set(row, (spans = makeRow(row)));
  return spans;
}

function makeRow(row: SnapshotRow): RowOfSpans {
  return {
    runs: rowRuns(row).flatMap(spansOf),
    ...(row.wrapped ? { wrapped: true } : {}),
    ...(row.lineSize === 'single' ? {} : { size: row.lineSize }),
  };
}

/** A cluster of several code points has a span of its own, and characters that would join have different ones. */
function spansOf({ graphemes, width, style, link }: Run): Span[] {
  const sgr = styleParameters(style).replace(/^0;?/, '');
  const spans: Span[] = [];
  let text = '';
  let codePoints = 0;
  const close = (cells: number): void => {
    if (text !== '') spans.push(span(text, sgr, cells, link));
    text = '';
    codePoints = 0;
  };
  const closeRun = (): void => close(width === 1 ? 0 : 2 * codePoints);
  let before = '';
  for (const grapheme of graphemes) {
    if (isOneCodePoint(grapheme)) {
      if (text !== '' && wouldJoin(before, grapheme)) closeRun();
      text += grapheme;
      codePoints++;
    } else {
      closeRun();
      text = grapheme;
      close(width);
    }
    before = grapheme;
  }
  closeRun();
  return spans;
}

function span(text: string, sgr: string, cells: number, link: string | undefined): Span {
  if (link !== undefined) return [text, sgr, cells, link];
  if (cells !== 0) return [text, sgr, cells];
  return sgr === '' ? [text] : [text, sgr];
}

function isOneCodePoint(grapheme: string): boolean {
  return grapheme.length === 1 || (grapheme.length === 2 && (grapheme.codePointAt(0) ?? 0) > 0xffff);
}
