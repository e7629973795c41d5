/** Status that programs say of themselves (OSC 7501). */
import { z } from 'zod';

export const STATUS_STATES = ['idle', 'working', 'done', 'blocked', 'error'] as const;
export const STATUS_KINDS = ['permission', 'question', 'auth'] as const;

/** A claim of the program: t4a has not checked it. */
export const statusRecordShape = {
  state: z.enum(STATUS_STATES),
  kind: z.enum(STATUS_KINDS).nullable().describe('What a blocked program asks for; null if it does not say.'),
  id: z
    .string()
    .describe('Part of the program that it speaks of, levels with "/" between them; empty: the program itself.'),
  app: z.string().nullable().describe('Name that the program gives itself.'),
  title: z.string().nullable(),
  msg: z.string().nullable().describe('Its words; may hold whole commands.'),
  progress: z.int().nullable().describe('Percent.'),
  since: z.number().describe('When it began to say so, in milliseconds since the Unix epoch.'),
  by: z
    .object({ pid: z.int(), process: z.string().nullable() })
    .nullable()
    .describe('Leader of the foreground group when the report was read; null if unknown.'),
};

export const reportedShape = {
  ...statusRecordShape,
  records: z.int().describe('Records of the terminal, those that do not count any more included.'),
};

export const hookReportShape = {
  ...statusRecordShape,
  by: z
    .object({ pid: z.int(), process: z.string().nullable() })
    .nullable()
    .describe('The process that the report ends with; null if it named none.'),
  ends_at: z.number().describe('When it ends at the latest, in milliseconds since the Unix epoch.'),
};
