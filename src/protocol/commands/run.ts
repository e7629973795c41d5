import { z } from 'zod';
import { defineCommand } from '../command.js';
import {
  awaitingInputShape,
  cols,
  environment,
  exitCode,
  modesLeft,
  shellLevel,
  rev,
  rows,
  signalName,
  streamKey,
  terminalId,
  timeoutMs,
} from '../vocabulary.js';
import { unshownPicture } from '../observation.js';
import { MAX_RUN_LINES, MAX_TIMEOUT_MS } from '../limits.js';
import { conditionalShape } from '../input.js';
import { spawnErrors } from './create.js';
import { commandLine, spawnShape } from '../spawn-shape.js';
import { pictureReplyShape, pictureShape } from '../picture.js';
import { pictureErrors } from '../turn-errors.js';

const leftProcess = z.object({ pid: z.int(), process: z.string() });

export const run = defineCommand({
  name: 'run',
  group: 'start',
  effect: 'end',
  reach: 'create',
  startsProgram: true,
  settings: { cols: 'cols', rows: 'rows' },
  exitStatus: 'program',
  tool: {
    fields: ['command', 'id', 'cwd', 'timeout_ms', 'max_lines'],
    required: ['command'],
    brief: 'Run a shell command that ends by itself; returns exit code and output. For others use `create`.',
  },
  summary: 'Run a command to its end, in a new terminal or at the prompt of a shell; return its output.',
  details:
    "Exactly one of `cmd_args` and `command`. The output is the text in the screen and its scrollback at the end: head and tail if it is longer than `max_lines`. A program that has read its terminal for a second, or has probably waited for a key for four (`certain` is then false), ends it with the outcome `awaiting_input`; the terminal stays. With `screenshot` the header line is followed by `len` bytes of PNG. With `id` the command is typed at the prompt of the shell in that terminal. The shell must report its prompts and commands and be at its prompt, else the error is `shell_busy`; a shell that is still starting is waited for. Text of a client there is `shell_busy`; the shell's own (`print -z`) is taken away first, with a `warning`. `outcome` is `done` if the command has ended, `exited` if the shell has ended with it, and `not_run` if nothing ran (a syntax error, only a comment): `lines` is then the shell's own output.",
  params: () => ({
    id: terminalId
      .optional()
      .describe(
        'Terminal whose shell runs the command: its id or name, or "@" for the one used last. Default: a new terminal.',
      ),
    ...spawnShape,
    // Without defaults: the size of a new terminal must not apply to a given one.
    cols: cols.optional().describe('Columns of the grid. Default: 80.'),
    rows: rows.optional().describe('Rows of the grid. Default: 24.'),
    env: environment.optional(),
    inherit_env: spawnShape.inherit_env
      .unwrap()
      .optional()
      .describe(spawnShape.inherit_env.description ?? ''),
    keep_agent_env: spawnShape.keep_agent_env
      .unwrap()
      .optional()
      .describe(spawnShape.keep_agent_env.description ?? ''),
    term: spawnShape.term.unwrap().optional().describe('TERM for the program. Default: xterm-256color.'),
    shell_integration: spawnShape.shell_integration
      .unwrap()
      .optional()
      .describe(spawnShape.shell_integration.description ?? ''),
    command: commandLine
      .optional()
      .describe('A line for `sh -c`, or with `id` for the shell of that terminal; may have several lines.'),
    timeout_ms: timeoutMs
      .optional()
      .describe('Deadline: the outcome is then `timeout`. What happens to the command then says `on_timeout`.'),
    on_timeout: z
      .enum(['end', 'keep'])
      .optional()
      .describe(
        'At the deadline: end the command, or let it go on in its terminal, which stays. Default: `end`, and with `id` always `keep`.',
      ),
    stdin: z
      .string()
      .min(1)
      .optional()
      .describe(
        'A file or FIFO that is the standard input of the command. Default: the terminal. Not with `id`. Output and errors stay on the terminal.',
      ),
    stream: streamKey
      .optional()
      .describe(
        'A key of your choice, by which `output` reads the output while the command runs. Not with `id`. Nothing is lost: some 512 KiB that are not read stop the program until they are, and the reply comes once all has been read.',
      ),
    max_lines: z
      .int()
      .min(1)
      .max(MAX_RUN_LINES)
      .default(200)
      .describe('Lines of output returned: the first half and the last half.'),
    max_length: z
      .int()
      .min(1000)
      .optional()
      .describe('Characters of output returned, likewise: a line that has no room is cut between two rows.'),
    screenshot: z
      .union([z.boolean(), z.strictObject(pictureShape)])
      .default(false)
      .describe('Attach a picture of the final screen: true, or an object with the options of the picture.'),
    ...conditionalShape,
    resume: z
      .strictObject({
        id: z.string().describe('Its terminal.'),
        elapsed_ms: z.int().min(0).max(MAX_TIMEOUT_MS).describe('Since its start.'),
      })
      .optional()
      .describe('From the error `replaced`: goes on with the run of this terminal, and starts nothing.'),
    keep: z
      .boolean()
      .optional()
      .describe(
        'Keep the terminal for reading, or remove it. Default: a given terminal stays, a new one is removed unless its command goes on.',
      ),
    keep_omitted: z
      .boolean()
      .default(false)
      .describe('Also keep a new terminal if lines of its output were left out: `text` reads them.'),
  }),
  reply: () => ({
    id: z.string(),
    outcome: z.enum(['exited', 'done', 'not_run', 'awaiting_input', 'timeout']),
    exit_code: exitCode.describe('Exit code of the command; null while it runs, or if a signal ended it.'),
    signal: signalName,
    awaiting_input: z
      .object(awaitingInputShape)
      .optional()
      .describe('With the outcome `awaiting_input`: who reads the terminal, and what it expects.'),
    duration_ms: z.int(),
    output_bytes: z.int().describe('Bytes that the terminal has printed so far: where `output` reads on.'),
    lines: z.array(z.string()).describe('Output, without blanks at line ends.'),
    omitted_lines: z.int().describe('Lines left out, or cut, between the head and the tail.'),
    omitted_after: z.int().optional().describe('How many of `lines` stand before them.'),
    omitted: z
      .object({
        from_line: z.int().describe('Lasting number of the first row.'),
        rows: z.int().describe('Rows of the terminal that the lines have.'),
      })
      .optional()
      .describe(
        'Where the lines that were left out stand, if the terminal is kept: for `from_line` and `max_lines` of `text`.',
      ),
    lost_lines: z
      .int()
      .nullable()
      .describe(
        'Lines of the output that the terminal does not have any more: dropped by the scrollback, erased with the whole screen, or moved out of a region or of the screen; null if unknown, as after a change of size.',
      ),
    kept: z.boolean().describe('Whether the terminal is still there.'),
    ended_processes: z
      .array(leftProcess)
      .optional()
      .describe('What the command has left in the background of its terminal, and was ended with it.'),
    living_processes: z
      .array(leftProcess)
      .optional()
      .describe('What the command has left there and lives on, since it ignores the hang-up (nohup).'),
    n: z.int().optional().describe('Number of the shell command in `commands`; the last one of several.'),
    modes_left: modesLeft.optional(),
    shell_level: shellLevel,
    cwd: z
      .string()
      .optional()
      .describe('With `id`: the working directory of the shell afterwards, if the shell reports it.'),
    rev,
    warning: unshownPicture.describe(
      'The program has printed a picture of which nothing is shown, or text stood at the prompt, which was dropped, or ran with the command.',
    ),
    observed: z
      .object({ error: z.string(), code: z.string(), hint: z.string().optional() })
      .optional()
      .describe('The command was run, and the picture after it failed: why.'),
    seq: z.int().describe('Number of the last event; `events` with `since` continues from here.'),
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
    'control_held',
    'not_holder',
    'others_typed',
    'run_not_found',
    ...pictureErrors,
  ],
  cli: {
    positionals: ['cmd_args...?'],
    hidden: ['inherit_env', 'stdin', 'stream', 'keep_omitted', 'max_length', 'resume'],
    flags: [
      {
        name: 'stdin',
        type: 'boolean',
        description: 'Pass on standard input as that of the command. Without it the command reads its terminal.',
      },
      {
        name: 'status',
        type: 'boolean',
        default: true,
        description: 'Exit with the status of the command.',
        off: 'Exit with 0 however the command ended.',
      },
    ],
    examples: [
      'run -- make test',
      'run --screenshot hello.png -- ls -la --color',
      "run --timeout 60000 --command 'make 2>&1 | tail'",
      'run --stdin -- psql app < dump.sql',
      'run --id @ -- cd src',
    ],
    notes:
      "Prints the output while the command runs: on a terminal with its colours, into a file or a pipe all of it as plain lines, without control sequences, each as it stands last: what is still on the screen comes a quarter of a second late, and if the program draws upwards, at the end; what is drawn on the alternate screen is left out. With --id, --json or --max-lines the defaults are those of the request. Exits with the command's own status, with 128 and the signal's number if a signal ended it, with 2 if the shell of --id ran nothing or cannot be given the line, with 6 if the shell reports no status, with 123 if the command has waited for input for a second (its terminal stays, and a note says how to go on; with --no-keep it ends), with 124 at the deadline, with 126 if the program may not be executed, with 127 if there is no such program, and with 125 at an error of t4a. A note on standard error stands in the place of lines that are left out.",
  },
});
