/** Labels of terminals, and the terminals that a request means by them. */
import { z } from 'zod';
import { authorName } from './command.js';
import { doingCondition } from './doing.js';
import { terminalId } from './vocabulary.js';

export const MAX_LABELS = 32;

const labelName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/, 'lower-case letters, digits, "_", "." and "-", at most 64');
const labelValue = z
  .string()
  .max(1024)
  .regex(/^\P{Cc}*$/u, 'no control characters');

export const labels = z
  .record(labelName, labelValue)
  .refine((given) => Object.keys(given).length <= MAX_LABELS, `at most ${MAX_LABELS} labels`);

export const labelNames = z.array(labelName).min(1).max(MAX_LABELS);

/** All that is given must be true of a terminal. */
export const whereShape = {
  id: z.array(terminalId).min(1).max(1000).optional().describe('One of these.'),
  labels: labels.optional().describe('It has all of these labels.'),
  owner: authorName.optional().describe('A request of this author (`as`) has made it.'),
  command_regex: z.string().min(1).max(4096).optional().describe('Pattern of its program and arguments.'),
  doing: doingCondition
    .optional()
    .describe('What its program is doing, for example "waiting" or "waiting:permission".'),
  needs_you: z.boolean().optional().describe('Whether a person should look at it.'),
};

export const where = z.strictObject(whereShape);

export type Where = z.infer<typeof where>;
