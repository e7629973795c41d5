import { z } from 'zod';
import { defineCommand } from '../command.js';
import { entryShape } from '../entry.js';
import { cellSpan, logMoment, rev, terminalId } from '../vocabulary.js';
import { momentErrors } from '../turn-errors.js';

const MAX_RULES_LENGTH = 512 * 1024;

export const profileName = z
  .string()
  .regex(/^\w[\w.-]{0,63}$/, 'letters, digits, "_", "." and "-" only, at most 64')
  .describe('Profile of rules: "generic", one of the rules file, or "none".');

export const rules = defineCommand({
  name: 'rules',
  group: 'configuration',
  effect: 'act',
  reach: 'admin',
  tool: false,
  summary: 'Show, check or change the rules by which terminals have entries.',
  details:
    'The file is `$XDG_CONFIG_HOME/t4a/rules.json`. It is read when a terminal is created and again whenever it changes; while it is broken, the last good rules stay, and a `warning` names the place. After a change of rules, the entries of a terminal are corrected: later versions and deletions follow, nothing is rewritten.',
  params: () => ({
    action: z
      .enum(['show', 'check', 'set', 'apply'])
      .default('show')
      .describe(
        '"check" reads `rules`, and with `terminal` reports the entries that they would find, without keeping them. "set" uses `rules` until the daemon ends or the file changes, or chooses the `profile` of a terminal. "apply" reads all lines of a terminal again, or with `from` all of its past.',
      ),
    rules: z.string().max(MAX_RULES_LENGTH).optional().describe('Text of a rules file, to check or to set.'),
    name: z.string().min(1).max(4096).default('rules').describe('Name of that text in errors.'),
    terminal: terminalId.optional(),
    profile: profileName.optional(),
    from: logMoment
      .optional()
      .describe(
        'With "check": run `rules` through the history of the terminal, without an effect. With "apply": run the rules through the history of the terminal, as if they had been its rules; corrections of what changed since this moment follow. "start": of all that is kept.',
      ),
    with_text: z.boolean().default(false).describe('With "show": the text of the rules in use as well.'),
    if_version: z
      .int()
      .min(0)
      .optional()
      .describe('Refuse to set them (`rules_changed`) if the rules have another version.'),
  }),
  reply: () => ({
    version: z.int().describe('Grows with each change of the rules.'),
    file: z.string(),
    text: z
      .string()
      .nullable()
      .optional()
      .describe('With `with_text`: of the rules that the file or "set" gave; null if none did.'),
    profiles: z.array(z.object({ id: z.string(), rules: z.int(), automatic: z.boolean() })),
    profile: z.string().nullable().optional().describe('Of the terminal: the profile that is used.'),
    corrections: z.int().optional().describe('Of "apply" with `from`: changes of entries that have followed.'),
    entries: z
      .array(
        z.object({
          ...entryShape,
          row: z.int().nullable().describe('Row of the viewport; negative above it.'),
          cells: z.array(cellSpan).describe('Cells of the viewport that it stands in, row by row.'),
        }),
      )
      .optional()
      .describe('Of a check with a terminal.'),
    snapshot: z
      .object({
        rev,
        cols: z.int(),
        rows: z.int(),
        lines: z.array(z.string()).describe('The rows, without blanks at their ends.'),
      })
      .optional()
      .describe('Of a check with a terminal: the viewport that `row` and `cells` are of.'),
    differences: z
      .array(
        z.object({
          change: z.enum(['added', 'changed', 'removed']),
          id: z.string(),
          kind: z.string(),
          rule: z.string(),
          text: z.string(),
        }),
      )
      .optional()
      .describe('Of a check with a terminal: what these rules would change of the entries that it has.'),
  }),
  errors: [
    'rules_invalid',
    'rules_changed',
    'profile_not_found',
    'terminal_not_found',
    'revision_unknown',
    ...momentErrors,
  ],
  cli: {
    positionals: ['action?', 'rules?'],
    hidden: ['name', 'with_text'],
    fields: { rules: { placeholder: 'FILE', description: 'A rules file; "-" for standard input.' } },
    examples: [
      'rules',
      'rules check rules.json',
      'rules check rules.json --terminal build --json',
      'rules set --terminal build --profile generic',
      'rules apply --terminal build',
      'rules apply --terminal build --from start',
    ],
    notes: 'With --json, "rules check FILE --terminal T" has the entries that the rules would find on that terminal.',
  },
});
