/** Secrets that a terminal shows where a reply is about, whole, as they stand on its screen and above it. */
import { MAX_PRIVATE_KEY_LINES } from '../redaction/known-secrets.js';
import type { Redactor } from '../redaction/redactor.js';
import { secretsOfRows, spansOfRows } from '../redaction/row-mask.js';
import type { MatchSpan } from '../search/regex.js';
import { wholeText } from '../vt/rows/logical-line.js';
import { MainLines, type ReadableLines } from '../vt/readable-lines.js';
import type { ReadableScreen } from '../vt/readable-screen.js';

/** Fields with lasting numbers of lines. */
const NUMBERS: ReadonlySet<string> = new Set(['number', 'first_line', 'from_line', 'numbers']);
/** Rows that a line may go on in, below those of a reply. */
const ROWS_BELOW = 50;

interface Rows {
  readonly start: number;
  readonly end: number;
}

/** @param about the request and its reply */
export function secretsShown(redactor: Redactor, screen: ReadableScreen, about: readonly unknown[]): string[] {
  const screens: readonly ReadableLines[] = screen.altScreen ? [screen, new MainLines(screen)] : [screen];
  const named = about.flatMap((part) => numbersIn(part));
  return screens.flatMap((lines) => {
    const { firstShownNumber: first, scrollbackLines: above, totalLines } = lines;
    const shown = { start: above - MAX_PRIVATE_KEY_LINES, end: totalLines };
    const others = named.map(({ start, end }) => ({
      start: start - first - MAX_PRIVATE_KEY_LINES,
      end: end - first + ROWS_BELOW,
    }));
    return joined([shown, ...others], totalLines).flatMap((rows) => secretsIn(redactor, lines, rows));
  });
}

/** A row with a secret, or a part of one. */
export interface SecretRow {
  readonly text: string;
  readonly spans: readonly MatchSpan[];
}

/** Rows with secrets, by lasting numbers. Parts of any length are found, since each row is where its secret is. */
export function secretRows(
  redactor: Redactor,
  lines: ReadableLines,
  numbers: readonly number[],
): Map<number, SecretRow> {
  const { firstShownNumber: first, totalLines } = lines;
  const near = numbers.map((number) => ({
    start: number - first - MAX_PRIVATE_KEY_LINES,
    end: number - first + ROWS_BELOW,
  }));
  const found = new Map<number, SecretRow>();
  for (const { start, end } of joined(near, totalLines)) {
    const indexes = Array.from({ length: end - start }, (_, i) => start + i);
    if (!redactor.mayHold(indexes.map((index) => lines.lineText(index) ?? '').join(''))) continue;
    const rows = indexes.flatMap((index) => lines.row(index) ?? []);
    if (rows.length < indexes.length) continue;
    for (const [i, spans] of spansOfRows(redactor, rows)) {
      const row = rows[i];
      if (row !== undefined) found.set(first + start + i, { text: wholeText(row), spans });
    }
  }
  return found;
}

function numbersIn(value: unknown): Rows[] {
  if (typeof value !== 'object' || value === null) return [];
  const { lines } = value as { lines?: unknown };
  const count = Array.isArray(lines) ? lines.length : 1;
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => {
    const isNumber = NUMBERS.has(name);
    if (isNumber && typeof each === 'number') return [{ start: each, end: each + count }];
    if (!isNumber || !Array.isArray(each)) return numbersIn(each);
    return each.filter((one) => typeof one === 'number').map((one) => ({ start: one, end: one + 1 }));
  });
}

/** Within the screen, in order, none twice. */
function joined(all: readonly Rows[], total: number): Rows[] {
  const sorted = all
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(end, total) }))
    .filter(({ start, end }) => start < end)
    .toSorted((a, b) => a.start - b.start);
  const out: { start: number; end: number }[] = [];
  for (const rows of sorted) {
    const last = out.at(-1);
    if (last !== undefined && rows.start <= last.end) last.end = Math.max(last.end, rows.end);
    else out.push(rows);
  }
  return out;
}

/** Texts cost a tenth of rows, and most have none. */
function secretsIn(redactor: Redactor, lines: ReadableLines, { start, end }: Rows): string[] {
  const indexes = Array.from({ length: end - start }, (_, i) => start + i);
  if (!redactor.mayHold(indexes.map((index) => lines.lineText(index) ?? '').join(''))) return [];
  return secretsOfRows(
    redactor,
    indexes.flatMap((index) => lines.row(index) ?? []),
  );
}
