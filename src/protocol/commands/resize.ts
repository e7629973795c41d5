import { defineCommand } from '../command.js';
import { conditionalShape } from '../input.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { cols, rev, rows, terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const resize = defineCommand({
  name: 'resize',
  group: 'act',
  effect: 'act',
  reach: 'use',
  idempotent: true,
  summary: 'Change the size of the grid; the program gets SIGWINCH.',
  params: () => ({ id: terminalId, cols, rows, ...conditionalShape, ...turnShape }),
  reply: () => ({ cols, rows, rev, ...turnReplyShape }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'control_held', 'not_holder', 'others_typed', ...turnErrors],
  cli: {
    positionals: ['id', 'cols', 'rows'],
    examples: ['resize t1 120 40'],
    notes: 'Two arguments are the size, and the terminal is the default one.',
  },
});
