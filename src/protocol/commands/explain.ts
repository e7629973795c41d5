import { z } from 'zod';
import { defineCommand } from '../command.js';
import { doingShape, MAX_SIGNALS, signalShape } from '../doing.js';
import { statusRecordShape } from '../program-status.js';
import { momentErrors } from '../turn-errors.js';
import { logMoment, momentShape, terminalId } from '../vocabulary.js';

export const explain = defineCommand({
  name: 'explain',
  group: 'look',
  effect: 'read',
  reach: 'read',
  tool: false,
  summary: 'Explain what a program is doing: every signal, those that disagree included.',
  details:
    'The first kind of signal that there is decides: the end of the process, or a password or a line that it has read for a second (`kernel`); what the program says by OSC 7501 (`7501`, a claim); what its hooks say (`report`, a claim, too); what rules read off its screen (`rules`); its progress by OSC 9;4 (`progress`); marks of its shell (`shell`); and last, as a guess, its output of the last two seconds, or that it would take a key (`kernel`, not `sure`). A question that one of these three has half a second after another wins over "working". The past (`at`) has what was known then, for as long as the history of the terminal reaches back.',
  params: () => ({
    id: terminalId,
    at: logMoment.optional().describe('The answer as it was at this moment, as `at` of `text` has it.'),
  }),
  reply: () => ({
    doing: z.object(doingShape),
    for_ms: z.int().nullable().describe('Since `since`; null if unknown.'),
    signals: z.array(z.object(signalShape)).max(MAX_SIGNALS).describe('The one that decides first.'),
    left_out: z.int().optional().describe('Further signals.'),
    records: z
      .array(
        z.object({
          source: z.enum(['7501', 'report']),
          ...statusRecordShape,
          at: z.number().describe('When it was said last, in milliseconds since the Unix epoch.'),
          stale: z.string().nullable().describe('Why it counts for nothing; null if it counts.'),
        }),
      )
      .max(MAX_SIGNALS)
      .describe('What the program and its hooks say, in full, the latest first.'),
    asks: z.int().describe('Open questions about the terminal (`ask`), then.'),
    at: z.object(momentShape).optional().describe('With `at`: the moment.'),
    warning: z.string().optional().describe('Why nothing is known.'),
  }),
  errors: ['terminal_not_found', ...momentErrors],
  cli: {
    positionals: ['id?'],
    examples: ['explain @', 'explain claude-1', 'explain claude-1 --at=-30s', 'explain t1 --json'],
    notes:
      'Prints the answer, and a line for each signal: its source, what it says, since when, and whether it counts.',
  },
});
