import { z } from 'zod';
import { defineCommand } from '../command.js';
import { momentErrors } from '../turn-errors.js';
import { logMoment, momentShape, terminalId } from '../vocabulary.js';

export const forget = defineCommand({
  name: 'forget',
  group: 'look',
  effect: 'act',
  reach: 'use',
  person: ['force'],
  tool: false,
  summary: 'Drop some time of what the daemon remembers of a terminal, such as a secret that was printed.',
  details:
    'Dropped are the history of that time, in whole pieces of up to 512 screens, so that some before and after it may go as well; all that `output` and `debug` have so far; rebuilt screens; and entries of rules that are not open. What is still on the screen or in the scrollback stays there; events and command lines stay. Moments of that time get `moment_lost`.',
  params: () => ({
    id: terminalId,
    from: logMoment.optional().describe('Moment, such as "-30s". Default: the oldest that is kept.'),
    to: logMoment.default('end'),
    force: z.boolean().default(false).describe('Also while another name has control. A person alone may.'),
  }),
  reply: () => ({
    first: z.object(momentShape).describe('Of what was dropped.'),
    last: z.object(momentShape),
    files: z
      .array(z.string())
      .describe('That may still have it: recordings of the terminal, and the file of its entries.'),
  }),
  errors: ['terminal_not_found', 'control_held', 'revision_unknown', ...momentErrors],
  cli: { positionals: ['id'], examples: ['forget build --from -30s', 'forget @ --from command:-1:start^'] },
});
