import { z } from 'zod';
import { defineCommand } from '../command.js';
import { shownDoingShape } from '../doing.js';
import { MAX_TIMEOUT_MS } from '../limits.js';
import { claimantShape } from './control.js';
import { logMoment, momentShape, rev, terminalId } from '../vocabulary.js';
import { momentErrors } from '../turn-errors.js';

export const LINE_SIZES = ['double-width', 'double-top', 'double-bottom'] as const;

/** A tail of defaults is left out. */
export const run = z
  .tuple([
    z.string().describe('Text; an empty cell is a space.'),
    z.string().optional().describe('Parameters of SGR, such as "1;34"; empty for the default style.'),
    z
      .int()
      .optional()
      .describe(
        'Cells, where a code point is not one cell, else 0 or absent. Twice the number of code points: all are wide. Any other number: the text is one character.',
      ),
    z.string().optional().describe('Target of the hyperlink.'),
  ])
  .describe('Cells of one style. Characters of one run never join.');

export const rowOfRuns = z.object({
  runs: z.array(run).describe('From the first column; cells after the last run are empty.'),
  wrapped: z.boolean().optional().describe('True: the row continues the one above.'),
  size: z.enum(LINE_SIZES).optional(),
});

const color = z.string().optional().describe('As "#rrggbb".');

export const watch = defineCommand({
  name: 'watch',
  group: 'look',
  effect: 'read',
  reach: 'read',
  tool: false,
  commandLine: false,
  summary: 'Return what has changed on the screen since the last frame.',
  details:
    'A live view asks again and again, with the `rev` and the `state` of the frame that it has. The reply comes when one of the two differs, and has the difference: first `copied` rows of that frame, then `drawn` rows. Nothing is queued for a slow reader: it gets what the screen is when it asks. A frame with `complete` replaces all rows; those that are not in `drawn` are blank. It comes without `since`, if the daemon no longer has that frame (the last 8 frames are kept, for 10 s), and after a change of the size or of the screen. At the deadline the reply has the same `rev` and `state`, and empty lists. The fields from `cols` to `asks` are there if the frame is complete or `state` differs. The command does not change the meaning of "@".',
  params: () => ({
    id: terminalId,
    since: z.int().min(0).optional().describe('The `rev` of the frame that the asker has. Absent: reply at once.'),
    state: z.int().min(0).optional().describe('The `state` of that frame. Absent: the present one.'),
    gather_ms: z
      .int()
      .min(0)
      .max(1000)
      .default(8)
      .describe('After a change, longest wait until all output that has arrived is on the screen.'),
    at: logMoment
      .optional()
      .describe(
        'Reply at once with the complete frame of this moment, as `at` of `text` has it. `state` is that of the request.',
      ),
    timeout_ms: z.int().min(0).max(MAX_TIMEOUT_MS).default(30_000),
  }),
  reply: () => ({
    rev,
    state: z
      .int()
      .describe(
        'Number of the state: title, modes, colors, size, bells, end of the program, control, watchers, questions, what the program is doing.',
      ),
    complete: z.boolean().optional().describe('True: the frame replaces all rows.'),
    first_line: z.int().describe('Lasting number of the top row.'),
    oldest: z
      .int()
      .optional()
      .describe('Lasting number of the oldest line that is kept. Left out if it is 0 and the frame is not complete.'),
    cursor: z
      .tuple([z.int(), z.int(), z.int(), z.enum(['block', 'underline', 'bar']), z.int()])
      .describe('Row, column, visible (1 or 0), shape, blinking (1 or 0).'),
    cols: z.int().optional(),
    rows: z.int().optional(),
    title: z.string().optional(),
    alt_screen: z.boolean().optional(),
    modes: z
      .record(z.string(), z.union([z.boolean(), z.string(), z.number()]))
      .optional()
      .describe(
        'Modes that the program has set, as far as input or the colors depend on them; without those for input that an ended command has left.',
      ),
    colors: z
      .object({
        foreground: color,
        background: color,
        cursor: color,
        palette: z.record(z.string(), z.string()).optional().describe('By index, as "#rrggbb".'),
      })
      .optional()
      .describe('Colors that the program itself has set; absent if none.'),
    alive: z.boolean().optional().describe('False: the process is gone, and all of its output is on the screen.'),
    bells: z.int().optional().describe('Number of bells since the terminal was first watched.'),
    control: z
      .object({ ...claimantShape, requests: z.array(z.string()).describe('Names that ask for it, in their order.') })
      .nullable()
      .optional()
      .describe('The name that has control; null if none has.'),
    watchers: z.int().optional().describe('Connections that watch the terminal, this one included.'),
    doing: z
      .object(shownDoingShape)
      .optional()
      .describe('What the program is doing, as the last event `doing` said; absent before the first.'),
    asks: z.array(z.int()).optional().describe('Numbers of the open questions about this terminal.'),
    at: z.object(momentShape).optional().describe('With `at`: the moment of the frame.'),
    copied: z
      .array(z.tuple([z.int(), z.int(), z.int()]))
      .describe('Target row, source row in the frame of `since`, number of rows.'),
    drawn: z.array(z.object({ row: z.int(), ...rowOfRuns.shape })),
  }),
  errors: ['terminal_not_found', 'revision_unknown', ...momentErrors],
});
