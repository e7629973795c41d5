/** What the commands that send input share. */
import { z } from 'zod';

/** Typed by fingers, key by key; longer texts are pasted. */
export const MAX_TYPED_LENGTH = 64 * 1024;

/** Keys of one `press`. */
export const MAX_KEYS = 10_000;

export const secret = z
  .boolean()
  .default(false)
  .describe(
    'The text is a secret: no error, log or debug dump may hold it. What the program prints of it is not ours.',
  );

export const submit = z
  .boolean()
  .default(false)
  .describe(
    'Press Enter afterwards: a write of its own after a short gap, so that it is not taken for part of the text.',
  );

/** What can keep input from reaching a program. */
export const inputErrors = ['terminal_not_found', 'terminal_exited', 'input_blocked', 'input_interrupted'] as const;
