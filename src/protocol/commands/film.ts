import { z } from 'zod';
import { defineCommand } from '../command.js';
import { pictureReplyShape, pictureShape } from '../picture.js';
import { logMoment, momentShape, terminalId } from '../vocabulary.js';
import { momentErrors, pictureErrors } from '../turn-errors.js';

/** Why a screen is a frame; see history/film-choice.ts. */
const REASONS = ['rest', 'input', 'event', 'cleared', 'last'] as const;

const MAX_FRAMES = 24;

export const film = defineCommand({
  name: 'film',
  group: 'look',
  effect: 'read',
  reach: 'read',
  summary: 'Show what happened in a terminal since the last input, in a few screens.',
  details:
    'Frames are screens that stood still, and screens before input, before they were cleared, and at events, chosen so that together they show most of what was shown, by the time for which it stood; the last screen is always one. With the format png the reply is followed by one picture of all of them, with captions; with `sheet` false by a picture of each, at `offset`.',
  tool: {
    fields: ['id', 'from', 'max_tokens'],
    brief: 'What did I miss: the screens since your last input (or `from`) as one image.',
  },
  params: () => ({
    id: terminalId,
    from: logMoment.optional().describe('Moment, such as "-30s". Default: the last input.'),
    to: logMoment.default('end'),
    max_frames: z.int().min(1).max(MAX_FRAMES).default(6),
    max_tokens: pictureShape.max_tokens.describe('Budget of all frames: smaller cells, then fewer frames.'),
    model: pictureShape.model,
    profile: pictureShape.profile,
    theme: pictureShape.theme,
    format: z.enum(['png', 'text']).default('png').describe('text: the rows that the frame before does not have.'),
    sheet: z.boolean().default(true).describe('One picture of all frames.'),
  }),
  reply: () => ({
    frames: z.array(
      z.object({
        at: z.object(momentShape),
        reason: z.enum(REASONS),
        changed_rows: z.int().describe('Rows that the frame before does not have.'),
        lines: z
          .array(z.string())
          .optional()
          .describe(
            'With the format text: those rows. Of a single frame beyond `max_tokens`, of 4 bytes each: the lower ones.',
          ),
        width: z.int().optional(),
        height: z.int().optional(),
        offset: z.int().optional().describe('Of the picture, in the bytes that follow.'),
        len: z.int().optional().describe('Bytes of the picture.'),
      }),
    ),
    left_out: z.int().describe('Screens that show something that no frame shows.'),
    format: z.enum(['png', 'text']),
    width: z.int().optional(),
    height: z.int().optional(),
    tokens: pictureReplyShape.tokens.optional(),
    len: pictureReplyShape.len,
  }),
  kind: 'bytes',
  errors: [
    'terminal_not_found',
    ...momentErrors,
    ...pictureErrors.filter((code) => code !== 'moment_lost' && code !== 'moment_unknown'),
  ],
  cli: {
    positionals: ['id?'],
    flags: [
      {
        name: 'output',
        short: 'o',
        type: 'string',
        placeholder: 'file',
        description: 'Write one picture of all frames to this file; "-" is standard output, unless that is a terminal.',
      },
      {
        name: 'frames',
        type: 'string',
        placeholder: 'directory',
        description: 'Write a picture of each frame to this directory: 01.png, 02.png, …',
      },
    ],
    hidden: ['sheet', 'format'],
    notes: 'Without --output and --frames the rows that are new in each frame are printed.',
    examples: ['film @', 'film build --from -30s -o missed.png', 'film @ --from command:-1:start --frames strip'],
  },
});
