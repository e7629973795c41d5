/**
 * Settings of clients in the configuration file. `socket` is for every client, the others for the command line alone,
 * since a program states its own values. In the environment each is `T4A_` and its name.
 */
import { z } from 'zod';
import { pictureShape } from './picture.js';
import { cols, contextLines, rows, timeoutMs } from './vocabulary.js';

export const COLOR_CHOICES = ['auto', 'always', 'never'] as const;

export const clientSettingsShape = {
  socket: z
    .string()
    .regex(/^\/[^\0]*$/, 'an absolute path')
    .describe('Socket of the daemon, for every client.'),
  color: z.enum(COLOR_CHOICES).describe('Colours in the output of t4a itself: on a terminal, always, never.'),
  json: z.boolean().describe('Print replies and errors as JSON, as `--json` does.'),
  shell: z.string().min(1).describe('Program of `create` if none is given.'),
  cols: cols.describe('Columns of terminals that `create` and `run` make.'),
  rows: rows.describe('Rows of terminals that `create` and `run` make.'),
  context: contextLines.describe('Lines that `grep` prints around each match.'),
  idle: timeoutMs.describe('Silence in milliseconds that ends `--wait idle`.'),
  scale: pictureShape.scale
    .unwrap()
    .describe('Cell size of `screenshot` in percent of 10x20 pixels; 80 by default, and 66 is too small for ids.'),
  cli_host: z
    .boolean()
    .describe('Keep a process of Node beside the daemon, so that commands need no start of Node; true by default.'),
};

export type ClientSettings = z.infer<z.ZodObject<typeof clientSettingsShape>>;
