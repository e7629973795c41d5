/** The lines of a screen that a request names. Index 0 is the oldest line of the scrollback. */
import { T4aError } from '../protocol/errors.js';
import type { ReadableLines } from './readable-lines.js';

export type TextRegion = 'viewport' | 'scrollback' | 'all';

export interface LineRange {
  /** Index of the first line. */
  readonly first: number;
  /** Index after the last one. */
  readonly end: number;
}

export function regionRange(screen: ReadableLines, region: TextRegion): LineRange {
  const above = screen.scrollbackLines;
  if (region === 'viewport') return { first: above, end: screen.totalLines };
  return { first: 0, end: region === 'scrollback' ? above : screen.totalLines };
}

export interface CountedFromBottom {
  readonly start: number;
  readonly end: number;
}

type GivenRange = { readonly [Field in keyof CountedFromBottom]?: number | undefined };

/** Resolves optional `start` and `end` within the region. @throws T4aError invalid_field */
export function checkRange(given: GivenRange, total: number): CountedFromBottom {
  assertOrder(given);
  return { start: Math.min(given.start ?? 0, total), end: Math.min(given.end ?? total, total) };
}

/** The part of {@link checkRange} that needs no screen. @throws T4aError invalid_field */
export function assertOrder({ start, end }: GivenRange): void {
  if (start === undefined || end === undefined || end >= start) return;
  throw new T4aError('invalid_field', `"end" of "text" is ${end}: before "start", which is ${start}.`, {
    field: 'end',
    hint: 'Both count from the bottom: 0 and 5 are the last five lines.',
  });
}

/** Lines above the viewport are read from the whole buffer, unless another region is named. */
export function regionOf(
  {
    region,
    start = 0,
    end = 0,
    last,
  }: GivenRange & { readonly region?: TextRegion | undefined; readonly last?: number | undefined },
  rows: number,
): TextRegion {
  return region ?? (last !== undefined || start > rows || end > rows ? 'all' : 'viewport');
}

/** The last lines of the region, without the blank ones below the text. */
export function lastLines(screen: ReadableLines, { first, end }: LineRange, count: number): CountedFromBottom {
  let below = 0;
  while (end - below > first && screen.lineText(end - below - 1) === '') below++;
  return { start: below, end: below + count };
}

/** @throws T4aError invalid_field */
export function assertOneRange({ start, end, last }: GivenRange & { readonly last?: number | undefined }): void {
  if (last === undefined || (start === undefined && end === undefined)) return;
  throw new T4aError('invalid_field', '"last" of "text" goes with neither "start" nor "end".', {
    field: 'last',
    hint: 'Leave one of them out.',
  });
}

/** One line of a reply: a row, or with `joinWrapped` all rows of one printed line. */
export interface LineSpan extends LineRange {
  /** Lasting number of the first row. */
  readonly number: number;
}

export function linesIn(screen: ReadableLines, { first, end }: LineRange, joinWrapped: boolean): LineSpan[] {
  const lines: LineSpan[] = [];
  const base = screen.firstShownNumber;
  for (let index = first; index < end;) {
    let next = index + 1;
    if (joinWrapped) while (next < end && screen.continuesLine(next)) next++;
    lines.push({ first: index, end: next, number: base + index });
    index = next;
  }
  return lines;
}
