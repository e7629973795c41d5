/** The second half of a turn: what is looked at when the wait has ended, all of it of one and the same instant. */
import { z } from 'zod';
import { pictureErrors, pictureReplyShape, pictureShape } from './picture.js';
import { waitReplyShape, waitShape } from './conditions.js';
import { cursorPosition, rev } from './vocabulary.js';

export const observeShape = {
  text: z
    .union([z.boolean(), z.strictObject({ region: z.enum(['viewport', 'all']).default('viewport') })])
    .default(false)
    .describe('Lines of text, blanks at their ends cut.'),
  cursor: z.boolean().default(false),
  screenshot: z
    .union([z.boolean(), z.strictObject(pictureShape)])
    .default(false)
    .describe('A picture, whose bytes follow the reply: true, or how it is to look.'),
};

export type ObserveParams = z.output<z.ZodObject<typeof observeShape>>;

const observe = z
  .strictObject(observeShape)
  .optional()
  .describe('What to look at then: the reply has it in `observed`, and the bytes of a picture follow.');

/** For commands that act on a terminal. */
export const turnShape = {
  wait: z
    .strictObject(waitShape)
    .optional()
    .describe('Wait after that; armed before, so that nothing is missed, and only what comes after counts.'),
  observe,
};

/** For `wait` itself. */
export const observeField = { observe };

export const observedReplyShape = {
  observed: z
    .object({ rev, lines: z.array(z.string()).optional(), cursor: cursorPosition.optional() })
    .optional()
    .describe('With `observe`.'),
  ...z.object(pictureReplyShape).omit({ rev: true, cols: true, rows: true }).partial().shape,
};

export const turnReplyShape = {
  wait: z.object(waitReplyShape).optional().describe('With `wait`: what came of it.'),
  ...observedReplyShape,
};

/** What can go wrong with the turn beyond the act. */
export const turnErrors = ['too_many_waits', 'unsupported', ...pictureErrors] as const;
