import { z } from 'zod';
import { labels } from '../labels.js';
import { profileName } from './rules.js';
import { defineCommand } from '../command.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { environment, ifFile, shellWarning, terminalName } from '../vocabulary.js';
import { commandLine, spawnShape } from '../spawn-shape.js';
import { turnErrors } from '../turn-errors.js';

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
      'Start a program (default: a shell) in a new terminal of 80x24; returns its id. For what is interactive or keeps running.',
  },
  summary: 'Create a terminal and start a program in it.',
  params: () => ({
    ...spawnShape,
    command: commandLine.optional().describe('A line for `sh -c`, in place of `cmd_args`; may have several lines.'),
    name: terminalName.optional().describe('Id of the terminal. Default: t1, t2, …'),
    reuse: z.boolean().default(false).describe('Return the live terminal of that name instead of an error.'),
    record: z
      .boolean()
      .optional()
      .describe("Record from the first byte on, see `record`. Default: the configuration's."),
    record_input: z
      .boolean()
      .optional()
      .describe("Record, and with what is typed and certain to be shown. Default: the configuration's."),
    set_env: environment
      .optional()
      .describe(
        'Variables set last, over those that describe the terminal: TERM, TMUX and the like; none that begins with T4A_.',
      ),
    keep_cleared: z
      .boolean()
      .default(false)
      .describe('What a program clears goes into the scrollback, as in tmux, and is not lost.'),
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
    if_file: ifFile,
    title: z.string().max(1024).optional().describe('Title until the program sets one.'),
    ...turnShape,
  }),
  reply: () => ({
    id: z.string(),
    cols: z.int(),
    rows: z.int(),
    pid: z.int(),
    warning: shellWarning,
    ...turnReplyShape,
  }),
  kind: 'bytes',
  errors: [
    ...spawnErrors,
    'name_taken',
    'invalid_field',
    'recording_failed',
    'profile_not_found',
    'file_changed',
    ...turnErrors,
  ],
  cli: {
    positionals: ['cmd_args...?'],
    hidden: ['inherit_env', 'set_env', 'if_file'],
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
