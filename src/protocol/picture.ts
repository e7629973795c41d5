/** The fields of a picture: the same for every command that can attach one. */
import { z } from 'zod';
import { logMoment, rev } from './vocabulary.js';

export const PICTURE_FORMATS = ['png', 'webp', 'jpeg', 'svg', 'html'] as const;
export const PICTURE_PROFILES = ['llm', 'cheap', 'exact', 'human'] as const;
export const MODEL_FAMILIES = ['claude', 'gpt', 'gemini'] as const;

/** Lines above the viewport in one picture: some screens full. */
const MAX_SCROLLBACK_SHOWN = 1000;
/** Marks of one request; a pattern may give many boxes. */
const MAX_MARKS = 100;
const MAX_MARK_LENGTH = 1000;

const row = z.int().describe('Row of the viewport, 0-based; negative rows are above it, if `scrollback` shows them.');
const col = z.int().min(0).describe('Column, 0-based.');

const region = z.strictObject({
  row,
  col,
  rows: z.int().min(1).describe('Rows.'),
  cols: z.int().min(1).describe('Columns.'),
});

const mark = z.union([
  z.string().min(1).max(MAX_MARK_LENGTH),
  z.strictObject({ regex: z.string().min(1).max(MAX_MARK_LENGTH).describe('Regular expression (RE2 syntax).') }),
  z.strictObject({ changed_since: logMoment.describe('Rows that changed after this revision or moment.') }),
  region,
]);

export const pictureShape = {
  cursor: z.boolean().default(true).describe('Draw the cursor.'),
  profile: z
    .enum(PICTURE_PROFILES)
    .optional()
    .describe('Cell size by purpose: llm 8x16 (the default), cheap 7x14, exact 10x20, human 20x40 with a margin.'),
  scale: z
    .number()
    .min(40)
    .max(640)
    .optional()
    .describe(
      'Cell size in percent of 10x20 pixels, in whole pixels: 66 gives 7x14 (80x24: 560x336), too small for ids; 80 gives 8x16, the default. Overrides `profile`.',
    ),
  pad: z.int().min(0).max(256).optional().describe('Blank pixels on every side.'),
  max_tokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe(
      'Budget: the largest legible cell whose picture costs `model` at most this many tokens; `scale` and `profile` limit its size. If not even cells of 6x12 fit, a part: the rows changed after `since`, else around the cursor.',
    ),
  model: z
    .enum(MODEL_FAMILIES)
    .optional()
    .describe('Model family: its tokens are counted (default claude), and its limit on the size of pictures is kept.'),
  format: z.enum(PICTURE_FORMATS).default('png'),
  theme: z.string().min(1).max(64).optional().describe("Name of a theme. Default: the configuration's."),
  region: region.optional().describe('Only this part of the screen.'),
  scrollback: z
    .int()
    .min(0)
    .max(MAX_SCROLLBACK_SHOWN)
    .default(0)
    .describe('Lines above the viewport to show, if there are as many.'),
  rulers: z.boolean().default(false).describe('Number the rows and columns in a margin.'),
  mark: z
    .array(mark)
    .max(MAX_MARKS)
    .default([])
    .describe('Draw boxes around text, around matches of `{"regex":…}`, rows `{"changed_since":rev}`, or a region.'),
  since: logMoment.optional().describe('Fade the rows that did not change after this revision or moment.'),
  minimum_contrast: z
    .number()
    .min(1)
    .max(21)
    .optional()
    .describe(
      'Minimum contrast of text against its background (WCAG). Default: 4.5, for dim text 3; 1 changes no colour.',
    ),
  bold_as_bright: z.boolean().default(false).describe('Draw bold text of the colours 0 to 7 in 8 to 15.'),
};

export type PictureParams = z.output<z.ZodObject<typeof pictureShape>>;

let defaults: PictureParams | undefined;

/** A picture with default fields. */
export function defaultPicture(): PictureParams {
  return (defaults ??= z.object(pictureShape).parse({}));
}

export const pictureReplyShape = {
  len: z.int().describe('Raw bytes that follow this line.'),
  format: z.string(),
  width: z.int().describe('Pixels.'),
  height: z.int().describe('Pixels.'),
  cell_width: z.int(),
  cell_height: z.int(),
  cols: z.int().describe('Columns shown, without rulers.'),
  rows: z.int().describe('Rows shown, without rulers.'),
  region: region.optional().describe('The part that is shown, unless it is all of the screen.'),
  fitted: z
    .enum(['smaller_cells', 'part'])
    .optional()
    .describe('What `max_tokens` has changed: the cells are smaller than asked for, or only a part is shown.'),
  legibility: z
    .enum(['good', 'no_ids', 'layout_only'])
    .describe(
      'What a model can read: all, from 8x16 on; words, but single characters of ids only as `text`; the layout.',
    ),
  rev,
  tokens: z
    .object({ claude: z.int(), gpt: z.int(), gemini: z.int() })
    .describe('Estimated cost as vision input of a picture of this size.'),
};
