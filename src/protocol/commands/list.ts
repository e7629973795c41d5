import { z } from 'zod';
import { authorName, defineCommand } from '../command.js';
import { labels, where } from '../labels.js';
import {
  awaitingInputShape,
  cursorPosition,
  exitCode,
  owner,
  progressShape,
  rev,
  signalName,
  terminalId,
  shellLevel,
  shellWarning,
} from '../vocabulary.js';
import { doingShape } from '../doing.js';
import { hookReportShape, reportedShape } from '../program-status.js';
import { commandRecordShape } from './commands.js';
import { claimantShape } from './control.js';

const terminalState = () => ({
  id: z.string(),
  cols: z.int(),
  rows: z.int(),
  pid: z.int().nullable().describe('Null for an opened recording.'),
  recording: z.string().nullable().describe('Path of the recording that `open` has opened; null for a program.'),
  alive: z.boolean(),
  title: z.string().describe('As set by the program, else at creation; until then the name of the program.'),
  cmd: z.array(z.string()).describe('Program and arguments as started.'),
  cwd: z.string().describe('Working directory at the start.'),
  labels,
  parent: z.string().nullable().describe('Terminal that it was created from within; null if unknown.'),
  owner: owner.optional(),
  doing: z
    .object(doingShape)
    .optional()
    .describe('What its program is doing, by what, and whether a person should look at it (see `explain`).'),
  asks: z.int().optional().describe('Open questions about the terminal (`ask`); absent if there are none.'),
  created_at: z.number().describe('Milliseconds since the Unix epoch.'),
  exit_code: exitCode,
  signal: signalName,
  exited_at: z
    .number()
    .nullable()
    .describe('End of the process, in milliseconds since the Unix epoch; null while it runs.'),
  output_bytes: z.int().describe('Bytes of output since the start.'),
  idle_ms: z.int().describe('Milliseconds since the last output.'),
  rev,
  foreground: z.string().nullable().describe('Name of the foreground process; null if unknown.'),
  alt_screen: z.boolean(),
  modes: z
    .record(z.string(), z.union([z.boolean(), z.string(), z.number()]))
    .describe('Modes that the program has set, as far as input or reading depends on them.'),
  cursor: cursorPosition,
  generation: z.int().describe('Starts of its program: 1, and one more with each `restart`.'),
  restarting: z
    .literal(true)
    .optional()
    .describe('`restart` ends its program, or has ended it, and starts it again; absent otherwise.'),
});

export const list = defineCommand({
  name: 'list',
  group: 'look',
  effect: 'read',
  reach: 'read',
  tool: { fields: [] },
  summary: 'List all terminals.',
  params: () => ({
    recordings: z.boolean().default(false).describe('Opened recordings as well.'),
    where: where.optional().describe('Only these terminals.'),
    owner: authorName.optional().describe('Only terminals that requests of this author (`as`) have made.'),
  }),
  reply: () => ({
    terminals: z.array(
      z.object({
        ...terminalState(),
        host: z.string().optional().describe('From a gateway to several hosts: its host.'),
      }),
    ),
    unreachable: z
      .array(z.object({ host: z.string(), code: z.string(), error: z.string() }))
      .optional()
      .describe('Hosts that gave no list, or one that is not whole, and why. Not from a daemon by itself.'),
    aliases: z
      .array(z.object({ host: z.string(), of: z.string() }))
      .optional()
      .describe(
        'Hosts whose daemon says that it is the one of another host here: their terminals are listed under both names. Not from a daemon by itself.',
      ),
  }),
  errors: ['bad_regex'],
  cli: {
    flags: [
      { name: 'all', type: 'boolean', description: 'Of all hosts of "t4a hosts".' },
      { name: 'mine', type: 'boolean', description: 'Only terminals that your name, of --as or $T4A_AS, has made.' },
      {
        name: 'long',
        short: 'l',
        type: 'boolean',
        description: 'Also size, age, process, directory and title, uncut.',
      },
    ],
    examples: [
      'list',
      'list --long',
      'list --json',
      'list --mine --as claude-1',
      `list --where role=worker`,
      `list --where '{"needs_you":true}'`,
    ],
    notes: 'Prints a table, one short line a terminal; the whole state is in --json.',
  },
});

export const status = defineCommand({
  name: 'status',
  group: 'look',
  effect: 'read',
  reach: 'read',
  summary: 'Show the state of one terminal.',
  params: () => ({ id: terminalId }),
  reply: () => ({
    ...terminalState(),
    scrollback_lines: z.int().describe('Lines above the viewport.'),
    scrollback_limit: z.int(),
    state: z
      .enum(['running', 'draining', 'exited'])
      .describe('Draining: the process has ended, and some of its output is not read yet.'),
    has_shell: z
      .boolean()
      .describe('A shell runs in the terminal, or has marked prompts or commands there: `done` can be waited for.'),
    shell_cwd: z.string().nullable().describe('Working directory that the shell reported last (OSC 7).'),
    last_command: z.object(commandRecordShape).nullable().describe('As in `commands`.'),
    shell_level: shellLevel,
    warning: shellWarning,
    awaiting_input: z
      .object(awaitingInputShape)
      .nullable()
      .describe('The program that waits for input now; null if none does, or if unknown.'),
    inputs: z.int().optional().describe('Inputs of all clients so far.'),
    control: z.object(claimantShape).nullable().optional().describe('The name that has control; null if none has.'),
    watchers: z.int().optional().describe('Connections that watch the terminal.'),
    persisted: z.string().optional().describe('Folder in which it is kept; `persist` of `config`.'),
    progress: z.object(progressShape).nullable().describe('Progress that the program reported last (OSC 9;4).'),
    reported: z
      .object(reportedShape)
      .nullable()
      .optional()
      .describe(
        'What the program in front says it is doing (OSC 7501), the most urgent of its records; null if it says nothing. It is a claim.',
      ),
    report: z
      .object(hookReportShape)
      .optional()
      .describe('What its hooks say (`report`), the most urgent of it; absent if they say nothing. It is a claim.'),
  }),
  errors: ['terminal_not_found'],
  cli: { positionals: ['id?'], examples: ['status t1', 'status @'] },
});
