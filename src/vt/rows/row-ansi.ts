/**
 * A row as text with escape sequences. Each line is self-contained: it begins and ends in the default style and outside
 * of any link, so that it may be printed alone.
 *
 * Printed on an empty screen of the same width, with CR LF between rows that do not continue each other, the lines
 * produce the same grid; an empty cell comes back as a space of the same style. Not kept: a mark without its base
 * character, which joins the cell on its left.
 */
import { joinWord } from '../xterm/graphemes.js';
import { rowRuns, type Run } from './row-runs.js';
import { rowCols, withoutGap } from './row-text.js';
import { styleParameters } from './sgr.js';
import type { LineSize, SnapshotRow } from '../snapshot.js';

/** @param next the row below, if it continues this one: then every cell must be printed for the line to wrap there */
export function rowAnsi(whole: SnapshotRow, next?: SnapshotRow): string {
  const row = withoutGap(whole, next);
  const runs = rowRuns(row);
  let text = LINE_SIZE_SEQUENCES[row.lineSize];
  let style = PLAIN_STYLE;
  let link: string | undefined;
  let before = '';
  for (const run of runs) {
    if (run.link !== link) text += linkSequence((link = run.link));
    const wanted = styleParameters(run.style);
    if (wanted !== style) text += `\x1b[${wanted === PLAIN_STYLE ? '' : wanted}m`;
    style = wanted;
    text += keptApart(before, run, style);
    before = run.graphemes.at(-1) ?? '';
  }
  if (link !== undefined) text += linkSequence(undefined);
  if (style !== PLAIN_STYLE) text += '\x1b[m';
  return next !== undefined ? text + ' '.repeat(rowCols(row) - endOf(runs)) : text;
}

const PLAIN_STYLE = '0';

export const LINE_SIZE_SEQUENCES: Readonly<Record<LineSize, string>> = {
  single: '',
  'double-width': '\x1b#6',
  'double-top': '\x1b#3',
  'double-bottom': '\x1b#4',
};

function linkSequence(target = ''): string {
  return `\x1b]8;;${target}\x1b\\`;
}

/**
 * Repeats the style between characters of neighbouring cells that would become one character when printed in sequence.
 */
function keptApart(left: string, { graphemes }: Run, style: string): string {
  let text = '';
  let before = left;
  for (const grapheme of graphemes) {
    if (wouldJoin(before, grapheme)) text += `\x1b[${style}m`;
    text += grapheme;
    before = grapheme;
  }
  return text;
}

/** Nothing below U+0300 joins the character before it. */
export function wouldJoin(before: string, after: string): boolean {
  const first = after.codePointAt(0) ?? 0;
  if (first < 0x300 || before === '') return false;
  let word = 0;
  for (const character of before) word = joinWord(character.codePointAt(0) ?? 0, word, () => false);
  return (joinWord(first, word, () => false) & 1) !== 0;
}

function endOf(runs: readonly Run[]): number {
  const last = runs.at(-1);
  return last === undefined ? 0 : last.col + last.cols;
}
