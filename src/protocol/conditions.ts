/** The conditions of a wait and its outcome: shared by every command that takes a `wait`. */
import { z } from 'zod';
import { doingCondition, shownDoingShape } from './doing.js';
import { EVENT_TYPES } from './events.js';
import { awaitingInputShape, cellSpan, exitCode, rev, shellLevel, signalName, timeoutMs } from './vocabulary.js';

/** Characters of a pattern. */
export const MAX_PATTERN_LENGTH = 1000;
export const MAX_CONDITIONS = 32;
export const DEFAULT_WAIT_TIMEOUT_MS = 30_000;

const pattern = z.string().min(1).max(MAX_PATTERN_LENGTH);
const yes = z.literal(true);

export const conditionShape = {
  text: pattern.describe('This text is on the screen, or scrolled by.'),
  regex: pattern.describe('A line matches this regular expression (RE2 syntax).'),
  gone: pattern.describe('This text is not on the screen.'),
  idle_ms: timeoutMs.describe('No output came for this long.'),
  settled_ms: timeoutMs.describe(
    'The screen did not change for this long; cells that change periodically do not count. Awaited with a `create`, a blank screen counts once the program waits for input, or after 3 s.',
  ),
  done: yes.describe(
    'The shell has finished the last command, by its marks (shell integration, or hooks of the user); on Linux, a shell without marks is done when it waits for a line, without an exit code.',
  ),
  exit: yes.describe('The process ended and all its output is on the screen.'),
  event: z.enum(EVENT_TYPES).describe('An event of this type is published.'),
  awaiting_input: z
    .union([yes, z.enum(['password', 'line', 'raw'])])
    .describe('The foreground program waits for input (of this kind).'),
  changed_since: z.int().min(0).describe('The revision of the screen is greater than this.'),
  output_since: z.int().min(0).describe('The program has printed more bytes than this (`output_bytes` of `status`).'),
  cursor: z
    .strictObject({
      row: z.int().min(0).optional().describe('0-based, in the viewport.'),
      col: z.int().min(0).optional().describe('0-based.'),
    })
    .describe('The cursor is in this row, in this column, or at this place.'),
  control: z
    .enum(['free', 'mine', 'lost'])
    .describe('No other name has control (free); the author of the request has it (mine), or does not (lost).'),
  doing: z
    .union([doingCondition, z.array(doingCondition).min(1).max(16)])
    .describe('The program does this, or one of these: "idle", "waiting", "waiting:permission" (see `explain`).'),
  published: z.string().min(1).max(64).describe('An event of this name is published (`publish`).'),
};

export type ConditionKind = keyof typeof conditionShape;

export const CONDITION_KINDS = Object.keys(conditionShape) as ConditionKind[];

const condition = z
  .strictObject(conditionShape)
  .partial()
  .refine((fields) => Object.values(fields).filter((value) => value !== undefined).length === 1, {
    error: `exactly one condition in each object, one of ${CONDITION_KINDS.join(', ')}`,
  });

export type Condition = z.output<typeof condition>;

const conditions = z.union([condition.transform((one) => [one]), z.array(condition).min(1).max(MAX_CONDITIONS)]);

export const waitShape = {
  until: conditions.describe('Conditions, each an object with one field; the first that is true ends the wait.'),
  fail: conditions.optional().describe('Conditions that end the wait as failed; they are checked first.'),
  timeout_ms: timeoutMs.default(DEFAULT_WAIT_TIMEOUT_MS).describe('Deadline; it is an outcome, not an error.'),
  fresh: z.boolean().optional().describe('Count only what comes after the request, as commands that act always do.'),
  at_cursor: z
    .boolean()
    .optional()
    .describe(
      '`text` and `regex` of `until` are looked for in the line of the cursor alone, while the program waits for input: a question, and no line of a log. Linux only.',
    ),
  tail: z.int().min(0).max(1000).default(10).describe('Number of last lines of the screen in the reply.'),
};

export type WaitParams = z.output<z.ZodObject<typeof waitShape>>;

export const WAIT_OUTCOMES = ['matched', 'failed', 'timeout', 'exited', 'awaiting_input', 'nothing_ran'] as const;

export const waitReplyShape = {
  outcome: z
    .enum(WAIT_OUTCOMES)
    .describe(
      '`awaiting_input`: of a wait for `exit` and `done` alone: the program waits for input, as `run` has it. `nothing_ran`: of `done` after an act: the shell is at its prompt, and nothing ran.',
    ),
  index: z
    .int()
    .optional()
    .describe('Index of the condition that ended the wait, in `until` (matched) or `fail` (failed).'),
  match: z
    .object({
      row: z.int().describe('Row of the viewport; negative rows are above it.'),
      col: z.int(),
      text: z.string(),
    })
    .optional()
    .describe('With `text` and `regex`.'),
  code: z.int().nullable().optional().describe('With `done`: the same as `exit_code`.'),
  exit_code: exitCode
    .optional()
    .describe(
      'If a command or the program ended the wait (`done`, `exit`, their events, the outcome `exited`): its exit code; null if unknown, or if a signal ended it.',
    ),
  shell_level: shellLevel,
  nothing_ran: z
    .literal(true)
    .optional()
    .describe('With `done`: the shell is at its prompt and has run no command yet, so there is no exit code.'),
  signal: signalName.optional().describe('With `exit_code`: the signal that ended the program, else null.'),
  command: z.string().nullable().optional().describe('If a command ended the wait: its command line; null if unknown.'),
  event: z.record(z.string(), z.unknown()).optional().describe('With `event` and `published`: the event.'),
  awaiting_input: z
    .object(awaitingInputShape)
    .optional()
    .describe('With `awaiting_input`, as a condition or as the outcome, and with `at_cursor`.'),
  doing: z.object(shownDoingShape).optional().describe('With `doing`.'),
  ignored: z.array(cellSpan).optional().describe('With `settled_ms`: cells that change periodically.'),
  warning: z
    .string()
    .optional()
    .describe(
      'The match of `text` or `regex` is what was typed, and not output; of a wait that was not met: the text stands there only so, or why `done` cannot come.',
    ),
  elapsed_ms: z.int(),
  rev,
  tail: z.array(z.string()).describe('Last lines of the screen that are not blank.'),
};

export type WaitReply = z.output<z.ZodObject<typeof waitReplyShape>>;
