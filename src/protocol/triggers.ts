/** Conditions and actions of triggers. */
import { z } from 'zod';
import { MAX_QUESTION_LENGTH } from './commands/ask.js';
import { publish } from './commands/publish.js';
import { conditionShape, MAX_CONDITIONS } from './conditions.js';
import { MAX_DELIVERED_BYTES } from './delivery.js';
import { MAX_KEYS, MAX_TYPED_LENGTH } from './input.js';
import { labelNames, labels, whereShape } from './labels.js';
import { terminalName, timeoutMs } from './vocabulary.js';

/** Triggers of one terminal. */
export const MAX_TRIGGERS = 64;
/** Triggers of all terminals that requests have made; those of the owner's file come on top. */
export const MAX_TRIGGERS_IN_ALL = 256;
/** Firings of one trigger within a second; then it is stopped. */
export const MAX_FIRINGS_A_SECOND = 50;
/** Restarts by one trigger within a minute; then it is stopped. */
export const MAX_RESTARTS_A_MINUTE = 10;
/** Triggers of which each fires the next; a trigger that would be a further link does not fire. */
export const MAX_CHAIN = 8;
/** Time after an action of a trigger within which what happens in a terminal counts as its effect. */
export const EFFECT_MS = 10_000;
export const MAX_ACTIONS = 16;
/** A program that does not wait for input within this time gets no keys. */
export const READS_WITHIN_MS = 2000;

export const triggerConditionShape = {
  ...conditionShape,
  entry: z
    .strictObject({ kind: z.string().min(1).max(64).describe('Kind of the entry.') })
    .describe('The rules of the terminal found a new entry, or one is open.'),
  disconnected: z.literal(true).describe('The connection that made the trigger is gone.'),
  after_ms: timeoutMs.describe('This time has passed since the trigger was made.'),
};

export type TriggerConditionKind = keyof typeof triggerConditionShape;

export const TRIGGER_CONDITION_KINDS = Object.keys(triggerConditionShape) as TriggerConditionKind[];

const triggerCondition = z
  .strictObject(triggerConditionShape)
  .partial()
  .refine(isOne, { error: `exactly one condition in each object, one of ${TRIGGER_CONDITION_KINDS.join(', ')}` });

export type TriggerCondition = z.output<typeof triggerCondition>;

export const triggerConditions = z.union([
  triggerCondition.transform((one) => [one]),
  z.array(triggerCondition).min(1).max(MAX_CONDITIONS),
]);

const keys = z.union([z.string().min(1).max(MAX_TYPED_LENGTH), z.array(z.string().min(1)).min(1).max(MAX_KEYS)]);

export const actionShape = {
  publish: publish.params.omit({ warn: true }).describe('Publish an event.'),
  press: keys.describe('Press keys, by their names.'),
  type: z
    .union([
      z.string().min(1).max(MAX_TYPED_LENGTH),
      z.strictObject({
        text: z.string().max(MAX_TYPED_LENGTH).describe('The text.'),
        submit: z.boolean().describe('Press Enter afterwards.'),
      }),
    ])
    .describe('Type text; with `submit`, Enter afterwards.'),
  paste: z.string().min(1).max(MAX_TYPED_LENGTH).describe('Paste text.'),
  deliver: z
    .union([
      z.string().min(1).max(MAX_DELIVERED_BYTES),
      z.strictObject({
        text: z.string().min(1).max(MAX_DELIVERED_BYTES).describe('The prompt.'),
        on_question: z.enum(['fail', 'wait']).optional().describe('While the agent asks something.'),
        timeout_ms: timeoutMs.optional().describe('For all of it; 30 s if absent.'),
      }),
    ])
    .describe(
      'Deliver a prompt to the agent in the terminal, as the command does; any outcome but "submitted" is a failure.',
    ),
  run: z
    .strictObject({
      command: z.string().min(1).max(MAX_TYPED_LENGTH).describe('Command line for /bin/sh.'),
      name: terminalName.optional().describe('Name of its terminal.'),
    })
    .describe(
      'Run a command in a new terminal, in the directory and environment of the program. `T4A_MATCH` is the line that matched.',
    ),
  ask: z
    .strictObject({
      question: z.string().min(1).max(MAX_QUESTION_LENGTH).describe('Words for a person.'),
      kind: z.enum(['text', 'confirm']).default('confirm').describe('Kind of the answer.'),
    })
    .describe('Ask a person about the terminal, under the name of the author; the answer is an event `answered`.'),
  notify: z.string().min(1).max(1024).describe('Words for people, in the event `triggered`.'),
  kill: z
    .union([
      z.literal(true),
      z.strictObject({ signal: z.string().min(1).max(16).describe('Name, for example "INT".') }),
      z.strictObject({
        tree: z.boolean().describe('Also the terminals that were created from within it, those first.'),
      }),
    ])
    .describe('End the terminal, with `tree` those created from within it as well, or send a signal to its program.'),
  restart: z
    .literal(true)
    .describe('Start the program of the terminal again; after 10 times within a minute the trigger is stopped.'),
  label: z
    .strictObject({
      set: labels.optional().describe('Labels to set.'),
      unset: labelNames.optional().describe('Names of labels to remove.'),
    })
    .describe('Set and remove labels of the terminal.'),
};

export type ActionKind = keyof typeof actionShape;

export const ACTION_KINDS = Object.keys(actionShape) as ActionKind[];

const action = z
  .strictObject(actionShape)
  .partial()
  .refine(isOne, { error: `exactly one action in each object, one of ${ACTION_KINDS.join(', ')}` });

export type Action = z.output<typeof action>;

export const actions = z.array(action).min(1).max(MAX_ACTIONS);

/** Fields that make a trigger, beside its terminal. */
export const triggerShape = {
  when: triggerConditions.describe('A condition of `wait`, `entry`, `after_ms` or `disconnected`; or several: any.'),
  do: actions.describe('Actions, one after the other; the first that fails is the last.'),
  name: z
    .string()
    .regex(/^\w[\w.-]{0,63}$/, 'letters, digits, "_", "." and "-" only, at most 64')
    .optional()
    .describe('For events and lists.'),
  once: z.boolean().default(false).describe('It ends with its first firing.'),
  fresh: z.boolean().default(false).describe('Only what comes after the request counts.'),
  reading: z
    .boolean()
    .default(false)
    .describe(
      'It fires only when the program waits for input, at most once for each input; then text in the line of the cursor counts again, although it never was gone. With `text` and `regex` alone. Linux only.',
    ),
  anywhere: z
    .boolean()
    .default(false)
    .describe(
      'With `text` and `regex`: keys and text are sent wherever the match stands. Without it they are sent only if it stands in the line of the cursor while the program reads, and does so anew: in another line than at the last time, or as a new match in it.',
    ),
};

/** Reasons to call a person. */
export const CALLS = ['ask', 'waiting', 'failed'] as const;

/** Where a call goes: a program of this machine, or an address. In triggers.json alone: it could make the daemon run anything. */
const notifyRule = z
  .strictObject({
    on: z
      .array(z.enum(CALLS))
      .min(1)
      .default([...CALLS]),
    where: z.strictObject(whereShape).optional().describe('Of these terminals; absent: of all, and of none.'),
    command: z
      .array(
        z
          .string()
          .max(4096)
          .regex(/^[^\0]*$/, 'no NUL'),
      )
      .min(1)
      .max(32)
      .optional()
      .describe('Program and arguments, without a shell; `{title}` in them is what to say, `{terminal}` the terminal.'),
    webhook: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .refine((address) => !hasUser(address), { error: 'an address without a user: "headers" takes "Authorization"' })
      .optional(),
    format: z.enum(['text', 'slack', 'json']).default('text').describe('Of the webhook: `text` is that of ntfy.'),
    headers: z
      .record(
        z.string().regex(/^[\w-]{1,64}$/),
        z
          .string()
          .max(4096)
          .regex(/^[\x20-\x7e]*$/),
      )
      .optional()
      .describe('Of the webhook, for example "Authorization".'),
    quiet: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'from and to, such as "22:00-07:30"')
      .optional()
      .describe('Of each day, in the time of this machine: no call.'),
  })
  .refine(({ command, webhook }) => (command === undefined) !== (webhook === undefined), {
    error: 'either "command" or "webhook"',
  });

export type NotifyRule = z.output<typeof notifyRule>;

export const MAX_NOTIFY_RULES = 16;

/** triggers.json of the owner: triggers of every terminal that is made and meant. */
export const triggersFileShape = {
  version: z.literal(1),
  triggers: z
    .array(
      z.strictObject({
        ...triggerShape,
        where: z.strictObject(whereShape).optional().describe('Of these terminals; absent: of all.'),
        as: z.string().min(1).max(64).optional().describe('Author of its input and questions.'),
      }),
    )
    .max(MAX_TRIGGERS)
    .default([]),
  notify: z.array(notifyRule).max(MAX_NOTIFY_RULES).default([]),
};

/** What is no address at all is refused by its own check. */
function hasUser(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function isOne(fields: object): boolean {
  return Object.values(fields).filter((value) => value !== undefined).length === 1;
}
