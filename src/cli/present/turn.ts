import type { Reply } from '../../protocol/registry.js';
import { printable } from '../output/printable.js';
import type { Present } from '../presenters.js';

/** The lines that were looked at. A wait that was not met tells how it ended, with the last lines as evidence. */
export const presentTurn: Present = ({ reply }, surroundings) => {
  const { observed, wait } = reply as unknown as Reply<'send'>;
  surroundings.out((observed?.lines ?? []).map((line) => `${line}\n`).join(''));
  if (wait === undefined || wait.outcome === 'matched') return;
  surroundings.note(`t4a: The wait ended as ${wait.outcome} after ${wait.elapsed_ms} ms.\n`);
  if (observed?.lines === undefined) surroundings.note(wait.tail.map((line) => `  ${printable(line)}\n`).join(''));
};

/** What a paste left out, too. */
export const presentPaste: Present = (answer, surroundings) => {
  const { removed } = answer.reply as unknown as Reply<'paste'>;
  if (removed > 0) surroundings.note(`t4a: ${removed} control characters were taken out.\n`);
  return presentTurn(answer, surroundings);
};
