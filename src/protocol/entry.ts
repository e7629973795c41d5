/** An entry as it is on the wire: what happened, as rules read it off a screen. */
import { z } from 'zod';
import { rev } from './vocabulary.js';

export const entryShape = {
  id: z.string(),
  kind: z
    .string()
    .describe('For example "test_summary", "diagnostic", "panic", "question", "url", or one of your own.'),
  rule: z.string().describe('The rule that found it.'),
  version: z.int().describe('Grows with each change of what it says.'),
  open: z.boolean().describe('It may still change; false once it is final.'),
  ts: z.number().describe('Of its first sight, in milliseconds since the Unix epoch.'),
  rev,
  line: z.int().nullable().describe('Number of its first line, which lasts; null for what is no line.'),
  lines: z.int().describe('Lines that it spans.'),
  region: z
    .object({ top: z.int(), left: z.int(), bottom: z.int(), right: z.int() })
    .nullable()
    .optional()
    .describe(
      'Cells of the viewport in which it stood at `rev`, without the row `bottom` and the column `right`; null for what was not in the viewport.',
    ),
  confidence: z.number().describe('From 0 to 1.'),
  data: z.record(z.string(), z.unknown()).describe('What its rule has captured, and its `text`, of the program.'),
};

export type WireEntry = z.infer<z.ZodObject<typeof entryShape>>;

export const ENTRY_OPS = ['upsert', 'finalize', 'delete'] as const;

/** Entries that each terminal keeps. */
export const ENTRY_RING = 500;
