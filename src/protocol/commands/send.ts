import { z } from 'zod';
import { defineCommand } from '../command.js';
import { conditionalShape, inputErrors, secretErrors, secretShape } from '../input.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const send = defineCommand({
  name: 'send',
  group: 'act',
  effect: 'end',
  reach: 'use',
  fieldReach: { even_if_shown: 'admin' },
  stdin: 'bytes',
  summary: 'Write input to a terminal, exactly as given.',
  details:
    'Exactly one of `input` and `input_base64`, at most 1 MiB. A line ends with "\\r" or "\\n". Ctrl+C alone (0x03; also 0x1a and 0x1c) overtakes input that the program has not read yet.',
  params: () => ({
    id: terminalId,
    input: z.string().optional().describe('Text, written as UTF-8.'),
    input_base64: z.base64().optional().describe('Raw bytes.'),
    ...secretShape,
    ...conditionalShape,
    ...turnShape,
  }),
  reply: () => turnReplyShape,
  kind: 'bytes',
  errors: [...inputErrors, ...secretErrors, ...turnErrors],
  cli: {
    positionals: ['id', 'input?'],
    examples: [
      "send t1 'make test\\n'",
      "send t1 '\\x03'",
      'send t1 --hex "1b 5b 41"',
      'send t1 < script.sh',
      'send t1 --raw -- "-n\\t"',
    ],
    fields: { input_base64: { description: 'Bytes in base64, in place of the argument.', placeholder: 'base64' } },
    flags: [
      { name: 'raw', type: 'boolean', description: 'Send the argument as it is; read no escapes in it.' },
      { name: 'hex', type: 'boolean', description: 'The argument is bytes in hexadecimal, such as 1b5b41.' },
    ],
    notes:
      'The argument may hold the escapes \\n \\r \\t \\e \\\\ \\0 (with up to two octal digits), \\xHH (a byte) and \\uHHHH; any other backslash is sent as it is. Without the argument, standard input is sent as it is, up to 1 MiB. A single argument is always the id. Put input that begins with a dash after "--".',
  },
});
