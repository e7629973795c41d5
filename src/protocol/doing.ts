/** Work of a terminal's program as t4a concludes it, with the source. */
import { z } from 'zod';

export const DOING_STATES = ['working', 'waiting', 'idle', 'done', 'error', 'exited', 'unknown'] as const;
/** Kinds of what a program that waits for somebody waits for. */
export const DOING_KINDS = ['permission', 'question', 'auth', 'password', 'line', 'paused'] as const;
export const DOING_SOURCES = ['kernel', '7501', 'report', 'rules', 'progress', 'shell'] as const;
export const NEEDS = [...DOING_KINDS, 'unknown', 'ask', 'error'] as const;

export type DoingState = (typeof DOING_STATES)[number];
export type Need = (typeof NEEDS)[number];

const is = z
  .enum(DOING_STATES)
  .describe('`waiting`: for a person or an agent; `idle`: for its next task. `unknown`: nothing says.');
const kind = z.enum(DOING_KINDS).nullable().describe('What a waiting program waits for; null if it does not say.');
const source = z
  .enum(DOING_SOURCES)
  .nullable()
  .describe(
    '`7501` is a claim of the program, `report` one of its hooks, `rules` a reading of its screen; null with `unknown`.',
  );
const since = z
  .number()
  .nullable()
  .describe('First sign of it, in milliseconds since the Unix epoch; null if unknown.');
const needsYou = z
  .enum(NEEDS)
  .nullable()
  .describe('Why a person should look: the `kind` (`unknown`: it does not say), an open `ask`, an `error`; else null.');

/** Fields for watchers, and in events. */
export const shownDoingShape = { is, kind, source, since, needs_you: needsYou };

export const doingShape = {
  ...shownDoingShape,
  sure: z.boolean().describe('False: a guess by output and system calls, or marks that anything could have printed.'),
  evidence: z.string().nullable(),
  differs: z.array(z.object({ source: z.enum(DOING_SOURCES), is, kind })).describe('Signals that count and disagree.'),
};

/** Signals in one reply of `explain`. */
export const MAX_SIGNALS = 64;

export const signalShape = {
  source: z.enum(DOING_SOURCES),
  is,
  kind,
  says: z.string().describe('Its words: text of the program, or what t4a has seen.'),
  since,
  age_ms: z.int().nullable().describe('Since its last sign.'),
  by: z.object({ pid: z.int(), process: z.string().nullable() }).nullable().describe('The process; null if unknown.'),
  counts: z.boolean(),
  why: z.string().describe('`decides`, `agrees`, `differs`, `guesses`, or why it does not count.'),
};

export const doingCondition = z
  .string()
  .regex(
    new RegExp(`^(?:${DOING_STATES.join('|')}|waiting:(?:${DOING_KINDS.join('|')}))$`),
    `one of ${DOING_STATES.join(', ')}, or waiting:KIND with one of ${DOING_KINDS.join(', ')}`,
  );
