import { z } from 'zod';
import { defineCommand } from '../command.js';
import { conditionalShape, inputErrors } from '../input.js';
import { searchShape } from './find.js';
import { turnReplyShape, turnShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

const cell = z.int().min(0).optional();

export const mouse = defineCommand({
  name: 'mouse',
  group: 'act',
  effect: 'end',
  reach: 'use',
  summary: 'Click, drag or turn the wheel.',
  details:
    'The place is a cell (`row` and `col`) or the middle of a match (`on_text` or `on_regex`). The action is encoded for the mouse mode that the program has set. If it has set none, or one that does not report the action, the error is `mouse_off` and names the mode.',
  params: () => ({
    id: terminalId,
    action: z
      .enum(['click', 'press', 'release', 'move', 'drag', 'scroll'])
      .describe('The action; a click is a press and a release.'),
    row: cell.describe('0-based row.'),
    col: cell.describe('0-based column.'),
    on_text: searchShape.text.describe('The middle of this text, in place of row and col.'),
    on_regex: searchShape.regex.describe('The middle of a match, in place of row and col.'),
    match_index: z.int().default(0).describe('Which match, from the top; -1 is the last one.'),
    to_row: cell.describe('Row where a drag ends.'),
    to_col: cell.describe('Column where a drag ends.'),
    button: z
      .enum(['left', 'middle', 'right', 'back', 'forward'])
      .optional()
      .describe('Default: left; none for a move.'),
    modifiers: z.array(z.string()).max(8).default([]).describe('Keys held during the action: shift, alt, ctrl.'),
    clicks: z.int().min(1).max(10).default(1).describe('2 for a double click.'),
    direction: z.enum(['up', 'down', 'left', 'right']).default('down').describe('Direction of a scroll.'),
    steps: z.int().min(1).max(1000).default(1).describe('Steps of a scroll.'),
    ...conditionalShape,
    ...turnShape,
  }),
  reply: () => ({
    row: z.int(),
    col: z.int(),
    text: z.string().optional().describe('The matched text, with on_text and on_regex.'),
    reports: z.int().describe('Mouse events that were sent to the program.'),
    ...turnReplyShape,
  }),
  kind: 'bytes',
  errors: [...inputErrors, ...turnErrors, 'mouse_off', 'no_match', 'cell_outside', 'unknown_key'],
  cli: {
    positionals: ['id', 'action'],
    examples: [
      'mouse @ click --on-text OK',
      'mouse @ click --row 3 --col 10 --button right',
      'mouse @ scroll --row 5 --col 5 --steps 3',
    ],
  },
});
