import { z } from 'zod';
import { defineCommand } from '../command.js';
import { doingShape } from '../doing.js';
import { MAX_TIMEOUT_MS, STATUS_LIMITS } from '../limits.js';
import { hookReportShape, STATUS_KINDS, STATUS_STATES } from '../program-status.js';
import { terminalId } from '../vocabulary.js';

export const report = defineCommand({
  name: 'report',
  group: 'wait',
  effect: 'act',
  reach: 'use',
  idempotent: true,
  startsNoDaemon: true,
  tool: false,
  summary: 'Report what a program does, as a hook of it: for `doing`, after what it says by OSC 7501.',
  details:
    'A claim, with the grammar and the limits of OSC 7501: each report replaces the one of the same `path` whole, and "clear" drops it and those below; without `path` all. With a `pid` it ends with that process. It ends with `restart`, after `ttl_ms`, and all but "done" and "error" with the program of the terminal. It stands in `status` (`report`), and as a signal in `explain`.',
  params: () => ({
    id: terminalId,
    state: z
      .enum([...STATUS_STATES, 'clear'])
      .describe('What the program does now; "clear": nothing is said any more.'),
    kind: z.enum(STATUS_KINDS).optional().describe('With "blocked": what it asks for.'),
    path: z
      .string()
      .max(STATUS_LIMITS.path)
      .optional()
      .describe(
        'Part of the program that does it, such as "build/tests", of up to 8 levels. Absent: the program itself.',
      ),
    app: z.string().max(STATUS_LIMITS.app).optional().describe('Name of the program: letters, digits, "_.+-".'),
    msg: z
      .string()
      .max(STATUS_LIMITS.msg)
      .optional()
      .describe('Words without control characters, of up to 2,048 bytes.'),
    title: z.string().max(STATUS_LIMITS.title).optional().describe('As `msg`, of up to 192 bytes.'),
    progress: z.int().min(0).max(100).optional().describe('Percent, with "working" and "blocked".'),
    pid: z
      .int()
      .min(1)
      .optional()
      .describe('Process that does it, of the session of the terminal: the report ends with it.'),
    ttl_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(MAX_TIMEOUT_MS).describe('The report ends after this time.'),
  }),
  reply: () => ({
    report: z.object(hookReportShape).nullable().describe('As it is kept; null after "clear".'),
    doing: z.object(doingShape).describe('What t4a concludes now, which another source may decide.'),
  }),
  errors: ['terminal_not_found', 'terminal_exited', 'read_only', 'not_allowed', 'unsupported'],
  cli: {
    positionals: ['state?'],
    flags: [
      {
        name: 'hook',
        type: 'string',
        placeholder: 'agent',
        description: 'Make the report of the JSON that a hook of this agent has on standard input: claude.',
      },
      {
        name: 'print-hooks',
        type: 'string',
        placeholder: 'agent',
        description: 'Print the settings by which this agent calls t4a as its hook: claude.',
      },
    ],
    examples: [
      'report working --id build --msg "runs the tests" --progress 40',
      'report blocked --kind question --id build --pid 4711',
      'report clear --id build',
      'report --hook claude < hook.json',
    ],
    notes:
      'The terminal is $T4A_TERMINAL unless --id names one. --hook prints nothing, does nothing outside of a terminal of t4a, and never exits with 2, by which a hook stops its agent. --print-hooks writes no file.',
  },
});
