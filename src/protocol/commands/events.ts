import { z } from 'zod';
import { defineCommand } from '../command.js';
import { PUBLISHED_TYPES } from '../events.js';
import { terminalId } from '../vocabulary.js';

export const events = defineCommand({
  name: 'events',
  summary: 'Stream events, one JSON line each, until either side closes the connection.',
  details:
    'A subscriber that falls behind gets `{"event":"lagged","missed":n}` in place of the events that its bounded queue could not hold.',
  params: () => ({
    terminal: terminalId
      .optional()
      .describe('Only events of this terminal; those of the daemon as a whole are left out.'),
    types: z.array(z.enum(PUBLISHED_TYPES)).min(1).optional().describe('Only events of these types.'),
    since: z
      .int()
      .min(0)
      .optional()
      .describe('Replay what was published after this `seq`; what is no longer kept is told as `lagged`.'),
    ack: z.boolean().default(false).describe('Begin with `{"ok":true,"seq":n}` once subscribed.'),
  }),
  reply: () => ({ seq: z.int().optional().describe('Last event published before the subscription, with `ack`.') }),
  kind: 'stream',
  errors: ['terminal_not_found'],
  cli: {
    positionals: ['terminal?'],
    examples: ['events', 'events t1 --types exit,command_done', 'events | jq --unbuffered -r .event'],
  },
});
