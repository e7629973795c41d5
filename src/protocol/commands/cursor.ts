import { z } from 'zod';
import { defineCommand } from '../command.js';
import { readTurnShape, turnErrors, turnReplyShape } from '../observation.js';
import { cursorPosition, rev, terminalId } from '../vocabulary.js';

export const cursor = defineCommand({
  name: 'cursor',
  group: 'look',
  effect: 'read',
  reach: 'read',
  summary: 'Show the place and the look of the cursor.',
  params: () => ({ id: terminalId, ...readTurnShape }),
  reply: () => ({
    ...cursorPosition.shape,
    shape: z.enum(['block', 'underline', 'bar']),
    blink: z.boolean(),
    rev,
    ...turnReplyShape,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...turnErrors],
  cli: { positionals: ['id?'], examples: ['cursor t1'] },
});
