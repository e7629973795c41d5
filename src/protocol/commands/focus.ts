import { z } from 'zod';
import { defineCommand } from '../command.js';
import { conditionalShape, inputErrors } from '../input.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const focus = defineCommand({
  name: 'focus',
  group: 'act',
  effect: 'act',
  reach: 'use',
  summary: 'Report to the program that its terminal has gained or lost the focus.',
  details: 'The error is `focus_off` if the program has not asked for focus events (mode 1004).',
  params: () => ({
    id: terminalId,
    focused: z.boolean().default(true).describe('Report that the terminal gained the focus; false: that it lost it.'),
    ...conditionalShape,
    ...turnShape,
  }),
  reply: () => ({ ...turnReplyShape }),
  kind: 'bytes',
  errors: [...inputErrors, ...turnErrors, 'focus_off'],
  cli: {
    positionals: ['id?'],
    examples: ['focus @', 'focus @ --no-focused'],
    fields: { focused: { off: 'Report that the terminal lost the focus.' } },
  },
});
