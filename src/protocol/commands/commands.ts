import { z } from 'zod';
import { defineCommand } from '../command.js';
import { terminalId } from '../vocabulary.js';

export const commandRecordShape = {
  n: z.int().describe('Number of the command in this terminal, from 1.'),
  command: z.string().nullable().describe('Command line; null where the shell did not say.'),
  running: z.boolean(),
  code: z.int().nullable().describe('Exit code; null while it runs, or where the shell did not say.'),
  started_at: z.number().nullable().describe('Milliseconds since the Unix epoch.'),
  duration_ms: z.int().nullable(),
  cwd: z.string().nullable().describe('Working directory at the start.'),
  output_rows: z.int().nullable().describe('Rows of output; null while it runs, or where its place is not known.'),
};

export const commands = defineCommand({
  name: 'commands',
  summary: 'Commands that the shell said it ran, oldest first.',
  details: 'Needs shell integration, or hooks of OSC 133, 633 or 7777. The last 1,000 of a terminal are kept.',
  params: () => ({
    id: terminalId,
    last: z.int().min(1).max(1000).default(20).describe('How many of the last ones.'),
  }),
  reply: () => ({ commands: z.array(z.object(commandRecordShape)) }),
  errors: ['terminal_not_found'],
  cli: { positionals: ['id?'], examples: ['commands t1', 'commands @ --last 1'] },
});
