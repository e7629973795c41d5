import { z } from 'zod';
import { defineCommand } from '../command.js';
import { cols, environment, exitCode, rev, rows, signalName, terminalId, timeoutMs } from '../vocabulary.js';
import { spawnErrors, spawnShape } from './create.js';
import { pictureErrors, pictureReplyShape, pictureShape } from '../picture.js';

export const run = defineCommand({
  name: 'run',
  summary: 'Run a command in a terminal of its own, or at the prompt of a shell; wait for its end, return its output.',
  details:
    'Exactly one of `cmd_args` and `command`. Output is what the screen and its scrollback hold at the end: its head and tail when it is longer than `max_lines`. With `screenshot` the header line is followed by `len` bytes of PNG. With `id` the command is typed at the prompt of the shell in that terminal, which must tell its prompts and commands (shell integration) and be at an empty prompt: what runs in it already, or another `run`, is a `shell_busy` error; a shell that is only just starting is waited for. The terminal stays. At the deadline the command goes on. `outcome` is `done` when the command has ended, `exited` when the shell has with it, and `not_run` when the shell came back without having run anything (a syntax error, an unfinished command, only a comment): `lines` are what it said, and its command line is empty again.',
  params: () => ({
    id: terminalId
      .optional()
      .describe('Terminal whose shell is to run it: "t1", its name, or "@" for the one used last. Default: a new one.'),
    ...spawnShape,
    // Without defaults: what is said of a new terminal cannot be meant for a given one.
    cols: cols.optional().describe('Columns of the grid. Default: 80.'),
    rows: rows.optional().describe('Rows of the grid. Default: 24.'),
    env: environment.optional(),
    inherit_env: spawnShape.inherit_env
      .unwrap()
      .optional()
      .describe(spawnShape.inherit_env.description ?? ''),
    term: spawnShape.term.unwrap().optional().describe('TERM for the program. Default: xterm-256color.'),
    shell_integration: spawnShape.shell_integration
      .unwrap()
      .optional()
      .describe(spawnShape.shell_integration.description ?? ''),
    command: z
      .string()
      .min(1)
      .optional()
      .describe('A line for `sh -c`, or with `id` for the shell of that terminal; it may be of several lines.'),
    timeout_ms: timeoutMs
      .optional()
      .describe(
        'Give up after this long: the outcome is `timeout`. The command is ended, unless the terminal was given.',
      ),
    max_lines: z
      .int()
      .min(1)
      .max(100_000)
      .default(200)
      .describe('Lines of output returned: the first half and the last half.'),
    screenshot: z
      .union([z.boolean(), z.strictObject(pictureShape)])
      .default(false)
      .describe('Attach a picture of the final screen: true, or how it is to look.'),
    keep: z
      .boolean()
      .optional()
      .describe('Keep the terminal, readable, or remove it. Default: one that was given stays, another is removed.'),
  }),
  reply: () => ({
    id: z.string(),
    outcome: z.enum(['exited', 'done', 'not_run', 'timeout']),
    exit_code: exitCode.describe('Exit code of the command; null while it runs, or when a signal ended it.'),
    signal: signalName,
    duration_ms: z.int(),
    lines: z.array(z.string()).describe('Output, blanks at line ends cut.'),
    omitted_lines: z.int().describe('Lines left out between the head and the tail.'),
    lost_lines: z
      .int()
      .nullable()
      .describe(
        'Rows at the beginning that the scrollback holds no more; null: the terminal was resized meanwhile, and nobody knows any more where the output begins.',
      ),
    n: z.int().optional().describe('Number of the shell command, the last one of several: see `commands`.'),
    cwd: z.string().optional().describe('With `id`: the working directory of the shell afterwards, where it tells it.'),
    rev,
    seq: z.int().describe('Of the last event by then: `events` with `since` goes on from here.'),
    ...z.object(pictureReplyShape).omit({ rev: true }).partial().shape,
  }),
  kind: 'bytes',
  errors: [
    ...spawnErrors,
    'terminal_not_found',
    'terminal_exited',
    'no_shell_prompt',
    'shell_busy',
    'input_blocked',
    'input_interrupted',
    ...pictureErrors,
  ],
  cli: {
    positionals: ['cmd_args...?'],
    hidden: ['env', 'inherit_env', 'screenshot'],
    examples: [
      'run -- make test',
      'run --screenshot hello.png -- ls -la --color',
      "run --timeout 60000 --command 'make 2>&1 | tail'",
      'run --id @ -- cd src',
    ],
  },
});
