/** Lines of a range by number that a terminal does not hold, in words, for a person and for a model. */
import type { Reply } from './registry.js';

type Range = Pick<Reply<'text'>, 'lines' | 'first_line' | 'end' | 'total_lines'> & Partial<Reply<'text'>>;

/** @param from `from_line` of the request; without it nothing is said */
export function absentWords(reply: Range, from: unknown): string[] {
  if (typeof from !== 'number') return [];
  const { start, end, first_line: first, total_lines: total, lost_lines: lost = 0 } = reply;
  // Places count from the bottom.
  const afterLast = first + end;
  const oldest = afterLast - total;
  if (lost > 0) return [`… ${lost} lines from line ${from} on are gone: the oldest line that is kept is ${oldest} …`];
  return start === end && from >= afterLast
    ? [`There is no line ${from}: the terminal has the lines ${oldest} to ${afterLast - 1}.`]
    : [];
}
