import { defineCommand } from '../command.js';
import { cols, rev, rows, terminalId } from '../vocabulary.js';

export const resize = defineCommand({
  name: 'resize',
  summary: 'Give the grid a new size; the program gets SIGWINCH.',
  params: { id: terminalId, cols, rows },
  reply: { cols, rows, rev },
  errors: ['terminal_not_found'],
  cli: { positionals: ['id', 'cols', 'rows'], examples: ['resize t1 120 40'] },
});
