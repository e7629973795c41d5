import { z } from 'zod';
import { defineCommand } from '../command.js';
import { conditionalShape, inputErrors, secretErrors, secretShape, submit, submitWarning } from '../input.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const paste = defineCommand({
  name: 'paste',
  group: 'act',
  effect: 'end',
  reach: 'use',
  fieldReach: { even_if_shown: 'admin' },
  stdin: 'text',
  summary: 'Paste text, as from a clipboard.',
  details:
    'Exactly one of `text` and `text_base64`, at most 1 MiB. The paste is bracketed if the program has asked for that (mode 2004). Line breaks are sent as CR, as terminals do. Control characters except tab and line break are removed, so that pasted text can neither act as a key nor end the bracket. Ctrl+C by `press` or `send` interrupts a paste.',
  params: () => ({
    id: terminalId,
    text: z.string().optional().describe('The text to paste.'),
    text_base64: z.base64().optional().describe('The text as UTF-8 in base64.'),
    submit,
    ...secretShape,
    ...conditionalShape,
    ...turnShape,
  }),
  reply: () => ({
    bytes_sent: z.int(),
    bracketed: z.boolean().describe('Whether the program had asked for bracketed pastes.'),
    removed: z.int().describe('Control characters that were removed.'),
    warning: submitWarning,
    ...turnReplyShape,
  }),
  kind: 'bytes',
  errors: [...inputErrors, ...secretErrors, ...turnErrors, 'invalid_utf8'],
  cli: {
    positionals: ['id', 'text?'],
    examples: ['paste @ < file', 'paste @ "$(git diff)" --submit'],
    fields: { text_base64: { description: 'UTF-8 in base64, in place of the argument.', placeholder: 'base64' } },
    notes: 'Without the argument, standard input is pasted, up to 1 MiB.',
  },
});
