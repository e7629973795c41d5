import { z } from 'zod';
import { defineCommand } from '../command.js';
import { modesLeft, shellLevel, terminalId } from '../vocabulary.js';

export const commandRecordShape = {
  n: z.int().describe('Number of the command in this terminal, from 1.'),
  command: z.string().nullable().describe('Command line; null if unknown.'),
  running: z.boolean(),
  code: z.int().nullable().describe('Exit code; null while it runs, or if unknown.'),
  started_at: z.number().nullable().describe('Milliseconds since the Unix epoch.'),
  duration_ms: z.int().nullable(),
  cwd: z.string().nullable().describe('Working directory at the start.'),
  modes_left: modesLeft.optional(),
  shell_level: shellLevel,
  output_rows: z.int().nullable().describe('Rows of output; null while it runs, or if unknown.'),
};

export const commands = defineCommand({
  name: 'commands',
  group: 'look',
  effect: 'read',
  reach: 'read',
  summary: 'List the commands that the shell ran, oldest first.',
  details:
    'Needs shell integration, or hooks of OSC 133, 633 or 7777. Marks of the injected scripts carry `proof=X.Y`, which is used once a command: while such a shell runs a command, a mark without it, or with one that was used, is neither a start nor an end of it. A prompt without a proof counts once a shell is seen to read within the command, or a program that passes keys on to one elsewhere (ssh); the commands of that shell have a `shell_level`, and end nothing of the shell around it. In raw output, a client that reads marks itself may ignore the field. The last 1,000 of a terminal are kept.',
  params: () => ({
    id: terminalId,
    last: z.int().min(1).max(1000).default(20).describe('Number of commands, counted from the last.'),
  }),
  reply: () => ({ commands: z.array(z.object(commandRecordShape)) }),
  errors: ['terminal_not_found'],
  cli: {
    positionals: ['id?'],
    examples: ['commands t1', 'commands @ --last 1'],
    notes: 'Prints a table.',
  },
});
