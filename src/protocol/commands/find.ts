import { z } from 'zod';
import { defineCommand } from '../command.js';
import { pastTurnShape, pastTurnReplyShape } from '../observation.js';
import { rev, terminalId } from '../vocabulary.js';
import { pictureShape } from '../picture.js';
import { turnErrors } from '../turn-errors.js';

/** Characters of a pattern. */
export const MAX_PATTERN_LENGTH = 1000;

const pattern = z.string().min(1).max(MAX_PATTERN_LENGTH);

export const searchShape = {
  text: pattern.optional(),
  regex: pattern.optional(),
};

export const boxShape = {
  x: z.int(),
  y: z.int(),
  width: z.int(),
  height: z.int(),
};

export const find = defineCommand({
  name: 'find',
  group: 'look',
  effect: 'read',
  reach: 'read',
  exitStatus: 'matches',
  summary: 'Find text in the viewport: its cells, and its pixels in a screenshot.',
  details:
    'Exactly one of `text` and `regex` (RE2 syntax). Text that wraps over rows is found as one match with a span for each row. Boxes are in pixels of a screenshot with the same `pad`, `scale` and `profile`.',
  params: () => ({
    id: terminalId,
    text: searchShape.text.describe('Text to find, as it is on the screen.'),
    regex: searchShape.regex.describe('Regular expression to find.'),
    ignore_case: z.boolean().default(false),
    max: z.int().min(1).max(10_000).default(100).describe('Matches returned.'),
    pad: pictureShape.pad,
    scale: pictureShape.scale,
    profile: pictureShape.profile,
    ...pastTurnShape,
  }),
  reply: () => ({
    ...pastTurnReplyShape,
    matches: z.array(
      z.object({
        row: z.int(),
        col: z.int(),
        text: z.string(),
        spans: z
          .array(
            z.object({
              row: z.int(),
              col: z.int(),
              cols: z.int(),
              box: z.object(boxShape).describe('Pixels.'),
            }),
          )
          .describe('Cells that it covers, one span for each row.'),
      }),
    ),
    total: z.int().describe('Matches in the viewport.'),
    cell_width: z.int(),
    cell_height: z.int(),
    rev,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...turnErrors],
  cli: {
    positionals: ['id', 'text?'],
    examples: ['find @ OK', "find @ --regex 'error: .*'"],
    fields: { ignore_case: { short: 'i', description: 'Ignore case.' } },
    notes: 'Prints "row:column:text" for each match. Exits with 1 if nothing matches.',
  },
});
