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
  tool: false,
  summary: 'Deliver a prompt to an agent, and prove that it has arrived.',
  details:
    'Waits until the agent takes prompts: its box is open (rules on `box`, see activity.md) and empty, it asks nothing, and nobody else has control. Then the text is pasted, and Enter follows as a write of its own once the program has read the text and shows it in the box, and only while that box is there, no question is, and nobody else has typed. The outcome is `submitted` only with a proof. Other outcomes come with a `hint`; what was pasted stays in the box. No input of others comes between text and Enter; after 2 s they wait no longer, and there is no Enter. Of a program without such rules, the row of the cursor counts as the box, Enter is pressed once, and the proof is a report of the program (OSC 7501), or that it has read a line. Line breaks at the end are left out, and control characters removed. The same `key` and text again return the first receipt.',
  params: () => ({
    id: terminalId,
    text: z.string().min(1).max(MAX_DELIVERED_BYTES).describe('The prompt: at most 64 KiB as UTF-8.'),
    key: z
      .string()
      .min(1)
      .max(MAX_DELIVERY_KEY_LENGTH)
      .optional()
      .describe('A name for this delivery: the same again, also at the same time, delivers nothing more.'),
    submit: z.boolean().default(true).describe('Press Enter; else the text is left in the box (`shown`).'),
    on_question: z
      .enum(['fail', 'wait'])
      .default('fail')
      .describe('What to do while the agent asks something: end with `question`, or wait until it is answered.'),
    on_draft: z
      .enum(['wait', 'fail'])
      .default('wait')
      .describe('What to do while there is other text in the box: wait until it is gone, or end with `draft`.'),
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
      'Without the argument, standard input is delivered. Exits with 0 only if the outcome is `submitted` (with --no-submit: `shown`), 124 for `not_ready` and `draft`, 4 for `exited`, else 3.',
  },
});
