/**
 * Rows of the alternate screen across a change of size. A narrower size cuts them, as the library has it; a wider one brings back what
 * was cut off a row that is as it was (tmux does so, too). A row that was drawn anew, or erased, has only what was drawn.
 */
import type { RawCell, RawExtended, RawLine } from './internals.js';
import { RAW_CODE_POINT, RAW_COMBINED, RAW_WORDS } from './row-builder.js';

const TEXT = RAW_CODE_POINT | RAW_COMBINED;

type ByColumn<T> = Readonly<Record<number, T>>;

/** A row as it was before it was cut. */
export interface CutRow {
  readonly words: Uint32Array;
  readonly combined: ByColumn<string>;
  readonly extended: ByColumn<RawExtended | undefined>;
  /** Words that were left of it. */
  readonly shown: Uint32Array;
}

const cutRows = new WeakMap<RawLine, CutRow>();

/** Undefined for a row that has all of its cells, or others than it had. */
export function cutRowOf(line: RawLine): CutRow | undefined {
  const kept = cutRows.get(line);
  return kept !== undefined && isAsLeft(line, kept) ? kept : undefined;
}

export function setCutRow(line: RawLine, cut: CutRow): void {
  cutRows.set(line, cut);
}

/** To be called after the library's own change of size. @param blank what fills a row that gets wider */
export function fitRow(line: RawLine, cols: number, blank: RawCell): void {
  const whole = cutRowOf(line);
  if (whole === undefined) cutRows.delete(line);
  if (line.length > cols && showsMore(line, cols)) {
    const { words, combined, extended } = whole ?? wholeRow(line);
    line.resize(cols, undefined);
    cutRows.set(line, { words, combined, extended, shown: wordsOf(line) });
    return;
  }
  if (line.length > cols) line.resize(cols, undefined);
  if (whole === undefined || cols * RAW_WORDS <= whole.shown.length) return;
  restore(line, whole, blank);
  if (line.length <= cols) cutRows.delete(line);
  if (line.length < cols) line.resize(cols, blank);
  if (line.length === cols) return;
  line.resize(cols, undefined);
  cutRows.set(line, { ...whole, shown: wordsOf(line) });
}

function restore(line: RawLine, { words, combined, extended }: CutRow, blank: RawCell): void {
  const cols = words.length / RAW_WORDS;
  if (line.length !== cols) line.resize(cols, blank);
  line._data.set(words);
  Object.assign(line._combined, combined);
  Object.assign(line._extendedAttrs, extended);
}

function wholeRow(line: RawLine): Omit<CutRow, 'shown'> {
  return { words: wordsOf(line), combined: { ...line._combined }, extended: { ...line._extendedAttrs } };
}

/** Text or colours behind the column. */
function showsMore(line: RawLine, col: number): boolean {
  const { _data: words, length } = line;
  for (let at = col * RAW_WORDS; at < length * RAW_WORDS; at += RAW_WORDS) {
    if (((words[at] ?? 0) & TEXT) !== 0 || words[at + 1] !== 0 || words[at + 2] !== 0) return true;
  }
  return false;
}

const wordsOf = (line: RawLine): Uint32Array => line._data.slice(0, line.length * RAW_WORDS);

/** An empty row may be one that was erased: nothing comes back to it. */
function isAsLeft({ _data: words, _combined: clusters }: RawLine, { shown, combined }: CutRow): boolean {
  let hasText = false;
  for (let at = 0; at < shown.length; at++) if (words[at] !== shown[at]) return false;
  for (let at = 0; at < shown.length; at += RAW_WORDS) {
    const [content = 0, col] = [shown[at], at / RAW_WORDS];
    hasText ||= (content & TEXT) !== 0;
    if ((content & RAW_COMBINED) !== 0 && clusters[col] !== combined[col]) return false;
  }
  return hasText;
}
