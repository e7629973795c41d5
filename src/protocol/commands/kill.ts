import { z } from 'zod';
import { defineCommand } from '../command.js';
import { survivors, terminalId } from '../vocabulary.js';

export const kill = defineCommand({
  name: 'kill',
  summary: 'End a terminal, or send a signal to what runs in it.',
  details:
    'Without `signal`: SIGHUP, then SIGTERM, then SIGKILL after a grace period each, to the process group and whoever is left in the session; then the kernel hangs up and the terminal is removed. Output that the screen is behind with by then is dropped. With `signal`: only that signal, to the process group in the foreground, and the terminal stays.',
  params: () => ({
    id: terminalId,
    signal: z
      .union([z.string().min(1).max(16), z.int().min(1).max(64)])
      .optional()
      .describe('Name ("SIGINT", "int") or number.'),
  }),
  reply: () => ({ survivors }),
  errors: ['terminal_not_found', 'terminal_exited', 'not_permitted'],
  cli: { positionals: ['id?'], examples: ['kill t1', 'kill t1 --signal INT'] },
});
