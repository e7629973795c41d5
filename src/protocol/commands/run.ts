import { z } from 'zod';
import { defineCommand } from '../command.js';
import { exitCode, signalName, timeoutMs } from '../vocabulary.js';
import { spawnErrors, spawnShape } from './create.js';
import { pictureErrors, pictureReplyShape, pictureShape } from '../picture.js';

export const run = defineCommand({
  name: 'run',
  summary: 'Run a command in a terminal of its own, wait for its end, return its output.',
  details:
    'Exactly one of `cmd_args` and `command`. Output is what the screen and its scrollback hold at the end: its head and tail when it is longer than `max_lines`. With `screenshot` the header line is followed by `len` bytes of PNG.',
  params: {
    ...spawnShape,
    command: z.string().min(1).optional().describe('A line for `sh -c`.'),
    timeout_ms: timeoutMs
      .optional()
      .describe('Give up after this long; the command is ended and the outcome is `timeout`.'),
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
    keep: z.boolean().default(false).describe('Keep the terminal, readable, instead of removing it.'),
  },
  reply: {
    id: z.string(),
    outcome: z.enum(['exited', 'timeout']),
    exit_code: exitCode,
    signal: signalName,
    duration_ms: z.int(),
    lines: z.array(z.string()).describe('Output, blanks at line ends cut.'),
    omitted_lines: z.int().describe('Lines left out between the head and the tail.'),
    ...z.object(pictureReplyShape).partial().shape,
  },
  kind: 'bytes',
  errors: [...spawnErrors, ...pictureErrors],
  cli: {
    positionals: ['cmd_args...?'],
    hidden: ['env', 'inherit_env', 'screenshot'],
    examples: [
      'run -- make test',
      'run --screenshot hello.png -- ls -la --color',
      "run --timeout 60000 --command 'make 2>&1 | tail'",
    ],
  },
});
