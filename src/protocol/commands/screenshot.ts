import { z } from 'zod';
import { defineCommand } from '../command.js';
import { rev, terminalId } from '../vocabulary.js';

/** How a picture is to look; every command that can attach a picture takes the same. */
export const pictureShape = {
  cursor: z.boolean().default(true).describe('Draw the cursor.'),
  pad: z.int().min(0).max(256).optional().describe('Blank pixels on every side.'),
  scale: z
    .number()
    .min(40)
    .max(640)
    .optional()
    .describe('Cell size in percent of 10x20 pixels: 66 gives 7x14, 80 gives 8x16.'),
};

export const pictureReplyShape = {
  len: z.int().describe('Raw bytes that follow this line.'),
  format: z.string(),
  width: z.int().describe('Pixels.'),
  height: z.int().describe('Pixels.'),
  cell_width: z.int(),
  cell_height: z.int(),
  cols: z.int(),
  rows: z.int(),
  rev,
  tokens: z.object({ claude: z.int(), gpt: z.int(), gemini: z.int() }).describe('Estimated cost as vision input.'),
};

export const screenshot = defineCommand({
  name: 'screenshot',
  summary: 'Draw the viewport as a picture.',
  details:
    'The reply is a header line, then exactly `len` raw bytes. With `inline` the picture is in the line instead, as base64 in `data`, and `len` is 0. With `if_rev` equal to the current revision the reply is `{"ok":true,"unchanged":true,"rev":n,"len":0}`.',
  params: {
    id: terminalId,
    ...pictureShape,
    if_rev: z.int().min(0).optional().describe('Draw only if the screen differs from this revision.'),
    inline: z.boolean().default(false).describe('Send the picture as base64 in the JSON line.'),
  },
  reply: {
    ...z.object(pictureReplyShape).partial().shape,
    len: pictureReplyShape.len,
    rev,
    unchanged: z.boolean().optional(),
    data: z.string().optional().describe('The picture as base64, with `inline`.'),
  },
  kind: 'bytes',
  errors: ['terminal_not_found', 'image_too_large', 'render_failed'],
  cli: {
    positionals: ['id?'],
    hidden: ['inline'],
    examples: ['screenshot t1 -o screen.png', 'screenshot @ --scale 66 --no-cursor > small.png'],
  },
});
