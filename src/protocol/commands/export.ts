import { z } from 'zod';
import { defineCommand } from '../command.js';
import { logMoment, momentShape, terminalId } from '../vocabulary.js';
import { momentErrors } from '../turn-errors.js';

/** "export" is a word of the language. */
export const exportPast = defineCommand({
  name: 'export',
  group: 'look',
  effect: 'read',
  reach: 'read',
  tool: false,
  commandLine: false,
  summary: 'Return what a terminal showed in some time as an asciicast, from its history.',
  details:
    'The reply is a header line, then exactly `len` bytes. The cast plays alone: one that begins later than the terminal begins with a repaint of the whole state of the screen, without its scrollback. It has the output, changes of size, markers, and the command lines of a shell with marks as markers. No recording is needed. `t4a export` makes films and pages of it.',
  params: () => ({
    id: terminalId,
    from: logMoment
      .optional()
      .describe('Moment, such as "-10s" or "command:-1:start". Default: the oldest that is kept.'),
    to: logMoment.default('end'),
    format: z.enum(['asciicast-v3', 'asciicast-v2']).default('asciicast-v3'),
    title: z.string().max(1024).optional().describe('Title of the cast.'),
  }),
  reply: () => ({
    format: z.enum(['asciicast-v3', 'asciicast-v2']),
    cols: z.int().describe('Of the first screen.'),
    rows: z.int(),
    duration_ms: z.int(),
    first: z.object(momentShape).describe('The first screen.'),
    last: z.object(momentShape).describe('The last screen.'),
    masked: z.int().describe('Secrets that were masked: see `redact` of `config`.'),
    len: z.int(),
  }),
  kind: 'bytes',
  errors: ['terminal_not_found', 'revision_unknown', 'export_too_large', ...momentErrors],
});
