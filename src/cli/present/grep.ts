/** Matches as ripgrep prints and colours them: `12:match`, `13-context`, and `--` where lines are left out between. */
import type { Reply } from '../../protocol/registry.js';
import { paintOf, type Paint } from '../output/color.js';
import type { Present } from './presenter.js';

type GrepMatch = Reply<'grep'>['matches'][number];

export const presentGrep: Present<'grep'> = ({ reply: { matches, total }, params, invocation }, host) => {
  const hasContext = ['before', 'after', 'context'].some((field) => Number(params[field] ?? 0) > 0);
  const paint = paintOf(invocation.options['color'], host);
  const number = (line: number): string => paint('green', String(line));
  const left = total - matches.length;
  const { last } = invocation.params;
  if (left > 0 && last === true) host.note(`… ${left} matching lines before these (--max) …\n`);
  let printedTo: number | undefined;
  for (const match of matches) {
    const first = match.before[0]?.line ?? match.line;
    if (hasContext && printedTo !== undefined && first !== printedTo) host.out('--\n');
    const lines = [
      ...match.before.map(({ line, text }) => `${number(line)}-${text}\n`),
      `${number(match.line)}:${highlighted(match, paint)}\n`,
      ...match.after.map(({ line, text }) => `${number(line)}-${text}\n`),
    ];
    host.out(lines.join(''));
    printedTo = (match.after.at(-1)?.line ?? match.line) + 1;
  }
  if (left > 0 && last !== true) host.note(`… ${left} more matching lines (--max) …\n`);
};

export const presentFind: Present<'find'> = ({ reply: { matches, total }, invocation }, host) => {
  const paint = paintOf(invocation.options['color'], host);
  const number = (value: number): string => paint('green', String(value));
  host.out(matches.map(({ row, col, text }) => `${number(row)}:${number(col)}:${paint('bold red', text)}\n`).join(''));
  if (total > matches.length) host.note(`… ${total - matches.length} more matches (--max) …\n`);
};

function highlighted({ text, spans }: GrepMatch, paint: Paint): string {
  let line = '';
  let at = 0;
  for (const { start, end } of spans) {
    line += text.slice(at, start) + paint('bold red', text.slice(start, end));
    at = end;
  }
  return line + text.slice(at);
}
