import { z } from 'zod';
import { defineCommand } from '../command.js';
import { terminalId } from '../vocabulary.js';

const MAX_LABEL_LENGTH = 1024;

export const record = defineCommand({
  name: 'record',
  group: 'look',
  effect: 'act',
  reach: 'use',
  fieldReach: { path: 'create' },
  tool: false,
  summary: 'Record a terminal as an asciicast (v3), which asciinema and its players read.',
  details:
    'The file has the output, changes of size, markers, the command lines of a shell with marks as markers, and the exit status; input only with `input`. It is new, and its owner alone may read it. A recording that starts late begins with the state of the screen: both buffers, without the scrollback, and all that changes how later output is shown. It ends with `stop`, with the program, or with a `warning` when the disk is full. Output that a slow disk has no room for is left out, with a `warning`, a marker "gap" and a repaint of the screen.',
  params: () => ({
    id: terminalId,
    action: z
      .enum(['start', 'stop', 'mark', 'flush', 'status'])
      .default('start')
      .describe(
        '`mark` adds a marker. "flush" replies once all so far is in the file; with `redact` a word that has no end yet is masked. `status` only reports.',
      ),
    path: z
      .string()
      .regex(/^\/[^\0]*\.cast(?:\.gz)?$/, 'an absolute path that ends with .cast or .cast.gz')
      .optional()
      .describe('With `start`: the new file, with .gz compressed. Default: one in the folder that `recordings` lists.'),
    title: z.string().max(MAX_LABEL_LENGTH).optional().describe('With `start`: title of the recording.'),
    input: z
      .boolean()
      .optional()
      .describe(
        'With `start`: also input that is certain to be shown, of reads with echo and at the prompt of a shell with marks; never a `secret`, and nothing that is typed while echo is off.',
      ),
    label: z.string().max(MAX_LABEL_LENGTH).optional().describe('With `mark`: text of the marker.'),
  }),
  reply: () => ({
    path: z.string(),
    live: z.boolean().describe('Whether it goes on.'),
    size: z.int().describe('Bytes of the file so far.'),
    duration_ms: z.int(),
    gaps: z.int().describe('How often output was left out.'),
    masked: z.int().describe('Secrets that were masked so far: see `redact` of `config`.'),
  }),
  errors: ['terminal_not_found', 'recording_not_found', 'recording_exists', 'recording_failed', 'shutting_down'],
  cli: {
    positionals: ['id?', 'action?'],
    examples: [
      'record @',
      'record build --path /tmp/build.cast --title "The build"',
      'record build mark --label tests',
      'record build stop',
    ],
  },
});

export const recordings = defineCommand({
  name: 'recordings',
  group: 'look',
  effect: 'read',
  reach: 'read',
  tool: false,
  summary: 'List recordings: those of live terminals, the files of the folder for them, and those that are open.',
  details:
    'The folder is `$XDG_STATE_HOME/t4a/recordings`, by default `~/.local/state/t4a/recordings`, for the environment of the daemon.',
  params: () => ({}),
  reply: () => ({
    recordings: z.array(
      z.object({
        path: z.string(),
        title: z.string().nullable(),
        terminal: z.string().nullable().describe('Id of the terminal; null if unknown.'),
        started_at: z.int().nullable().describe('Milliseconds since the Unix epoch; null if unknown.'),
        size: z.int().describe('Bytes of the file.'),
        live: z.boolean(),
        opened: z.array(z.string()).describe('Ids of the terminals that show it: see `open`.'),
      }),
    ),
  }),
  cli: { examples: ['recordings'] },
});
