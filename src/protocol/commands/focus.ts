import { z } from 'zod';
import { defineCommand } from '../command.js';
import { inputErrors } from '../input.js';
import { turnErrors, turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';

export const focus = defineCommand({
  name: 'focus',
  summary: 'Tell the program that its terminal has gained or lost the focus.',
  details: 'Only a program that has asked for it (mode 1004) is told; else the error is `focus_off`.',
  params: () => ({
    id: terminalId,
    focused: z.boolean().default(true).describe('False: the focus was lost.'),
    ...turnShape,
  }),
  reply: () => ({ ...turnReplyShape }),
  kind: 'bytes',
  errors: [...inputErrors, ...turnErrors, 'focus_off'],
  cli: {
    hidden: ['wait', 'observe'],
    positionals: ['id?'],
    examples: ['focus @', 'focus @ --no-focused'],
  },
});
