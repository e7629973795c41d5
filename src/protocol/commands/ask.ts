import { z } from 'zod';
import { defineCommand } from '../command.js';
import { MAX_TIMEOUT_MS } from '../limits.js';
import { observeField, observedReplyShape } from '../observation.js';
import { rev, terminalId } from '../vocabulary.js';
import { MAX_NOTE_LENGTH } from './control.js';
import { turnErrors } from '../turn-errors.js';

export const ASK_KINDS = ['text', 'choice', 'confirm', 'secret', 'hand'] as const;

export const ASK_OUTCOMES = ['answered', 'declined', 'open', 'withdrawn', 'expired', 'exited'] as const;

export const MAX_QUESTION_LENGTH = 4096;
const MAX_CHOICES = 20;

/** MCP clients end a call after 60 s. */
const TOOL_TIMEOUT_MS = 50_000;

const number = z.int().min(1);
const choices = z.array(z.string().min(1).max(MAX_NOTE_LENGTH)).min(2).max(MAX_CHOICES);

export const ask = defineCommand({
  name: 'ask',
  group: 'people',
  effect: 'act',
  reach: 'use',
  exitStatus: 'answer',
  tool: {
    fields: ['id', 'question', 'kind', 'choices', 'resume'],
    brief:
      'Ask a person. Kinds: text, choice, confirm, secret (typed into terminal id, not returned), hand (they type in terminal id, then give it back). Outcome open: call again with `resume`.',
    limits: { timeout_ms: TOOL_TIMEOUT_MS },
    withheld: ['elicited'],
  },
  summary: 'Ask a person a question, and wait for the answer.',
  details:
    'Persons see the question in `asks`, and where they watch the terminal. At the deadline the outcome is "open": the question stays, and `resume` waits on. The answer to a "secret" is typed into the terminal and is in no reply; if the terminal would show it, the person must insist. A "hand" is accepted by a person who takes control of the terminal, and answered by its release, with a note. The answer to a text or a choice may also come from the interface of the asker itself (`elicited`): it counts if it is the first, and is not known to be that of a person. Outcomes: "answered", "declined", "open", "withdrawn" by the asker (`withdraw`, or the end of its first request), "expired" after `expires_ms`, "exited" with the terminal. At most 64 questions are open, 16 of one connection and 4 of one name. One whose connection has gone, and for which no request waits, gives way to a new one: it is "withdrawn".',
  params: () => ({
    id: terminalId.optional().describe('Terminal that it is about.'),
    question: z.string().min(1).max(MAX_QUESTION_LENGTH).optional().describe('Words for a person.'),
    kind: z.enum(ASK_KINDS).default('text').describe('Kind of the answer.'),
    choices: choices.optional().describe('With "choice": the answers.'),
    submit: z.boolean().default(true).describe('With "secret": press Enter after it.'),
    timeout_ms: z
      .int()
      .min(0)
      .max(MAX_TIMEOUT_MS)
      .default(600_000)
      .describe('Longest wait of this request; the question then stays open.'),
    expires_ms: z
      .int()
      .min(1000)
      .max(MAX_TIMEOUT_MS)
      .default(MAX_TIMEOUT_MS)
      .describe('The question is dropped after this time.'),
    resume: number.optional().describe('Number of an open question of your name to wait for, in place of a new one.'),
    withdraw: number.optional().describe('Drop this question of your name.'),
    elicited: z
      .string()
      .max(MAX_QUESTION_LENGTH)
      .optional()
      .describe(
        'With `resume` of an own question, "text" or "choice": what the interface of the asker was answered. Ignored if the question has ended.',
      ),
    ...observeField,
  }),
  reply: () => ({
    ask: number.describe('Number of the question, for `resume`.'),
    outcome: z.enum(ASK_OUTCOMES),
    answer: z.union([z.string(), z.boolean()]).optional().describe('Never that of a secret.'),
    note: z.string().optional().describe('Of the person.'),
    by: z
      .string()
      .nullable()
      .describe('Name of the person; null if unknown or without an answer; "elicitation" with `person` false.'),
    person: z
      .literal(false)
      .optional()
      .describe('The answer is from the interface of the asker (`elicited`): not known to be that of a person.'),
    watchers: z.int().optional().describe('Connections that watch the terminal now.'),
    changed: z.boolean().optional().describe('Whether the screen has changed since the question.'),
    rev: rev.optional(),
    ...observedReplyShape,
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'terminal_exited', 'ask_not_found', 'too_many_asks', ...turnErrors],
  cli: {
    positionals: ['question?'],
    hidden: ['elicited'],
    fields: { submit: { off: 'Type the secret without Enter.' } },
    examples: [
      'ask "Which branch?" --as ci',
      'ask "Deploy to production?" --kind confirm --as ci',
      'ask "One-time password" --kind secret --id build --as claude-1',
      'ask "Please resolve the conflict" --kind hand --id build --as claude-1',
      'ask --resume 7',
    ],
    notes:
      'Prints the answer. Exits with 0 if it was given, 1 if it is no, or was declined, 124 at the deadline, and 4 if there will be none. The name is that of --as or $T4A_AS.',
  },
});

export const asks = defineCommand({
  name: 'asks',
  group: 'people',
  effect: 'read',
  reach: 'read',
  summary: 'List the open questions to persons.',
  params: () => ({}),
  reply: () => ({
    asks: z.array(
      z.object({
        ask: number,
        kind: z.enum(ASK_KINDS),
        question: z.string().describe('Words of the asker.'),
        choices: choices.optional(),
        as: z.string().describe('Name of the asker.'),
        since: z.number().describe('Milliseconds since the Unix epoch.'),
        expires_in_ms: z.int(),
        id: z.string().nullable().describe('The terminal that the question is about.'),
        foreground: z
          .string()
          .nullable()
          .describe('Name of the foreground process there, as far as the daemon can see.'),
        accepted_by: z.string().optional().describe('With "hand": the person who has taken control.'),
      }),
    ),
  }),
  cli: { examples: ['asks', 'asks --json'] },
});

export const answer = defineCommand({
  name: 'answer',
  group: 'people',
  effect: 'end',
  reach: 'use',
  fieldReach: { even_if_shown: 'admin' },
  person: true,
  summary: 'Answer a question of `ask`.',
  details:
    'For persons: no tool of a model has this command. A "secret" is typed only while the program that was in the foreground at the question reads a line without echo, else `would_echo`. A "hand" is answered by taking control and releasing it; it can be declined here.',
  params: () => ({
    ask: number.describe('Number of the question.'),
    text: z
      .string()
      .max(MAX_QUESTION_LENGTH)
      .optional()
      .describe('The answer; of a choice its words or its number, of a confirmation yes or no.'),
    decline: z.boolean().default(false).describe('Give no answer.'),
    note: z.string().min(1).max(MAX_NOTE_LENGTH).optional().describe('For the asker.'),
    even_if_shown: z.boolean().default(false).describe('Type the secret although the terminal may show it.'),
    undo: z
      .boolean()
      .default(false)
      .describe(
        'Take back what this name has answered: the question is open again. Refused once `undo_ms` are over or the asker has read it.',
      ),
  }),
  reply: () => ({
    ask: number,
    outcome: z.enum(['answered', 'declined', 'open']).describe('`open` after `undo`.'),
    undo_ms: z
      .int()
      .describe('How long `undo` takes it back, in milliseconds, unless the asker reads it; 0: not at all.'),
  }),
  errors: ['ask_not_found', 'terminal_exited', 'would_echo', 'control_held', 'input_blocked', 'input_interrupted'],
  cli: {
    positionals: ['ask', 'text?'],
    examples: [
      'answer 7 main',
      'answer 7 yes --note "after lunch"',
      'answer 7 --decline',
      'answer 7 --undo',
      'answer 8',
    ],
    notes:
      'A secret is never an argument: t4a asks for it on the terminal and does not show it, or reads standard input.',
  },
});
