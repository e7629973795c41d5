/** The receipt of a delivered prompt. */
import { z } from 'zod';

export const MAX_DELIVERED_BYTES = 64 * 1024;
export const MAX_DELIVERY_KEY_LENGTH = 64;
/** Receipts by key that each terminal keeps. */
export const MAX_DELIVERY_KEYS = 64;

export const DELIVERY_OUTCOMES = [
  'submitted',
  'shown',
  'question',
  'draft',
  'not_ready',
  'no_paste',
  'not_seen',
  'no_echo',
  'others_typed',
  'not_submitted',
  'exited',
] as const;

export type DeliveryOutcome = (typeof DELIVERY_OUTCOMES)[number];

export const DELIVERY_PROOFS = ['report', 'message', 'box', 'read'] as const;

const span = z.int().nullable();

export const deliveryShape = {
  outcome: z
    .enum(DELIVERY_OUTCOMES)
    .describe(
      '`submitted`: with a proof. `shown`: in the box, as `submit: false` asks. Nothing was written: `draft` (other text in the box), `not_ready` (no box that t4a knows, until the deadline), `no_paste` (several lines, and the program takes no pastes). Written, and no Enter: `not_seen` (not read), `no_echo` (not in the box). Either: `question`, `others_typed`, `exited`. `not_submitted`: Enter was pressed, and there is no proof.',
    ),
  delivered: z
    .object({
      seen_ms: span.describe('The program had read the text; null if it had not, or that cannot be known.'),
      shown_ms: span.describe('The box held the text.'),
      submitted_ms: span.describe('The first Enter was written.'),
      proof: z
        .enum(DELIVERY_PROOFS)
        .nullable()
        .describe(
          'What proves it: the program reports work (OSC 7501), a message on the screen, the box without the text, a line that was read.',
        ),
      tries: z.int().describe('How often Enter was pressed.'),
    })
    .describe('Times are milliseconds since the text was written.'),
  written: z.boolean().describe('Whether the text was written. It is in the box unless it was submitted.'),
  box: z
    .enum(['known', 'guessed'])
    .describe(
      '`known`: a rule names the box. `guessed`: the row of the cursor counts as it, and Enter is pressed once.',
    ),
  while_working: z
    .boolean()
    .nullable()
    .describe('The agent was at work as Enter was pressed, so it queues the prompt.'),
  question: z
    .object({
      entry: z.string().nullable().describe('`id@version` for `if_entry` of `press`; null if no rule has found it.'),
      text: z.string().describe('Words of the program.'),
    })
    .optional()
    .describe('What the agent asks.'),
  inputs: z.int().describe('Inputs of the terminal so far, of all clients.'),
  elapsed_ms: z.int(),
  removed: z.int().optional().describe('Control characters that were removed from the text.'),
  tail: z.array(z.string()).describe('Last lines of the screen, unless it was submitted.'),
  hint: z.string().optional().describe('What to do next.'),
  repeated: z.boolean().optional().describe('The receipt of an earlier delivery with this key.'),
};
