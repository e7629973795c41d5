import { z } from 'zod';
import { defineCommand } from '../command.js';
import { inputErrors, secretErrors, secretShape } from '../input.js';
import { turnErrors, turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';

export const send = defineCommand({
  name: 'send',
  summary: 'Write input to a terminal, exactly as given.',
  details:
    'Exactly one of `input` and `input_base64`, at most 1 MiB. A line is sent with "\\r" or "\\n" at its end. Ctrl+C alone (0x03; also 0x1a and 0x1c) overtakes input that is still on its way.',
  params: () => ({
    id: terminalId,
    input: z.string().optional().describe('Text, written as UTF-8.'),
    input_base64: z.base64().optional().describe('Raw bytes.'),
    ...secretShape,
    ...turnShape,
  }),
  reply: () => turnReplyShape,
  kind: 'bytes',
  errors: [...inputErrors, ...secretErrors, ...turnErrors],
  cli: {
    positionals: ['id', 'input?'],
    hidden: ['wait', 'observe'],
    examples: ["send t1 'make test\\n'", "send t1 '\\x03'", 'send t1 < script.sh', 'send t1 --raw -- "-n\\t"'],
  },
});
