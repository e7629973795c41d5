import { defineCommand } from '../command.js';
import { survivors } from '../vocabulary.js';

export const shutdown = defineCommand({
  name: 'shutdown',
  group: 'start',
  effect: 'end',
  reach: 'admin',
  startsNoDaemon: true,
  summary: 'End every terminal and the daemon itself.',
  details:
    'The reply comes when all children have ended, or twice `kill_grace_ms` and some seconds later; the socket is gone when the connection closes.',
  params: () => ({}),
  reply: () => ({ survivors }),
  cli: { examples: ['shutdown'] },
});
