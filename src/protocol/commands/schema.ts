import { z } from 'zod';
import { defineCommand } from '../command.js';

export const schema = defineCommand({
  name: 'schema',
  group: 'plumbing',
  effect: 'read',
  reach: 'read',
  tool: false,
  summary: 'Print the JSON Schema of every command, reply, event and error.',
  params: () => ({}),
  reply: () => ({ schema: z.record(z.string(), z.unknown()) }),
  cli: { examples: ['schema > t4a.schema.json'] },
});
