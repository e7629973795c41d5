import { z } from 'zod';
import { defineCommand } from '../command.js';
import { inputErrors, secretErrors, secretShape, submit } from '../input.js';
import { turnErrors, turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';

export const paste = defineCommand({
  name: 'paste',
  summary: 'Paste text, as from a clipboard.',
  details:
    'Exactly one of `text` and `text_base64`, at most 1 MiB. Bracketed if the program has asked for that (mode 2004). Line breaks are sent as CR, as a terminal does; control characters but tab and line break are taken out, so that nothing pasted acts as a key or ends the bracket. Ctrl+C by `press` or `send` overtakes a paste that is under way.',
  params: () => ({
    id: terminalId,
    text: z.string().optional().describe('What is pasted.'),
    text_base64: z.base64().optional().describe('The same as UTF-8 in base64.'),
    submit,
    ...secretShape,
    ...turnShape,
  }),
  reply: () => ({
    bytes_sent: z.int(),
    bracketed: z.boolean().describe('Whether the program had asked for bracketed pastes.'),
    removed: z.int().describe('Control characters that were taken out.'),
    ...turnReplyShape,
  }),
  kind: 'bytes',
  errors: [...inputErrors, ...secretErrors, ...turnErrors, 'invalid_utf8'],
  cli: {
    hidden: ['wait', 'observe'],
    positionals: ['id', 'text?'],
    examples: ['paste @ < file', 'paste @ "$(git diff)" --submit'],
  },
});
