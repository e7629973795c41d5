import { z } from 'zod';
import { defineCommand } from '../command.js';
import { cursorPosition, rev, terminalId } from '../vocabulary.js';

export const cursor = defineCommand({
  name: 'cursor',
  summary: "The cursor's place and looks.",
  params: () => ({ id: terminalId }),
  reply: () => ({
    ...cursorPosition.shape,
    shape: z.enum(['block', 'underline', 'bar']),
    blink: z.boolean(),
    rev,
  }),
  errors: ['terminal_not_found'],
  cli: { positionals: ['id?'], examples: ['cursor t1'] },
});
