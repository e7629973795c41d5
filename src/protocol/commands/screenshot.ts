import { z } from 'zod';
import { defineCommand } from '../command.js';
import { pictureReplyShape, pictureShape } from '../picture.js';
import { pastTurnReplyShape, pastTurnShape, unshownPicture } from '../observation.js';
import { rev, terminalId } from '../vocabulary.js';
import { pictureErrors } from '../turn-errors.js';

export const screenshot = defineCommand({
  name: 'screenshot',
  group: 'look',
  effect: 'read',
  reach: 'read',
  settings: { scale: 'scale' },
  tool: { fields: ['id', 'region', 'max_tokens'], brief: 'See the terminal as an image: layout, colours, cursor.' },
  summary: 'Draw the screen as a picture.',
  details:
    'The reply is a header line, then exactly `len` raw bytes. With `inline` the picture is in the line, as base64 in `data`, and `len` is 0. Glyphs are drawn at the size of the cell, and no picture is scaled down: 80x24 at `scale` 66 has 560x336 pixels and some 240 tokens, where `legibility` is `no_ids`, and by default 640x384 and some 322. If `if_rev` is the current revision, the reply is `{"ok":true,"unchanged":true,"rev":n,"len":0}`.',
  params: () => ({
    id: terminalId,
    ...pictureShape,
    if_rev: z.int().min(0).optional().describe('Draw only if the screen differs from this revision.'),
    inline: z.boolean().default(false).describe('Send the picture as base64 in the JSON line.'),
    wait: pastTurnShape.wait,
    at: pastTurnShape.at,
  }),
  reply: () => ({
    ...z.object(pictureReplyShape).partial().shape,
    len: pictureReplyShape.len,
    rev,
    unchanged: z.boolean().optional(),
    data: z.string().optional().describe('The picture as base64, with `inline`.'),
    inputs: pastTurnReplyShape.inputs,
    warning: unshownPicture,
    wait: pastTurnReplyShape.wait,
    at: pastTurnReplyShape.at,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'too_many_waits', 'unsupported', ...pictureErrors],
  cli: {
    positionals: ['id?'],
    hidden: ['inline'],
    fields: {
      cursor: { off: 'Do not draw the cursor.' },
      mark: {
        type: 'string',
        repeatable: true,
        placeholder: 'text',
        description: 'Draw a box around this text, or around matches of a /regular expression/; may be repeated.',
      },
      region: { type: 'string', placeholder: 'row,col,rows,cols', description: 'Only this part of the screen.' },
    },
    flags: [
      {
        name: 'output',
        short: 'o',
        type: 'string',
        placeholder: 'file',
        description: 'Write the picture to this file; "-" is standard output, unless that is a terminal.',
      },
    ],
    notes:
      'Without --output the picture goes to standard output. On a terminal it is shown there if the terminal has the graphics protocol of kitty or iTerm2 or sixel, else written to ID-REV.png in the current directory, and the path is printed. With --json and without --output the picture is in the reply as base64. In a directory that all users can write to, such as /tmp, a new file is readable for its owner alone, and files and links of other users are never written to.',
    examples: [
      'screenshot t1 -o screen.png',
      'screenshot @ --profile cheap --no-cursor > small.png',
      'screenshot @ --max-tokens 500 --model claude --rulers -o grid.png',
      'screenshot @ --format svg --theme light -o screen.svg',
    ],
  },
});
