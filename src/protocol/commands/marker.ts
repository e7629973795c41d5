import { z } from 'zod';
import { defineCommand } from '../command.js';
import { terminalId } from '../vocabulary.js';

/** Bound of a label, which is a moment with its prefix. */
const MAX_LABEL_LENGTH = 200;

export const marker = defineCommand({
  name: 'marker',
  group: 'look',
  effect: 'act',
  reach: 'use',
  tool: false,
  summary: 'Name the present moment of a terminal: `marker:NAME` of `at` finds it.',
  details: 'A recording of the terminal has it as a marker, and the event `marker` is published.',
  params: () => ({ id: terminalId, label: z.string().min(1).max(MAX_LABEL_LENGTH).describe('The name.') }),
  reply: () => ({ seq: z.int().describe('Number of its event.') }),
  errors: ['terminal_not_found'],
  cli: { positionals: ['id', 'label'], examples: ['marker @ tests-begin'] },
});
