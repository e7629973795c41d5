/** Matches as ripgrep prints them: `12:match`, `13-context`, and `--` where lines are left out between. */
import type { Reply } from '../../protocol/registry.js';
import type { Present } from '../shapes.js';

type Match = Reply<'grep'>['matches'][number];

export const presentGrep: Present = ({ reply, params, invocation }, surroundings) => {
  const { matches, total } = reply as unknown as Reply<'grep'>;
  const hasContext = ['before', 'after', 'context'].some((field) => Number(params[field] ?? 0) > 0);
  const inColor = surroundings.stdoutIsTerminal && !surroundings.env['NO_COLOR'];
  const left = total - matches.length;
  const { last } = invocation.params;
  if (left > 0 && last === true) surroundings.note(`… ${left} matching lines before these (--max) …\n`);
  let printedTo: number | undefined;
  for (const match of matches) {
    const first = match.before[0]?.line ?? match.line;
    if (hasContext && printedTo !== undefined && first !== printedTo) surroundings.out('--\n');
    const lines = [
      ...match.before.map(({ line, text }) => `${number(line, inColor)}-${text}\n`),
      `${number(match.line, inColor)}:${inColor ? highlighted(match) : match.text}\n`,
      ...match.after.map(({ line, text }) => `${number(line, inColor)}-${text}\n`),
    ];
    surroundings.out(lines.join(''));
    printedTo = (match.after.at(-1)?.line ?? match.line) + 1;
  }
  if (left > 0 && last !== true) surroundings.note(`… ${left} more matching lines (--max) …\n`);
};

export const presentFind: Present = ({ reply }, surroundings) => {
  const { matches, total } = reply as unknown as Reply<'find'>;
  surroundings.out(matches.map(({ row, col, text }) => `${row}:${col}:${text}\n`).join(''));
  if (total > matches.length) surroundings.note(`… ${total - matches.length} more matches (--max) …\n`);
};

function number(line: number, inColor: boolean): string {
  return inColor ? `\x1b[32m${line}\x1b[m` : `${line}`;
}

function highlighted({ text, spans }: Match): string {
  let line = '';
  let at = 0;
  for (const { start, end } of spans) {
    line += `${text.slice(at, start)}\x1b[1;31m${text.slice(start, end)}\x1b[m`;
    at = end;
  }
  return line + text.slice(at);
}
