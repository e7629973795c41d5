import { z } from 'zod';
import type { CliFlag } from '../command.js';
import { defineCommand } from '../command.js';
import { triggerShape } from '../triggers.js';
import { terminalId } from '../vocabulary.js';

const number = z.int().min(1).describe('Number of the trigger, for `untrigger`.');

/** Flags that are an action each. */
const ACTION_FLAGS: readonly CliFlag[] = [
  { name: 'press', type: 'string', placeholder: 'keys', description: 'Press these keys, by their names.' },
  { name: 'type', type: 'string', placeholder: 'text', description: 'Type this text.' },
  { name: 'paste', type: 'string', placeholder: 'text', description: 'Paste this text.' },
  { name: 'deliver', type: 'string', placeholder: 'text', description: 'Deliver this prompt to the agent in it.' },
  { name: 'submit', type: 'boolean', description: 'Press Enter after the text of --type.' },
  { name: 'publish', type: 'string', placeholder: 'name', description: 'Publish an event of this name.' },
  { name: 'notify', type: 'string', placeholder: 'text', description: 'Say this to people, in the event triggered.' },
  { name: 'run', type: 'string', placeholder: 'command', description: 'Run this line in a new terminal.' },
  { name: 'ask', type: 'string', placeholder: 'question', description: 'Ask a person to confirm something.' },
  { name: 'label', type: 'string', placeholder: 'NAME=VALUE', description: 'Set a label of the terminal.' },
  { name: 'restart', type: 'boolean', description: 'Start its program again.' },
  { name: 'kill', type: 'boolean', description: 'End the terminal.' },
  { name: 'tree', type: 'boolean', description: 'With --kill: also the terminals created from within it.' },
];

export const trigger = defineCommand({
  name: 'trigger',
  group: 'wait',
  effect: 'end',
  reach: 'create',
  tool: false,
  summary: 'Let the daemon act by itself whenever a condition becomes true.',
  details:
    'A trigger fires once for each appearance of its condition, and what holds already is one, unless `fresh`. Each firing is an event `triggered`. Keys and text go to a program that waits for input alone, for a `text` or `regex` only if the match stands in the line of the cursor then (unless `anywhere`), never to a password prompt, and under the name of the author of the request (`as`): while another name has control they are refused, and so is a trigger with actions on the terminal. An action that fails is a `warning`. A trigger that fires more than 50 times within a second is stopped, as is one that restarts its program more than 10 times within a minute; of a chain of triggers that fire each other eight fire. It ends with its terminal, and goes on when the program is started again.',
  params: () => ({
    id: terminalId,
    ...triggerShape,
    with_connection: z.boolean().default(false).describe('It ends with the connection of the request.'),
  }),
  reply: () => ({
    trigger: number,
    warning: z
      .string()
      .optional()
      .describe('Why its condition `entry` cannot become true: the terminal has no rules, or none of that kind.'),
  }),
  errors: [
    'terminal_not_found',
    'terminal_exited',
    'too_many_triggers',
    'bad_regex',
    'unsupported',
    'read_only',
    'control_held',
  ],
  cli: {
    positionals: ['id'],
    hidden: ['do', 'with_connection'],
    fields: {
      when: {
        type: 'string',
        repeatable: true,
        placeholder: 'condition',
        description:
          'A condition as after --wait, or published=NAME, entry=KIND, after=TIME; may be repeated: any of them.',
      },
    },
    flags: ACTION_FLAGS,
    examples: [
      'trigger @ --when text=Overwrite? --press y',
      "trigger build --when 'regex=^panic:' --publish panicked --once",
      'trigger t1 --when text=Continue? --reading --type yes --submit',
      'trigger web --when exit --restart',
      "trigger build --when 'regex=error: .*' --run 'notify-send \"$T4A_MATCH\"'",
      'trigger t1 --when after=10m --kill',
    ],
    notes:
      'Several actions are done in the order label, press, type, paste, deliver, ask, publish, run, restart, kill. Prints the number of the trigger.',
  },
});

export const triggers = defineCommand({
  name: 'triggers',
  group: 'wait',
  effect: 'read',
  reach: 'read',
  tool: false,
  summary: 'List triggers: what each waits for, how often it fired, and what failed last.',
  params: () => ({ id: terminalId.optional() }),
  reply: () => ({
    triggers: z.array(
      z.object({
        trigger: number,
        id: z.string(),
        name: z.string().nullable(),
        as: z.string().nullable().describe('Author of the request, if it named one.'),
        when: z.array(z.record(z.string(), z.unknown())),
        do: z.array(z.record(z.string(), z.unknown())),
        once: z.boolean(),
        reading: z.boolean(),
        anywhere: z.boolean().optional().describe('True for a trigger that was made so.'),
        state: z
          .enum(['armed', 'stopped', 'spent'])
          .describe('"stopped": it fired too often. "spent": nothing that it waits for can come any more.'),
        fired: z.int().describe('Firings so far.'),
        last_ts: z.number().nullable().describe('Of the last firing, in milliseconds since the Unix epoch.'),
        last_error: z.string().nullable().describe('Why an action failed last.'),
      }),
    ),
  }),
  errors: ['terminal_not_found'],
  cli: { positionals: ['id?'], examples: ['triggers', 'triggers build --json'] },
});

export const untrigger = defineCommand({
  name: 'untrigger',
  group: 'wait',
  effect: 'act',
  reach: 'use',
  person: ['force'],
  tool: false,
  summary: 'Remove a trigger.',
  params: () => ({
    trigger: number,
    force: z
      .boolean()
      .default(false)
      .describe('Also that of another name while another has control of the terminal. A person alone may.'),
  }),
  reply: () => ({}),
  errors: ['trigger_not_found', 'control_held'],
  cli: { positionals: ['trigger'], examples: ['untrigger 1'] },
});
