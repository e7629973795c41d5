import { z } from 'zod';
import { defineCommand } from '../command.js';
import { cursorPosition, rev, terminalId } from '../vocabulary.js';

export const TEXT_REGIONS = ['viewport', 'scrollback', 'all'] as const;
export const TEXT_FORMATS = ['plain', 'ansi', 'cells', 'html'] as const;

const color = z
  .union([z.int(), z.string()])
  .optional()
  .describe('Index of the palette, or "#rrggbb"; absent: the default.');

export const CELL_ATTRIBUTES = [
  'bold',
  'dim',
  'italic',
  'blink',
  'inverse',
  'invisible',
  'strikethrough',
  'overline',
] as const;

export const UNDERLINES = ['single', 'double', 'curly', 'dotted', 'dashed'] as const;

export const cellRun = z.object({
  col: z.int(),
  cols: z.int().describe('Cells that the run covers.'),
  width: z.int().describe('Cells of each character: 1 or 2.'),
  text: z.string(),
  fg: color,
  bg: color,
  attributes: z.array(z.enum(CELL_ATTRIBUTES)).optional(),
  underline: z.enum(UNDERLINES).optional(),
  underline_color: color,
  link: z.string().optional(),
});

const span = {
  number: z.int().describe('Lasting number of the line.'),
  row: z.int().describe('Row of the viewport; negative above it.'),
  col: z.int(),
  cols: z.int(),
  text: z.string(),
};

export const highlight = z.object({
  ...span,
  inverse: z.boolean(),
  bg: color,
});

export const text = defineCommand({
  name: 'text',
  summary: 'Read lines of text.',
  details:
    '`start` and `end` count lines from the bottom of the region: 0 is the last line, and `end` is not included, so 0 and 5 are the last five lines. Lines come top to bottom. The reply says which range it holds. Lines also have lasting numbers, which stay when the scrollback grows or is cut: 0 is the first line that the terminal ever had (the alternate screen counts from its top, and a new width lays all lines out anew). `ansi` lines each begin and end in the default look; printed in order they give the same grid.',
  params: () => ({
    id: terminalId,
    start: z.int().min(0).optional().describe('First line, counted from the bottom.'),
    end: z.int().min(0).optional().describe('Line after the last one, counted from the bottom.'),
    trim: z.boolean().default(false).describe('Cut blanks at the ends of lines.'),
    region: z.enum(TEXT_REGIONS).default('viewport'),
    command: z
      .int()
      .refine((n) => n !== 0, 'a number from 1, or -1 for the last')
      .optional()
      .describe(
        'In place of a region the output of this shell command: its number in `commands`, or -1 for the last, -2 for the one before.',
      ),
    format: z
      .enum(TEXT_FORMATS)
      .default('plain')
      .describe('plain; ansi: with colours as escape sequences; cells: runs of equal cells; html: one `<pre>`.'),
    join_wrapped: z.boolean().default(false).describe('Rows that were printed as one line become one line again.'),
    since: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Only lines that changed after this revision, with their `numbers`. `complete` says that all are there.',
      ),
    max_bytes: z
      .int()
      .min(1)
      .max(64 * 1024 * 1024)
      .optional()
      .describe('Keep whole lines from the head and the tail within this; `omitted` counts the others.'),
    highlights: z
      .boolean()
      .default(false)
      .describe('Also tell the spans that stand out: inverse, or on another ground.'),
    links: z.boolean().default(false).describe('Also tell the hyperlinks. Targets beyond 2083 characters make none.'),
  }),
  reply: () => ({
    lines: z.array(z.string()).describe('Empty with the formats cells and html.'),
    region: z.enum([...TEXT_REGIONS, 'command']),
    start: z.int(),
    end: z.int(),
    total_lines: z.int().describe('Lines in the region.'),
    lost_lines: z.int().optional().describe('With `command`: lines of its output that the scrollback has lost.'),
    rev,
    cursor: cursorPosition,
    first_line: z.int().describe('Lasting number of the first line of the range.'),
    numbers: z.array(z.int()).optional().describe('Of each line, with `since` and `join_wrapped`.'),
    complete: z
      .boolean()
      .optional()
      .describe('With `since`: the revision is too old, or another screen was shown then, so all lines are told.'),
    cells: z.array(z.array(cellRun)).optional().describe('With the format cells: the runs of each line.'),
    html: z.string().optional().describe('With the format html.'),
    omitted: z
      .object({
        lines: z.int(),
        bytes: z.int(),
        after: z.int().describe('They stood after so many lines of the reply.'),
      })
      .optional()
      .describe('What `max_bytes` left out.'),
    highlights: z.array(highlight).optional(),
    links: z.array(z.object({ ...span, url: z.string() })).optional(),
  }),
  errors: ['terminal_not_found', 'revision_unknown', 'command_not_found'],
  cli: {
    positionals: ['id?', 'start:end?'],
    examples: [
      'text t1',
      'text t1 0:5',
      'text @ --region all',
      'text @ --format ansi --region all',
      'text @ --since 42',
    ],
  },
});
