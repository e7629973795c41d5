import type { Reply } from '../../protocol/registry.js';
import { printable } from '../output/printable.js';
import type { Present } from '../presenters.js';
import { formatFields } from '../output/table.js';
import { replyLine } from './fields.js';

/** For people the fields, then the last lines as they stand on the screen. */
export const presentWait: Present = (answer, surroundings) => {
  if (!surroundings.stdoutIsTerminal) return surroundings.out(replyLine(answer));
  const { tail, ...fields } = answer.reply as unknown as Reply<'wait'>;
  surroundings.out(formatFields(fields));
  surroundings.out(tail.map((line) => `  | ${printable(line)}\n`).join(''));
};
