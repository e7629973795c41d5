import { z } from 'zod';
import { defineCommand } from '../command.js';
import { deliveryShape, MAX_DELIVERED_BYTES, MAX_DELIVERY_KEY_LENGTH } from '../delivery.js';
import { terminalId, timeoutMs } from '../vocabulary.js';

const DEFAULT_TIMEOUT_MS = 30_000;

export const deliver = defineCommand({
  name: 'deliver',
  group: 'act',
  effect: 'end',
  reach: 'use',
  stdin: 'text',
  exitStatus: 'delivery',
  summary: 'Deliver a prompt to an agent, and prove that it has arrived.',
  details:
    'Waits until the agent takes prompts: its box is open (a rule on `box`, see activity.md) and empty, it asks nothing, and no other name has control. Then the text is pasted. Enter follows as a write of its own once the program has read the text and shows it in the box, and only while that box stands, no question does, and no other input has come. `submitted` needs a proof; every other outcome has a `hint`, and what was pasted stays in the box. Input of others waits until Enter, for at most 2 s: then there is no Enter. Without such a rule the row of the cursor counts as the box, Enter is pressed once, and only a report of the program (OSC 7501) or a line that it has read is a proof. Line breaks at the end are left out, and control characters removed. The same `key` and text again return the first receipt, until `restart`; a delivery that wrote nothing leaves its key free.',
  params: () => ({
    id: terminalId,
    text: z.string().min(1).max(MAX_DELIVERED_BYTES).describe('The prompt, of up to 64 KiB in UTF-8.'),
    key: z
      .string()
      .min(1)
      .max(MAX_DELIVERY_KEY_LENGTH)
      .optional()
      .describe('A name for this delivery: the same again, also at the same time, delivers nothing more.'),
    submit: z.boolean().default(true).describe('Press Enter; else the text is left in the box (outcome "shown").'),
    on_question: z
      .enum(['fail', 'wait'])
      .default('fail')
      .describe('While the agent asks something: end with the outcome "question", or wait until it is answered.'),
    on_draft: z
      .enum(['wait', 'fail'])
      .default('wait')
      .describe('While there is other text in the box: wait until it is gone, or end with the outcome "draft".'),
    timeout_ms: timeoutMs.default(DEFAULT_TIMEOUT_MS).describe('For all of it.'),
    if_inputs: z
      .int()
      .min(0)
      .optional()
      .describe('Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.'),
  }),
  reply: () => deliveryShape,
  errors: ['terminal_not_found', 'input_blocked', 'control_held', 'key_reused', 'too_many_waits'],
  cli: {
    positionals: ['id', 'text?'],
    examples: [
      'deliver claude-1 "fix the tests"',
      'deliver @ --on-question wait < prompt.md',
      'deliver codex-2 "go on" --key step-3',
    ],
    notes:
      'Without the argument, standard input is delivered. Exits with 0 only if the outcome is `submitted`, with 124 for `not_ready` and `draft`, 4 for `exited`, else 3.',
  },
});
