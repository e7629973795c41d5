import { z } from 'zod';
import { defineCommand } from '../command.js';
import { logMoment, momentShape, terminalId } from '../vocabulary.js';
import { searchShape } from './find.js';
import { momentErrors } from '../turn-errors.js';

export const seek = defineCommand({
  name: 'seek',
  group: 'look',
  effect: 'read',
  reach: 'read',
  exitStatus: 'matches',
  summary: 'Find the moment at which something appeared on the screen, or was gone.',
  details:
    'Exactly one of `text`, `regex` and `gone`. Looks at every screen from `from` to `to`, but not within synchronized updates. What is on the screen of `from` already counts.',
  params: () => ({
    id: terminalId,
    text: searchShape.text.describe('Until this text is on the screen.'),
    regex: searchShape.regex.describe('Until this regular expression (RE2 syntax) matches.'),
    gone: searchShape.text.describe('Until this text, which was on the screen, is not any more.'),
    ignore_case: z.boolean().default(false),
    from: logMoment.optional().describe('Default: the oldest that is kept.'),
    to: logMoment.default('end'),
    last: z.boolean().default(false).describe('The last time in place of the first.'),
  }),
  reply: () => ({
    outcome: z.enum(['found', 'none']),
    total: z.int().describe('1 if it was found, else 0.'),
    at: z.object(momentShape).optional().describe('The first screen of that time.'),
    match: z.object({ row: z.int(), col: z.int(), text: z.string() }).optional(),
  }),
  errors: ['terminal_not_found', 'bad_regex', 'revision_unknown', ...momentErrors],
  cli: {
    positionals: ['id', 'text?'],
    fields: { ignore_case: { short: 'i', description: 'Ignore case.' } },
    notes: 'Exits with 1 if it was not there.',
    examples: ['seek @ error', "seek build --regex 'panic|FAILED' --last", 'seek @ --gone Loading --from -1m'],
  },
});
