import { z } from 'zod';
import { defineCommand } from '../command.js';
import { EXPECTED_MOMENT, MOMENT } from '../moment.js';
import { cols, rows, terminalName } from '../vocabulary.js';

const absolutePath = z.string().regex(/^\/[^\0]*$/, 'an absolute path');

export const open = defineCommand({
  name: 'open',
  group: 'look',
  effect: 'act',
  reach: 'create',
  tool: false,
  summary: 'Open a recording as a terminal that is not alive: everything that reads works on it.',
  details:
    'Reads asciicasts (v1, v2, v3, also compressed), ttyrec and typescripts of script(1). The terminal shows the end of the recording, or the moment `at`; reads take an `at` of their own. It has no process (`pid` is null, `recording` is the path), is in `list` only with `recordings`, and is never meant by "@". Input and changes of size get `read_only`. It publishes no events and answers no queries. `kill` closes it.',
  params: () => ({
    path: absolutePath.describe('The file.'),
    name: terminalName.optional().describe('Name of the terminal. Default: t1, t2, …'),
    at: z
      .string()
      .regex(MOMENT, EXPECTED_MOMENT)
      .default('end')
      .describe(
        'Moment that is shown: `12.5s`, `1500ms` or `1:02.5` since the start, `-5s` before the end, `start`, `end`, or `marker:NAME`.',
      ),
    timing: absolutePath.optional().describe('Timing file of a typescript.'),
    cols: cols.optional().describe('Columns, if the file does not say: a ttyrec. Default: 80.'),
    rows: rows.optional().describe('Rows, if the file does not say. Default: 24.'),
  }),
  reply: () => ({
    id: z.string(),
    cols: z.int(),
    rows: z.int(),
    format: z.enum(['asciicast-v1', 'asciicast-v2', 'asciicast-v3', 'ttyrec', 'script', 'ledger']),
    duration_ms: z.number(),
    at_ms: z.number().describe('Time of the recording that is shown.'),
    complete: z.boolean().describe('False if the file was cut off: what was whole was read.'),
    repaired: z.int().describe('Times that went back, and count as the time before.'),
  }),
  errors: [
    'recording_not_found',
    'recording_invalid',
    'name_taken',
    'too_many_terminals',
    'memory_low',
    'shutting_down',
  ],
  cli: {
    positionals: ['path'],
    examples: [
      'open /tmp/demo.cast --name demo',
      'open /tmp/demo.cast --at 12.5s',
      'open /tmp/typescript --timing /tmp/timing',
    ],
  },
});
