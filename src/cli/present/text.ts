import type { Reply } from '../../protocol/registry.js';
import { absentWords } from '../../protocol/absent-words.js';
import { type ChangedLook, changedRows, scrolledWords, unchangedWords } from '../../protocol/changed-words.js';
import { printable } from '../output/printable.js';
import { noteWarning } from './note-warning.js';
import { noteLost } from './lost-lines.js';
import type { Answer, Present } from './presenter.js';
import type { Host } from '../host.js';

export const presentText: Present<'text'> = (answer, host) => {
  const { reply } = answer;
  noteWarning(reply.warning, host);
  // With `at` it counts what is above the viewport.
  if (reply.region === 'command') noteLost(reply.lost_lines, host);
  for (const words of absentWords(reply, answer.params['from_line'])) host.note(`${words}\n`);
  if (reply.changed !== undefined) printChanged({ ...reply, changed: reply.changed }, host);
  else if (reply.html !== undefined) host.out(reply.html);
  else printLines(reply, textLines(reply, answer.params['since'] !== undefined).slice(0, shownLines(answer)), host);
  for (const { number, col, text } of reply.highlights ?? []) {
    host.note(`highlight ${number}:${col} ${printable(text)}\n`);
  }
  for (const { number, col, text, url } of reply.links ?? []) {
    host.note(`link ${number}:${col} ${printable(text)} ${printable(url)}\n`);
  }
};

/** Rows on standard output; what is said of the others on standard error. */
export function printChanged(look: ChangedLook, host: Host): void {
  host.note(
    scrolledWords(look)
      .map((words) => `${words}\n`)
      .join(''),
  );
  host.out(
    changedRows(look)
      .map((line) => `${line}\n`)
      .join(''),
  );
  host.note(
    unchangedWords(look)
      .map((words) => `${words}\n`)
      .join(''),
  );
}

/** Number of lines without the blank rows below the text, unless rows are named or nothing is trimmed. */
function shownLines({ params, reply: { lines } }: Answer<'text'>): number | undefined {
  const isPlain = (params['format'] ?? 'plain') === 'plain' && params['trim'] === true;
  const isWhole = params['start'] === undefined && params['end'] === undefined && params['since'] === undefined;
  return isPlain && isWhole ? lines.findLastIndex((line) => line !== '') + 1 : undefined;
}

/** Lines have their numbers before them, as in grep, if they are only some of all. */
function textLines({ lines, cells, rows, numbers }: Reply<'text'>, numbered: boolean): string[] {
  const texts = (cells ?? rows)?.map((row) => JSON.stringify(row)) ?? lines;
  return texts.map((line, i) => (numbered ? `${numbers?.[i] ?? ''}:${line}\n` : `${line}\n`));
}

/** A note on standard error stands in the place of lines that are left out. */
function printLines({ omitted }: Reply<'text'>, lines: readonly string[], host: Host): void {
  const head = omitted?.after ?? lines.length;
  host.out(lines.slice(0, head).join(''));
  if (omitted !== undefined) {
    host.note(`… ${omitted.lines} lines (${omitted.bytes} bytes) left out (--max-bytes) …\n`);
  }
  host.out(lines.slice(head).join(''));
}
