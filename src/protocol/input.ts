/** Fields and bounds of the commands that send input. */
import { z } from 'zod';

/** Characters of one `type`; longer texts are for `paste`. */
export const MAX_TYPED_LENGTH = 64 * 1024;

/** Keys of one `press`. */
export const MAX_KEYS = 10_000;

/** The kernel keeps 4,096 bytes of a line, its end included, and drops the rest. */
export const MAX_SECRET_BYTES = 4095;

/** Fields of a secret text. */
export const secretShape = {
  secret: z
    .boolean()
    .default(false)
    .describe(
      'The text is a secret line: written only while a program is known to read without echo, else `would_echo`; never logged.',
    ),
  even_if_shown: z
    .boolean()
    .default(false)
    .describe(
      'For a person who has looked at the prompt: write the secret although the terminal may show it. No tool of a model has this field.',
    ),
};

/** Conditions of input, checked right before its first byte. */
export const conditionalShape = {
  if_inputs: z
    .int()
    .min(0)
    .optional()
    .describe('Write only if this is the number of inputs so far (`inputs` of a reply), else `others_typed`.'),
  if_hold: z
    .int()
    .min(1)
    .optional()
    .describe('Write only while this hold lasts (`hold` of `control`), else `not_holder`.'),
};

export const submit = z.boolean().default(false).describe('Press Enter afterwards, in a write of its own.');

export const submitWarning = z
  .string()
  .optional()
  .describe(
    'Why the program may have taken the text otherwise than meant, or that the shell had put text at its prompt, which was dropped first.',
  );

/** Reasons why input cannot reach a program. */
export const inputErrors = [
  'terminal_not_found',
  'terminal_exited',
  'input_blocked',
  'input_interrupted',
  'control_held',
  'not_holder',
  'others_typed',
] as const;

export const secretErrors = ['would_echo'] as const;
