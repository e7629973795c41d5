import { z } from 'zod';
import { authorName, defineCommand } from '../command.js';
import { MAX_TIMEOUT_MS } from '../limits.js';
import { rev, terminalId } from '../vocabulary.js';

/** Characters of a reason or a note. */
export const MAX_NOTE_LENGTH = 200;

const note = z.string().min(1).max(MAX_NOTE_LENGTH);

export const claimantShape = {
  as: z.string().describe('Name.'),
  person: z.boolean(),
  since: z.number().describe('Milliseconds since the Unix epoch.'),
  reason: z.string().optional(),
  exclusive: z.literal(true).optional().describe('One connection has it, and not all of that name.'),
};

export const control = defineCommand({
  name: 'control',
  group: 'people',
  effect: 'act',
  reach: 'use',
  person: ['person', 'force'],
  summary: 'Take the keyboard of a terminal, give it back, or hand it over.',
  details:
    'A name (`as` of the request) has control, not a connection, unless it takes it with `exclusive`. By default no name has it, and all may type. While one has it, input of all others is refused with `control_held`, and never queued; so are `kill`, `restart`, `forget`, changes of labels, new triggers that act on the terminal, and the removal of triggers of others, unless a person sends them with `force`. Commands that read are not refused, nor are ends that no request asks for: of a tied terminal, of `run`, of the daemon, and by triggers on "disconnected". An agent takes control that is free; while another agent has it, it waits in line for `wait_ms`; while a person has it, the take becomes a request, which the person gives or denies. A person takes it from an agent at once, and from another person with `force`. A take comes between two requests, never between a text and its Enter; with `force` it cuts them short, and closes a paste. Control of an agent ends 60 s after its last input, but neither in an unfinished line nor at a prompt that hides the input or may hide it; where a person has a lease, an unfinished line counts for 20 s after the last key. Then the first in line has it. Names are cooperative, and no protection against programs of the same user.',
  params: () => ({
    id: terminalId,
    action: z
      .enum(['show', 'take', 'release', 'give', 'deny'])
      .describe('"release" also withdraws a request; "give" and "deny" answer one.'),
    to: authorName.optional().describe('With "give" and "deny": whose request. Default: the first one.'),
    person: z.boolean().default(false).describe('With "take": the author is a person.'),
    reason: note.optional().describe('With "take": shown to the others.'),
    note: note.optional().describe('With "release", "give" and "deny": for the next one.'),
    lease_ms: z
      .int()
      .min(1000)
      .max(MAX_TIMEOUT_MS)
      .optional()
      .describe(
        'With "take": time after the last input at which control ends. An agent that leaves it out has 60 s, a person no end.',
      ),
    connected: z.boolean().default(false).describe('With "take": ends 10 s after this connection has gone, too.'),
    exclusive: z
      .boolean()
      .default(false)
      .describe(
        'With "take": for this connection alone. To it, the same name on another connection is another name. Implies `connected`; for 10 s after the end of the connection all of the name have it.',
      ),
    wait_ms: z
      .int()
      .min(0)
      .max(MAX_TIMEOUT_MS)
      .default(0)
      .describe('With "take": longest wait in line while another name has control.'),
    force: z.boolean().default(false).describe('With "take" and `person`: also from a person, in the middle of input.'),
  }),
  reply: () => ({
    holder: z.object(claimantShape).nullable().describe('Null: no name has control, and all may type.'),
    hold: z.int().nullable().describe('Number of this hold, for `if_hold`; null without a holder.'),
    requests: z.array(z.object(claimantShape)).describe('Names that ask for control, in their order.'),
    expires_in_ms: z
      .int()
      .nullable()
      .describe('Until it ends without further input; null if it does not; 0 if the end waits for a line or a prompt.'),
    rev,
    inputs: z.int(),
  }),
  errors: ['terminal_not_found', 'terminal_exited', 'control_held', 'not_holder'],
  cli: {
    positionals: ['id', 'action'],
    hidden: ['connected', 'exclusive'],
    examples: [
      'control @ show',
      'control build',
      'control build take --as ada --person --reason password',
      'control build release --as ada --note "logged in"',
      'control build give --as ada --to claude-1',
      'control build take --as claude-1 --wait-ms 30000',
    ],
    notes:
      'A single argument is the action, and the terminal is the default one; if it is no action, it is the terminal, which is shown. The name is that of --as or $T4A_AS.',
  },
});
