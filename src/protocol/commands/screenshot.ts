import { z } from 'zod';
import { defineCommand } from '../command.js';
import { pictureErrors, pictureReplyShape, pictureShape } from '../picture.js';
import { rev, terminalId } from '../vocabulary.js';

export const screenshot = defineCommand({
  name: 'screenshot',
  summary: 'Draw the screen as a picture.',
  details:
    'The reply is a header line, then exactly `len` raw bytes. With `inline` the picture is in the line instead, as base64 in `data`, and `len` is 0. With `if_rev` equal to the current revision the reply is `{"ok":true,"unchanged":true,"rev":n,"len":0}`.',
  params: () => ({
    id: terminalId,
    ...pictureShape,
    if_rev: z.int().min(0).optional().describe('Draw only if the screen differs from this revision.'),
    inline: z.boolean().default(false).describe('Send the picture as base64 in the JSON line.'),
  }),
  reply: () => ({
    ...z.object(pictureReplyShape).partial().shape,
    len: pictureReplyShape.len,
    rev,
    unchanged: z.boolean().optional(),
    data: z.string().optional().describe('The picture as base64, with `inline`.'),
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...pictureErrors],
  cli: {
    positionals: ['id?'],
    hidden: ['inline'],
    examples: [
      'screenshot t1 -o screen.png',
      'screenshot @ --profile cheap --no-cursor > small.png',
      'screenshot @ --max-tokens 500 --model claude --rulers -o grid.png',
      'screenshot @ --format svg --theme light -o screen.svg',
    ],
  },
});
