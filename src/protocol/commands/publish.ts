import { z } from 'zod';
import { defineCommand } from '../command.js';

export const MAX_PUBLISHED_BYTES = 4096;

export const publish = defineCommand({
  name: 'publish',
  group: 'wait',
  effect: 'act',
  reach: 'use',
  fieldReach: { warn: 'admin' },
  tool: false,
  summary: 'Publish an event of your own, so that others need not poll.',
  details:
    'All subscribers of `events` get it as `published`. Its `seq` is the one from which a subscriber may read on.',
  params: () => ({
    name: z
      .string()
      .regex(/^\w[\w.-]{0,63}$/, 'letters, digits, "_", "." and "-" only, at most 64')
      .describe('What it is.'),
    data: z.string().max(MAX_PUBLISHED_BYTES).default('').describe('Up to 4 KiB of text.'),
    warn: z
      .boolean()
      .optional()
      .describe('As a `warning` instead, for the operator: its message is the name and `data`.'),
  }),
  reply: () => ({ seq: z.int() }),
  cli: { positionals: ['name', 'data?'], examples: ['publish tests.passed', 'publish review \'{"branch":"main"}\''] },
});
