import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_TYPED_LENGTH, inputErrors, secretErrors, secretShape, submit } from '../input.js';
import { turnErrors, turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';

export const type = defineCommand({
  name: 'type',
  summary: 'Type text as a person would.',
  details:
    'Each character is sent as its key: a line break is Enter, a tab is Tab, also where the program has asked for keys in another form (kitty keyboard protocol, modifyOtherKeys). Long or foreign text is better pasted. Enter follows the text after a short gap, so that it is not taken for part of it; a secret and its Enter are one write.',
  params: () => ({
    id: terminalId,
    text: z.string().min(1).max(MAX_TYPED_LENGTH).describe('What is typed.'),
    submit,
    ...secretShape,
    ...turnShape,
  }),
  reply: () => ({ bytes_sent: z.int(), ...turnReplyShape }),
  kind: 'bytes',
  errors: [...inputErrors, ...secretErrors, ...turnErrors, 'key_not_sendable'],
  cli: {
    hidden: ['wait', 'observe'],
    positionals: ['id', 'text?'],
    examples: ['type @ "hello" --submit', 'type t1 --secret --submit < password.txt'],
  },
});
