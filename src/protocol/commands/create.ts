import { z } from 'zod';
import { labels } from '../labels.js';
import { profileName } from './rules.js';
import { defineCommand } from '../command.js';
import { MAX_SCROLLBACK_LINES } from '../limits.js';
import { turnErrors, turnReplyShape, turnShape } from '../observation.js';
import { cols, environment, rows, terminalName, timeoutMs } from '../vocabulary.js';

/** The fields of a new terminal; `run` has the same. */
export const spawnShape = {
  cols: cols.default(80),
  rows: rows.default(24),
  cmd_args: z
    .array(z.string().regex(/^[^\0]*$/, 'no NUL'))
    .min(1)
    .optional()
    .describe('Program and arguments. Default: $SHELL, else bash, else sh.'),
  cwd: z.string().min(1).optional().describe("Working directory. Default: the daemon's."),
  env: environment.default({}),
  inherit_env: z
    .boolean()
    .default(true)
    .describe("Start from the daemon's environment. If false, `env` is the whole environment."),
  scrollback: z
    .int()
    .min(0)
    .max(MAX_SCROLLBACK_LINES)
    .optional()
    .describe('Lines kept above the viewport. Default: 10000.'),
  term: z
    .string()
    .regex(/^[A-Za-z0-9_.+-]+$/, 'a terminfo name')
    .default('xterm-256color')
    .describe('TERM for the program.'),
  shell_integration: z
    .boolean()
    .default(true)
    .describe('Make an interactive bash, zsh, fish or sh report its prompts and commands.'),
  idle_timeout_ms: timeoutMs.optional().describe("Silence before `idle` is published. Default: the configuration's."),
};

/** The defaults of a new terminal. */
export function spawnDefaults(): z.output<z.ZodObject<typeof spawnShape>> {
  return z.object(spawnShape).parse({});
}

/** Reasons why a program cannot be started. */
export const spawnErrors = [
  'cwd_not_found',
  'program_not_found',
  'program_not_executable',
  'spawn_failed',
  'too_many_terminals',
  'over_limit',
  'memory_low',
  'shutting_down',
] as const;

export const create = defineCommand({
  name: 'create',
  group: 'start',
  effect: 'end',
  reach: 'create',
  startsProgram: true,
  settings: { cols: 'cols', rows: 'rows', cmd_args: 'shell' },
  tool: {
    fields: ['command', 'cmd_args', 'name', 'cwd', 'cols', 'rows', 'rules', 'wait', 'observe'],
    brief:
      'Start a program (default: a shell) in a new terminal; returns its id. For what is interactive or keeps running.',
  },
  summary: 'Create a terminal and start a program in it.',
  params: () => ({
    ...spawnShape,
    command: z
      .string()
      .min(1)
      .optional()
      .describe('A line for `sh -c`, in place of `cmd_args`; may have several lines.'),
    name: terminalName.optional().describe('Id of the terminal. Default: t1, t2, …'),
    reuse: z.boolean().default(false).describe('Return the live terminal of that name instead of an error.'),
    record: z
      .boolean()
      .optional()
      .describe("Record from the first byte on, see `record`. Default: the configuration's."),
    record_input: z
      .boolean()
      .optional()
      .describe("Record, and with the input that `input` of `record` takes. Default: the configuration's."),
    labels: labels.optional().describe('Labels by which requests find the terminal.'),
    parent: terminalName
      .optional()
      .describe(
        'Terminal that it is created from within, for `tree` of `kill`. Default: `T4A_TERMINAL` of `env`, if its `T4A_SOCKET` is that of the daemon.',
      ),
    tied: z
      .union([
        z.boolean(),
        z.strictObject({
          pid: z.int().min(1).describe('Process, where the daemon runs.'),
          started: z.string().max(32).optional().describe('Field 22 of its /proc/PID/stat.'),
        }),
      ])
      .optional()
      .describe('End the terminal when this connection has gone, or that process.'),
    rules: profileName.optional().describe('Rules for `entries`: "generic", a profile of the rules file, or "none".'),
    activity: z
      .enum(['memory', 'disk'])
      .optional()
      .describe("Keep `entries` in memory alone, or in a file as well. Default: the configuration's."),
    title: z.string().max(1024).optional().describe('Title until the program sets one.'),
    ...turnShape,
  }),
  reply: () => ({ id: z.string(), cols: z.int(), rows: z.int(), pid: z.int(), ...turnReplyShape }),
  kind: 'bytes',
  errors: [...spawnErrors, 'name_taken', 'invalid_field', 'recording_failed', 'profile_not_found', ...turnErrors],
  cli: {
    positionals: ['cmd_args...?'],
    hidden: ['inherit_env'],
    fields: {
      labels: { type: 'string', placeholder: 'NAME=VALUE', repeatable: true },
      tied: {
        type: 'boolean',
        description: 'End the terminal when the process that calls t4a has ended, as the script or the shell.',
      },
    },
    examples: ['create', 'create --name build --cols 120 --rows 40 -- bash -l', 'create -- vim README.md'],
    notes:
      "Prints the terminal's id, and with --text the viewport after it. The program gets the caller's environment, without the variables that describe the caller's own terminal (TERM, COLUMNS, LINES and the like) and those that npx adds.",
  },
});
