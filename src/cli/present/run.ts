import type { Reply } from '../../protocol/registry.js';
import type { Present } from '../presenters.js';

/**
 * The output, with what was left out of it told on standard error in its place: neither is a line of output that the
 * command never wrote, nor is a gap silent.
 */
export const presentRun: Present = (answer, surroundings) => {
  const { lines, omitted_lines: omitted } = answer.reply as unknown as Reply<'run'>;
  const head = omitted === 0 ? lines.length : Math.ceil(lines.length / 2);
  const print = (some: readonly string[]): void => surroundings.out(some.map((line) => `${line}\n`).join(''));
  print(lines.slice(0, head));
  if (omitted > 0) surroundings.note(`… ${omitted} lines left out (--max-lines) …\n`);
  print(lines.slice(head));
};
