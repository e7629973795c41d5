import { z } from 'zod';
import { defineCommand } from '../command.js';
import { waitReplyShape, waitShape } from '../conditions.js';
import { where } from '../labels.js';
import { observeField, observedReplyShape } from '../observation.js';
import { terminalId } from '../vocabulary.js';
import { turnErrors } from '../turn-errors.js';

export const wait = defineCommand({
  name: 'wait',
  group: 'wait',
  effect: 'read',
  reach: 'read',
  exitStatus: 'outcome',
  tool: {
    fields: ['id', 'until', 'fail', 'timeout_ms'],
    required: ['id'],
    brief: 'Wait for a condition; returns the outcome and the last lines.',
  },
  summary: 'Wait for a condition, then report the screen.',
  details:
    'A condition that is true already counts. The reply comes with the first condition of `fail` or `until` that is true, at the deadline, or when the process has exited; `outcome` is the reason. With `where` the first terminal whose wait is met or failed ends it; else the last that exits, or the deadline. Conditions `published` alone need no terminal: without `id` and `where` the reply has no lines. Text and regular expressions are searched in each line on the screen and in each line that scrolls by, with wrapped rows joined.',
  params: () => ({
    id: terminalId.optional(),
    where: where
      .optional()
      .describe('In place of `id`: the first of the terminals that these things are true of now, and that are alive.'),
    ...waitShape,
    ...observeField,
  }),
  reply: () => ({
    id: z.string().optional().describe('With `where`: the terminal whose wait ended it.'),
    ...waitReplyShape,
    warning: z
      .string()
      .optional()
      .describe(
        'The match is what was typed, and not output; or the text stands there only so. At the deadline of a wait for the event "entry": the terminal has no rules, and so no entries.',
      ),
    ...observedReplyShape,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'invalid_field', ...turnErrors],
  cli: {
    positionals: ['id?'],
    examples: [
      "wait @ --text ready --fail 'error|panic' --timeout 60000",
      'wait t1 --done',
      'wait build --exit',
      'wait t1 --settled 500 --timeout 10000',
      'wait t1 --input-kind password',
      'wait t1 --control free',
      'wait --published tests.passed',
      `wait --where role=worker --done`,
    ],
    notes:
      "With several conditions the first that is true ends the wait. Prints the outcome as one field a line, then the last lines of the screen. Exits with 0 if a condition was met; if that is the end of a command or program (--done, --exit), with its own status, 128 and the signal's number, or 6 if the status is unknown. Exits with 124 at the deadline, 3 if --fail matched, the program's status (4 in place of 0) if it ended first, and 125 at an error of t4a.",
  },
});
