import { defineCommand } from '../command.js';
import { turnErrors, turnReplyShape, turnShape } from '../observation.js';
import { cols, rev, rows, terminalId } from '../vocabulary.js';

export const resize = defineCommand({
  name: 'resize',
  summary: 'Give the grid a new size; the program gets SIGWINCH.',
  params: () => ({ id: terminalId, cols, rows, ...turnShape }),
  reply: () => ({ cols, rows, rev, ...turnReplyShape }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...turnErrors],
  cli: { positionals: ['id', 'cols', 'rows'], hidden: ['wait', 'observe'], examples: ['resize t1 120 40'] },
});
