/** The fields of a turn: a wait, and a look at the instant at which it ended. */
import { z } from 'zod';
import { shownDoingShape } from './doing.js';
import { pictureReplyShape, pictureShape } from './picture.js';
import { waitReplyShape, waitShape } from './conditions.js';
import { cursorPosition, logMoment, momentShape, rev } from './vocabulary.js';

/** Changes since a look at the text of the viewport. */
export const changedField = z
  .boolean()
  .default(false)
  .describe(
    'Only the rows that differ from the last look at the text by the same `scope` and `as`, and new lines that scrolled by; above one row that differs also the row before it. See `changed` of the reply.',
  );

export const selectionField = z
  .boolean()
  .default(false)
  .describe(
    'Mark the selection of a list, a menu or an editor, which is colour alone, with ⟦ and ⟧ in the lines. A guess: the span whose background differs from that of its neighbours, or the entry of a list whose text has another colour.',
  );

export const changedReply = z
  .object({
    complete: z
      .boolean()
      .describe(
        'All rows are there: more than half are new, the size or the screen is another, or the last look is too old or unknown.',
      ),
    rows: z.array(z.int()).describe('Row of each line, 0-based; negative rows have scrolled by, above the viewport.'),
    since: rev.optional().describe('Revision of the last look; absent if it does not count.'),
    moved_up: z
      .int()
      .describe('Rows by which the last look has moved up: a row that is left out is as its row plus this.'),
    unchanged: z.int().describe('Rows with text that are left out, since they are as at the last look.'),
    scrolled: z.int().describe('New lines above the viewport that are left out, since they are many.'),
    scrolled_from: z.int().optional().describe('Lasting number of the first of them, for `from_line` of `text`.'),
  })
  .optional()
  .describe('With `changed`: which rows the lines are.');

/** Pictures that a look at the screen does not show. */
export const unshownPicture = z
  .string()
  .optional()
  .describe('The program has printed a picture (sixel, kitty, iTerm2), of which text and screenshots show nothing.');

export const observeShape = {
  text: z
    .union([
      z.boolean(),
      z.strictObject({
        region: z.enum(['viewport', 'all']).default('viewport'),
        changed: changedField,
        selection: selectionField,
      }),
    ])
    .default(false)
    .describe('Lines of text, without blanks at their ends.'),
  cursor: z.boolean().default(false),
  screenshot: z
    .union([z.boolean(), z.strictObject(pictureShape)])
    .default(false)
    .describe('A picture, whose bytes follow the reply: true, or an object with its fields.'),
};

export type ObserveParams = z.output<z.ZodObject<typeof observeShape>>;

const observe = z
  .strictObject(observeShape)
  .optional()
  .describe(
    'Look at the screen when the wait has ended: the result is in `observed`, and the bytes of a picture follow the reply.',
  );

/** Fields of commands that act on a terminal. */
export const turnShape = {
  wait: z
    .strictObject(waitShape)
    .optional()
    .describe(
      'Wait after the act. The wait starts before it, so that nothing is missed; only what comes after the act counts.',
    ),
  observe,
};

/** Fields of commands that read. */
export const readTurnShape = {
  wait: z
    .strictObject(waitShape)
    .optional()
    .describe(
      'Wait first; the reading is of the instant at which the wait ended. What holds already counts, unless `fresh`.',
    ),
  observe,
};

/** Fields of commands that read a moment, the present or a past one. */
export const pastTurnShape = {
  at: logMoment
    .optional()
    .describe(
      'Read the screen as it was at this moment: a revision, `-5s`, `1:02.5` (since the start), `ts:MS` or an ISO time, `seq:N` (an event), `command:-1:start` or `:end`, `input` or `input:-2`, `marker:NAME`, `start`, `end`; with `^` just before it. Not with `wait` and `observe`. A revision may also stand in `id`, as `t1@42`.',
    ),
  ...readTurnShape,
};

/** The field of `wait` itself. */
export const observeField = { observe };

export const observedReplyShape = {
  observed: z
    .object({
      rev: rev.optional(),
      lines: z.array(z.string()).optional(),
      changed: changedReply,
      cursor: cursorPosition.optional(),
      warning: unshownPicture,
      error: z
        .string()
        .optional()
        .describe('The act was done, and the look after it failed: why, with `code` and `hint`.'),
      code: z.string().optional(),
      hint: z.string().optional(),
    })
    .optional()
    .describe('With `observe`.'),
  inputs: z
    .int()
    .optional()
    .describe(
      'Inputs of all clients so far, at the instant of the look; after an act with `if_inputs` alone, with that act. Commands that act leave it out without any of them.',
    ),
  ...z.object(pictureReplyShape).omit({ rev: true, cols: true, rows: true, region: true }).partial().shape,
  picture_region: pictureReplyShape.region,
};

export const turnReplyShape = {
  wait: z.object(waitReplyShape).optional().describe('With `wait`: its outcome.'),
  doing: z
    .object(shownDoingShape)
    .optional()
    .describe('What the program is doing, if an event `doing` has said so since the request.'),
  ...observedReplyShape,
};

export const pastTurnReplyShape = {
  at: z.object(momentShape).optional().describe('With `at`: the moment that was read.'),
  ...turnReplyShape,
};
