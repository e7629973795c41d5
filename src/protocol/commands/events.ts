import { z } from 'zod';
import { defineCommand } from '../command.js';
import { PUBLISHED_TYPES } from '../events.js';
import { where } from '../labels.js';
import { terminalId } from '../vocabulary.js';

export const events = defineCommand({
  name: 'events',
  group: 'wait',
  effect: 'read',
  reach: 'read',
  summary: 'Stream events, one JSON line each, until either side closes the connection.',
  details:
    'A subscriber that falls behind gets `{"event":"lagged","missed":n}` in place of the events that its bounded queue could not hold.',
  params: () => ({
    terminal: terminalId.optional().describe('Only events of this terminal, without those of the whole daemon.'),
    where: where.optional().describe('Only events of terminals that these things are true of when the event comes.'),
    types: z.array(z.enum(PUBLISHED_TYPES)).min(1).optional().describe('Only events of these types.'),
    since: z
      .int()
      .min(0)
      .optional()
      .describe('Replay the events after this `seq`; `lagged` counts those that are no longer kept.'),
    ack: z.boolean().default(false).describe('Begin with `{"ok":true,"seq":n}` once subscribed.'),
    shared: z
      .boolean()
      .default(false)
      .describe(
        'The connection takes further requests: each line carries the `req` of this one, which is required, and `cancel` ends the stream. Implies `ack`.',
      ),
  }),
  reply: () => ({ seq: z.int().optional().describe('Last event published before the subscription, with `ack`.') }),
  kind: 'stream',
  errors: ['terminal_not_found', 'bad_regex', 'invalid_field'],
  cli: {
    positionals: ['terminal?'],
    hidden: ['shared'],
    flags: [{ name: 'all', type: 'boolean', description: 'Of all hosts of "t4a hosts", each event with its host.' }],
    examples: ['events', 'events t1 --types exit,command_done', 'events | jq --unbuffered -r .event'],
    notes:
      'Prints one JSON object a line, as the events come. Those of one terminal end with its removal (status 0). When the daemon ends, the command fails (status 1).',
  },
});
