import { defineCommand } from '../command.js';

export const shutdown = defineCommand({
  name: 'shutdown',
  summary: 'End every terminal and the daemon itself.',
  details: 'The reply comes once all children have ended; the socket is gone when its connection closes.',
  params: () => ({}),
  reply: () => ({}),
  cli: { examples: ['shutdown'] },
});
