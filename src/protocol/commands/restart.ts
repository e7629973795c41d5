import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_GRACE_MS } from '../limits.js';
import { ifFile, shellWarning, terminalId } from '../vocabulary.js';

export const restart = defineCommand({
  name: 'restart',
  group: 'start',
  effect: 'end',
  reach: 'create',
  person: ['force'],
  tool: false,
  summary: 'Start the program of a terminal again, in the same terminal.',
  details:
    'The program is ended as by `kill` if it still runs (with `signal`, that signal comes first); then the same program starts with the same arguments, directory and environment, at the size of now. The terminal keeps its id, labels, parent, triggers and control; revisions, line numbers and counts of input and output go on. Its screen and scrollback are emptied. If the program cannot start any more, for example since it is not installed any more, nothing is ended.',
  params: () => ({
    id: terminalId,
    signal: z
      .union([z.string().min(1).max(16), z.int().min(1).max(64)])
      .optional()
      .describe('Sent to the foreground process group first: name ("SIGINT", "int") or number.'),
    grace_ms: z
      .int()
      .min(0)
      .max(MAX_GRACE_MS)
      .optional()
      .describe("Time to end by itself after each signal. Default: the configuration's."),
    if_file: ifFile,
    force: z.boolean().default(false).describe('Also while another name has control. A person alone may.'),
  }),
  reply: () => ({
    pid: z.int(),
    generation: z.int().describe('Starts so far, this one included.'),
    warning: shellWarning,
  }),
  errors: [
    'terminal_not_found',
    'invalid_field',
    'not_permitted',
    'control_held',
    'read_only',
    'cwd_not_found',
    'program_not_found',
    'program_not_executable',
    'spawn_failed',
    'memory_low',
    'file_changed',
  ],
  cli: {
    positionals: ['id'],
    hidden: ['if_file'],
    examples: ['restart web', 'restart web --signal INT', 'restart @'],
  },
});
