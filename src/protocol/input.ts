/** What the commands that send input share. */
import { z } from 'zod';

/** Typed by fingers, key by key; longer texts are pasted. */
export const MAX_TYPED_LENGTH = 64 * 1024;

/** Keys of one `press`. */
export const MAX_KEYS = 10_000;

/** The kernel keeps 4,096 bytes of a line, its end included, and drops the rest. */
export const MAX_SECRET_BYTES = 4095;

/** Text that nobody is to see. */
export const secretShape = {
  secret: z
    .boolean()
    .default(false)
    .describe(
      'A secret line: written only while a program certainly reads without echo, else `would_echo`; never logged.',
    ),
  even_if_shown: z
    .boolean()
    .default(false)
    .describe(
      'For a person who has looked at the prompt: write the secret even where the terminal may show it. No tool of a model has this field.',
    ),
};

export const submit = z.boolean().default(false).describe('Press Enter afterwards, in a write of its own.');

/** What can keep input from reaching a program. */
export const inputErrors = ['terminal_not_found', 'terminal_exited', 'input_blocked', 'input_interrupted'] as const;

export const secretErrors = ['would_echo'] as const;
