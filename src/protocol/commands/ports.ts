import { z } from 'zod';
import { defineCommand } from '../command.js';
import { terminalId } from '../vocabulary.js';

export const ports = defineCommand({
  name: 'ports',
  group: 'look',
  effect: 'read',
  reach: 'read',
  tool: false,
  summary: 'List the TCP ports that the programs of a terminal listen on, and the URLs that they printed.',
  details:
    'Asks the system for the processes of the terminal: those of its session, and their descendants; Linux only, elsewhere and where a process belongs to another user `listeners` lacks them. `urls` are read off the scrollback and the viewport, the latest last, each once.',
  params: () => ({ id: terminalId }),
  reply: () => ({
    listeners: z
      .array(
        z.object({
          port: z.int(),
          address: z.string().describe('For example "127.0.0.1", "0.0.0.0" or "::".'),
          pid: z.int(),
          process: z.string().nullable().describe('Its name; null if it has gone since.'),
        }),
      )
      .describe('In the order of their ports.'),
    urls: z.array(z.string()).describe('At most 20.'),
  }),
  errors: ['terminal_not_found'],
  cli: {
    positionals: ['id'],
    examples: ['ports web', 'ports @ --json'],
    notes: 'Prints a line for each port, then a line for each URL.',
  },
});
