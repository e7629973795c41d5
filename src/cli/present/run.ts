import { noteWarning } from './note-warning.js';
import { noteLost } from './lost-lines.js';
import type { Present } from './presenter.js';

/** The output; a note on standard error stands in the place of lines that are left out or lost, so that no gap is silent. */
export const presentRun: Present<'run'> = (
  { reply: { lines, omitted_lines: omitted, omitted_after: after, lost_lines: lost, warning } },
  host,
) => {
  noteWarning(warning, host);
  const head = omitted === 0 ? lines.length : (after ?? Math.ceil(lines.length / 2));
  const print = (some: readonly string[]): void => host.out(some.map((line) => `${line}\n`).join(''));
  noteLost(lost, host);
  print(lines.slice(0, head));
  if (omitted > 0) host.note(`… ${omitted} lines left out (--max-lines) …\n`);
  print(lines.slice(head));
};
