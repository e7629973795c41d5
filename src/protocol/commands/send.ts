import { z } from 'zod';
import { defineCommand } from '../command.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';

export const send = defineCommand({
  name: 'send',
  summary: 'Write input to a terminal, exactly as given.',
  details: 'Exactly one of `input` and `input_base64`, at most 1 MiB. A line is sent with "\\r" or "\\n" at its end.',
  params: {
    id: terminalId,
    input: z.string().optional().describe('Text, written as UTF-8.'),
    input_base64: z.base64().optional().describe('Raw bytes.'),
    ...turnShape,
  },
  reply: turnReplyShape,
  kind: 'bytes',
  errors: [
    'terminal_not_found',
    'terminal_exited',
    'input_blocked',
    'too_many_waits',
    'unsupported',
    'image_too_large',
    'render_failed',
  ],
  cli: {
    positionals: ['id', 'input?'],
    hidden: ['wait', 'observe'],
    examples: ["send t1 'make test\\n'", "send t1 '\\x03'", 'send t1 < script.sh', 'send t1 --raw -- "-n\\t"'],
  },
});
