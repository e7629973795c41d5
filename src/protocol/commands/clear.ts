import { z } from 'zod';
import { defineCommand } from '../command.js';
import { conditionalShape } from '../input.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { turnErrors } from '../turn-errors.js';
import { rev, terminalId } from '../vocabulary.js';

export const clear = defineCommand({
  name: 'clear',
  group: 'act',
  effect: 'act',
  reach: 'use',
  idempotent: true,
  summary: 'Clear the scrollback or the screen; the program gets no notice.',
  details:
    'It needs at least one of its switches. A program that draws, as a shell does with its prompt, does not know of it: `press` Ctrl+L makes a shell clear its screen itself. Recordings and the past keep what was cleared.',
  params: () => ({
    id: terminalId,
    scrollback: z.boolean().default(false).describe('Drop the lines above the screen.'),
    screen: z.boolean().default(false).describe('Erase the screen; the cursor goes to its first cell.'),
    reset: z
      .boolean()
      .default(false)
      .describe(
        'Also end what a program has left: the alternate screen, modes of mouse, keyboard and paste, margins, colours.',
      ),
    ...conditionalShape,
    ...turnShape,
  }),
  reply: () => ({ rev, ...turnReplyShape }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'invalid_field', 'control_held', 'not_holder', 'others_typed', ...turnErrors],
  cli: {
    positionals: ['id?'],
    examples: ['clear t1 --scrollback', 'clear @ --reset'],
  },
});
