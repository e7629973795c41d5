import { z } from 'zod';
import { defineCommand } from '../command.js';
import { survivors, terminalId } from '../vocabulary.js';

export const kill = defineCommand({
  name: 'kill',
  group: 'start',
  effect: 'end',
  reach: 'create',
  tool: { fields: ['id', 'signal'] },
  summary: 'End a terminal, or send a signal to the program in it.',
  details:
    'Without `signal`: SIGHUP, then SIGTERM, then SIGKILL after a grace period each, to the process group and to the rest of the session; then the kernel hangs up and the terminal is removed. Output that is not parsed by then is dropped. With `signal`: only that signal, to the foreground process group; the terminal stays.',
  params: () => ({
    id: terminalId,
    signal: z
      .union([z.string().min(1).max(16), z.int().min(1).max(64)])
      .optional()
      .describe('Name ("SIGINT", "int") or number.'),
    keep: z.boolean().default(false).describe('End the program, and keep the terminal for reading.'),
    tree: z.boolean().default(false).describe('Also the terminals that were created from within it, those first.'),
  }),
  reply: () => ({
    survivors,
    ended: z.array(z.string()).optional().describe('With `tree`: ids of the terminals, in the order of their ends.'),
  }),
  errors: ['terminal_not_found', 'terminal_exited', 'not_permitted'],
  cli: {
    positionals: ['id?'],
    examples: ['kill t1', 'kill t1 --signal INT', 'kill agent --tree', 'kill build --keep'],
  },
});
