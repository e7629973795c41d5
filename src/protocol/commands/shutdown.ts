import { defineCommand } from '../command.js';
import { survivors } from '../vocabulary.js';

export const shutdown = defineCommand({
  name: 'shutdown',
  summary: 'End every terminal and the daemon itself.',
  details:
    'The reply comes once all children have ended, or after some seconds; the socket is gone when its connection closes.',
  params: () => ({}),
  reply: () => ({ survivors }),
  cli: { examples: ['shutdown'] },
});
