import { z } from 'zod';
import { defineCommand } from '../command.js';
import { cursorPosition, rev, terminalId } from '../vocabulary.js';

export const TEXT_REGIONS = ['viewport', 'scrollback', 'all'] as const;

export const text = defineCommand({
  name: 'text',
  summary: 'Read lines of text.',
  details:
    '`start` and `end` count lines from the bottom of the region: 0 is the last line, and `end` is not included, so 0 and 5 are the last five lines. Lines come top to bottom. The reply says which range it holds.',
  params: {
    id: terminalId,
    start: z.int().min(0).optional().describe('First line, counted from the bottom.'),
    end: z.int().min(0).optional().describe('Line after the last one, counted from the bottom.'),
    trim: z.boolean().default(false).describe('Cut blanks at the ends of lines.'),
    region: z.enum(TEXT_REGIONS).default('viewport'),
    command: z
      .int()
      .refine((n) => n !== 0, 'a number from 1, or -1 for the last')
      .optional()
      .describe('Only the output of this shell command: its number in `commands`, or -1 for the last, -2 for the one before.'),
  },
  reply: {
    lines: z.array(z.string()),
    region: z.enum([...TEXT_REGIONS, 'command']),
    start: z.int(),
    end: z.int(),
    total_lines: z.int().describe('Lines in the region.'),
    lost_lines: z
      .int()
      .optional()
      .describe('With `command`: lines of its output that the scrollback has lost.'),
    rev,
    cursor: cursorPosition,
  },
  errors: ['terminal_not_found', 'command_not_found'],
  cli: { positionals: ['id?', 'start:end?'], examples: ['text t1', 'text t1 0:5', 'text @ --region all'] },
});
