import { z } from 'zod';
import { defineCommand } from '../command.js';

export const ping = defineCommand({
  name: 'ping',
  group: 'configuration',
  effect: 'read',
  reach: 'read',
  startsNoDaemon: true,
  summary: 'Check that the daemon answers; return its version and pid.',
  params: () => ({}),
  reply: () => ({
    version: z.string(),
    protocol: z.int(),
    pid: z.int(),
    socket: z.string().describe('Path that the daemon listens on.'),
    uptime_ms: z.int(),
    terminals: z.int().describe('Terminals that exist.'),
    replaced: z
      .int()
      .optional()
      .describe(
        'How often another daemon has taken the place of the one before (`replace`), with its terminals. Absent: never.',
      ),
    instance: z
      .string()
      .optional()
      .describe('Differs for each daemon and each start of one, which a pid in a container does not.'),
    features: z
      .array(z.string())
      .optional()
      .describe('What requests may carry or ask beyond the first version. Absent: nothing.'),
  }),
  cli: { examples: ['ping'] },
});
