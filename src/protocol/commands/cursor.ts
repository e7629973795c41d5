import { z } from 'zod';
import { defineCommand } from '../command.js';
import { pastTurnShape, pastTurnReplyShape } from '../observation.js';
import { cursorPosition, rev, terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const cursor = defineCommand({
  name: 'cursor',
  group: 'look',
  effect: 'read',
  reach: 'read',
  summary: 'Show the place and the look of the cursor.',
  params: () => ({ id: terminalId, ...pastTurnShape }),
  reply: () => ({
    ...cursorPosition.shape,
    shape: z.enum(['block', 'underline', 'bar']),
    blink: z.boolean(),
    rev,
    ...pastTurnReplyShape,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...turnErrors],
  cli: { positionals: ['id?'], examples: ['cursor t1'] },
});
