import { z } from 'zod';
import { defineCommand, envelopeShape } from '../command.js';

export const cancel = defineCommand({
  name: 'cancel',
  group: 'plumbing',
  effect: 'read',
  reach: 'read',
  tool: false,
  wireOnly: true,
  summary: 'End an unanswered request or a shared stream of this connection.',
  details:
    'The request fails with `cancelled`, and what it had done by then stays done. After the reply, no line of the stream follows.',
  params: () => ({ of: envelopeShape.req.unwrap().describe('The `req` of the request or stream.') }),
  reply: () => ({
    cancelled: z.boolean().describe('False: there was none, for example because it was answered just now.'),
  }),
});
