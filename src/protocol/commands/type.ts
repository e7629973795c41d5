import { z } from 'zod';
import { defineCommand } from '../command.js';
import {
  conditionalShape,
  MAX_TYPED_LENGTH,
  inputErrors,
  secretErrors,
  secretShape,
  submit,
  submitWarning,
} from '../input.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const type = defineCommand({
  name: 'type',
  group: 'act',
  effect: 'end',
  reach: 'use',
  fieldReach: { even_if_shown: 'admin' },
  stdin: 'keys',
  tool: {
    fields: ['id', 'text', 'submit', 'secret', 'wait', 'observe'],
    brief: 'Type text into a terminal; `submit` presses Enter after it.',
  },
  summary: 'Type text as a person would.',
  details:
    'Each character is sent as its key: a line break is Enter, a tab is Tab, in the encoding that the program has asked for (kitty keyboard protocol, modifyOtherKeys). Use `paste` for long text. Enter follows the text once the program has read it (after at most 2 s) and a short pause, so that the program does not take it for a part of the text; a secret and its Enter are one write.',
  params: () => ({
    id: terminalId,
    text: z.string().min(1).max(MAX_TYPED_LENGTH).describe('The text to type.'),
    submit,
    ...secretShape,
    ...conditionalShape,
    ...turnShape,
  }),
  reply: () => ({ bytes_sent: z.int(), warning: submitWarning, ...turnReplyShape }),
  kind: 'bytes',
  errors: [...inputErrors, ...secretErrors, ...turnErrors, 'key_not_sendable'],
  cli: {
    positionals: ['id', 'text?'],
    examples: ['type @ "hello" --submit', 'type t1 --secret --submit < password.txt'],
    notes:
      'Without the argument, standard input is typed, without the line break at its end. With --secret the text is never an argument, since other programs can read arguments: t4a asks for it on the terminal and does not show it.',
  },
});
