import { z } from 'zod';
import { defineCommand } from '../command.js';
import { labelNames, labels } from '../labels.js';
import { terminalId } from '../vocabulary.js';

export const label = defineCommand({
  name: 'label',
  group: 'configuration',
  effect: 'act',
  reach: 'use',
  person: ['force'],
  tool: false,
  summary: 'Set and remove labels of a terminal, by which requests find it.',
  details: 'A terminal has at most 32 labels, each of at most 1,024 characters. What they mean is up to their users.',
  params: () => ({
    id: terminalId,
    set: labels.optional().describe('Labels to set.'),
    unset: labelNames.optional().describe('Names of labels to remove.'),
    force: z.boolean().default(false).describe('Also while another name has control. A person alone may.'),
  }),
  reply: () => ({ labels, parent: z.string().nullable() }),
  errors: ['terminal_not_found', 'control_held', 'over_limit'],
  cli: {
    positionals: ['id?'],
    fields: { set: { type: 'string', placeholder: 'NAME=VALUE', repeatable: true } },
    examples: ['label build --set role=worker --set project=shop', 'label build --unset role', 'label @'],
  },
});
