import { z } from 'zod';
import { defineCommand } from '../command.js';
import {
  changedField,
  changedReply,
  pastTurnShape,
  pastTurnReplyShape,
  selectionField,
  unshownPicture,
} from '../observation.js';
import { cursorPosition, logMoment, rev, terminalId } from '../vocabulary.js';
import { rowOfRuns } from './watch.js';
import { turnErrors } from '../turn-errors.js';

export const TEXT_REGIONS = ['viewport', 'scrollback', 'all'] as const;
/** The screen with the scrollback, and the one without, that editors and pagers show. */
export const TEXT_SCREENS = ['main', 'alternate'] as const;
export const TEXT_FORMATS = ['plain', 'ansi', 'cells', 'runs', 'html'] as const;

const color = z.union([z.int(), z.string()]).optional().describe('Palette index or "#rrggbb"; absent for the default.');

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
  row: z.int().describe('Row of the viewport; negative rows are above it.'),
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
  group: 'look',
  effect: 'read',
  reach: 'read',
  clientDefaults: { trim: true },
  tool: {
    fields: ['id', 'region', 'last', 'from_line', 'max_lines', 'changed'],
    brief: 'Read the terminal as exact lines of text; region "all" includes the scrollback.',
  },
  summary: 'Read lines of text.',
  details:
    '`start` and `end` count lines from the bottom of the region: 0 is the last line, and `end` is not included, so 0 and 5 are the last five lines. Lines come top to bottom. The reply holds the range that was read. Lines also have lasting numbers, which stay when the scrollback grows or is cut: 0 is the first line that the terminal ever had (the alternate screen counts from its top, and a new width lays out all lines anew). Each `ansi` line begins and ends with default attributes; printed in order, the lines give the same grid.',
  params: () => ({
    id: terminalId,
    start: z.int().min(0).optional().describe('First line, counted from the bottom.'),
    end: z.int().min(0).optional().describe('Line after the last one, counted from the bottom.'),
    trim: z.boolean().default(false).describe('Remove blanks at the ends of lines.'),
    last: z
      .int()
      .min(1)
      .optional()
      .describe('The last lines with text, of the screen and its scrollback, in place of `start` and `end`.'),
    region: z
      .enum(TEXT_REGIONS)
      .optional()
      .describe('Default: the viewport; with `last`, or where `start` or `end` reach above it, all.'),
    command: z
      .int()
      .refine((n) => n !== 0, 'a number from 1, or -1 for the last')
      .optional()
      .describe(
        'The output of this shell command, in place of a region: its number in `commands`, or -1 for the last, -2 for the one before.',
      ),
    screen: z
      .enum(TEXT_SCREENS)
      .optional()
      .describe(
        'main: the screen with the scrollback, also while an editor or pager shows the alternate one; alternate: that one, or an error while it is not shown. Default: the one that is shown.',
      ),
    format: z
      .enum(TEXT_FORMATS)
      .default('plain')
      .describe(
        'plain; ansi: with colours as escape sequences; cells: runs of equal cells; runs: the same in the short form of `watch`; html: one `<pre>`.',
      ),
    from_line: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Lasting number of the first row, in place of `start`, `end` and `region`: the same rows after more output.',
      ),
    max_lines: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe('With `from_line`: number of rows at most; 1000 if absent.'),
    join_wrapped: z.boolean().default(false).describe('Join rows that were printed as one line.'),
    since: logMoment
      .optional()
      .describe(
        'Only lines that changed after this revision or moment, with their `numbers`; all lines if `complete` is true.',
      ),
    changed: changedField,
    selection: selectionField,
    max_bytes: z
      .int()
      .min(1)
      .max(64 * 1024 * 1024)
      .optional()
      .describe('Size limit: keep whole lines of the head and the tail; `omitted` counts the others.'),
    highlights: z
      .boolean()
      .default(false)
      .describe('Include the spans that stand out: inverse, or on another background.'),
    links: z
      .boolean()
      .default(false)
      .describe('Include the hyperlinks. Targets of more than 2083 characters make none.'),
    ...pastTurnShape,
  }),
  reply: () => ({
    lines: z.array(z.string()).describe('Empty with the formats cells, runs and html.'),
    region: z.enum([...TEXT_REGIONS, 'command']),
    start: z.int(),
    end: z.int(),
    total_lines: z.int().describe('Lines in the region.'),
    lost_lines: z
      .int()
      .optional()
      .describe(
        'With `command` and `from_line`: lines of that range that the scrollback has dropped. With `at`: lines above the viewport that are not rebuilt.',
      ),
    rev,
    cursor: cursorPosition,
    first_line: z.int().describe('Lasting number of the first line of the range.'),
    numbers: z.array(z.int()).optional().describe('Number of each line, with `since` and `join_wrapped`.'),
    complete: z
      .boolean()
      .optional()
      .describe('With `since`: true if the reply has all lines, since the revision is too old or of another screen.'),
    cells: z.array(z.array(cellRun)).optional().describe('With the format cells: the runs of each line.'),
    rows: z.array(rowOfRuns).optional().describe('With the format runs.'),
    html: z.string().optional().describe('With the format html.'),
    changed: changedReply,
    omitted: z
      .object({
        lines: z.int(),
        bytes: z.int(),
        after: z.int().describe('Number of lines of the reply before the omitted ones.'),
      })
      .optional()
      .describe('Lines that `max_bytes` left out.'),
    highlights: z.array(highlight).optional(),
    warning: unshownPicture,
    links: z.array(z.object({ ...span, url: z.string() })).optional(),
    ...pastTurnReplyShape,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'command_not_found', 'screen_not_shown', 'invalid_field', ...turnErrors],
  cli: {
    positionals: ['id?', 'start:end?'],
    fields: {
      region: {
        description:
          'Part of the screen or of its scrollback. Default: viewport; with --last, or start:end beyond it, all.',
      },
      trim: { off: 'Keep blanks at the ends of lines.' },
    },
    notes:
      'start and end count lines from the bottom: 0:5 are the five lowest lines of the screen, blank ones included. Either may be left out; beyond the screen they count into the scrollback. Without both, blank lines below the text are left out.',
    examples: [
      'text t1',
      'text t1 0:5',
      'text t1 --last 20',
      'text @ --region all',
      'text @ --screen main',
      'text @ --format ansi --region all',
      'text @ --since 42',
      'text @ --changed',
      'text @ --from-line 1000 --max-lines 50',
    ],
  },
});
