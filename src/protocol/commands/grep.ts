import { z } from 'zod';
import { defineCommand } from '../command.js';
import { rev, terminalId } from '../vocabulary.js';
import { MAX_PATTERN_LENGTH } from './find.js';
import { TEXT_REGIONS } from './text.js';

const contextLines = z.int().min(0).max(1000);

const grepLine = {
  line: z.int().describe('0 is the oldest line of the scrollback.'),
  number: z.int().describe('Lasting number: 0 is the first line that the terminal ever had.'),
  text: z.string(),
};

export const grep = defineCommand({
  name: 'grep',
  summary: 'Search the scrollback and the viewport for a pattern.',
  details:
    'RE2 syntax: time grows with the length of the text, whatever the pattern. Rows that were printed as one line are searched as one, and have the number of their first row. Context lines that belong to two matches are told once, with the earlier one.',
  params: () => ({
    id: terminalId,
    pattern: z.string().min(1).max(MAX_PATTERN_LENGTH).describe('Regular expression.'),
    fixed: z.boolean().default(false).describe('The pattern is text, not a regular expression.'),
    ignore_case: z.boolean().default(false),
    before: contextLines.optional().describe('Lines told before each match.'),
    after: contextLines.optional().describe('Lines told after each match.'),
    context: contextLines.default(0).describe('Lines told before and after, where those are not given.'),
    max: z.int().min(1).max(10_000).default(200).describe('Matching lines returned.'),
    last: z.boolean().default(false).describe('Return the last `max` of them instead of the first.'),
    region: z.enum(TEXT_REGIONS).default('all'),
  }),
  reply: () => ({
    matches: z.array(
      z.object({
        ...grepLine,
        spans: z.array(z.object({ start: z.int(), end: z.int() })).describe('Where in the text, in UTF-16 code units.'),
        before: z.array(z.object(grepLine)),
        after: z.array(z.object(grepLine)),
      }),
    ),
    total: z.int().describe('Matching lines in the region, also those beyond `max`.'),
    lines: z.int().describe('Rows that were searched.'),
    first_line: z.int().describe('Lasting number of line 0: so many lines were cut from the scrollback before it.'),
    rev,
  }),
  errors: ['terminal_not_found', 'bad_regex'],
  cli: {
    positionals: ['id', 'pattern'],
    examples: ['grep @ error', 'grep @ error -C 2', "grep @ 'warn(ing)?' --ignore-case --last --max 5"],
  },
});
