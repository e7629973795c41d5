import { z } from 'zod';
import { defineCommand } from '../command.js';
import { pastTurnShape, pastTurnReplyShape } from '../observation.js';
import { contextLines, rev, terminalId } from '../vocabulary.js';
import { MAX_PATTERN_LENGTH } from './find.js';
import { TEXT_REGIONS } from './text.js';
import { turnErrors } from '../turn-errors.js';

const grepLine = {
  line: z.int().describe('0 is the oldest line of the scrollback.'),
  number: z.int().describe('Lasting number: 0 is the first line that the terminal ever had.'),
  text: z.string(),
};

export const grep = defineCommand({
  name: 'grep',
  group: 'look',
  settings: { context: 'context' },
  effect: 'read',
  reach: 'read',
  exitStatus: 'matches',
  summary: 'Search the scrollback and the viewport for a pattern.',
  details:
    'RE2 syntax: the time grows with the length of the text and is independent of the shape of the pattern. Rows that were printed as one line are searched as one line and have the number of their first row. Context lines of two matches are listed once, with the earlier match.',
  params: () => ({
    id: terminalId,
    pattern: z.string().min(1).max(MAX_PATTERN_LENGTH).describe('Regular expression.'),
    fixed: z.boolean().default(false).describe('The pattern is text, not a regular expression.'),
    ignore_case: z.boolean().default(false),
    before: contextLines.optional().describe('Context lines before each match.'),
    after: contextLines.optional().describe('Context lines after each match.'),
    context: contextLines
      .default(0)
      .describe('Context lines before and after each match, unless `before` or `after` is given.'),
    max: z.int().min(1).max(10_000).default(200).describe('Matching lines returned.'),
    last: z.boolean().default(false).describe('Return the last `max` matching lines instead of the first.'),
    region: z.enum(TEXT_REGIONS).default('all'),
    ...pastTurnShape,
  }),
  reply: () => ({
    matches: z.array(
      z.object({
        ...grepLine,
        spans: z
          .array(z.object({ start: z.int(), end: z.int() }))
          .describe('Matches in the text, in UTF-16 code units.'),
        before: z.array(z.object(grepLine)),
        after: z.array(z.object(grepLine)),
      }),
    ),
    total: z.int().describe('Matching lines in the region, including those beyond `max`.'),
    lines: z.int().describe('Rows that were searched.'),
    lost_lines: z.int().optional().describe('With `at`: lines above the viewport that are not rebuilt.'),
    first_line: z.int().describe('Lasting number of line 0: the number of lines that the scrollback has dropped.'),
    rev,
    ...pastTurnReplyShape,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', ...turnErrors],
  cli: {
    positionals: ['id', 'pattern'],
    fields: {
      after: { short: 'A' },
      before: { short: 'B' },
      context: { short: 'C' },
      ignore_case: { short: 'i', description: 'Ignore case.' },
      fixed: { short: 'F' },
      max: { short: 'm' },
      region: { description: 'Where to search.' },
    },
    notes:
      'Prints lines as ripgrep does: "12:match" and "13-context". Line 0 is the oldest line of the scrollback. Exits with 1 if nothing matches.',
    examples: ['grep @ error', 'grep @ error -C 2', "grep @ 'warn(ing)?' --ignore-case --last --max 5"],
  },
});
