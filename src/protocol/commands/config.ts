import { z } from 'zod';
import { C_UTF_8 } from '../../base/character-set.js';
import { defineCommand } from '../command.js';
import { configShape } from '../config-shape.js';
import { MAX_LINE_BYTES, MAX_REQUESTS_IN_FLIGHT, MAX_SCROLLBACK_LINES } from '../limits.js';

const KIB = 1024;
const MIB = 1024 * KIB;

export type Config = z.infer<z.ZodObject<typeof configShape>>;

export const DEFAULT_CONFIG: Config = {
  idle_timeout_ms: 2000,
  scrollback: 10_000,
  log_level: 'info',
  max_terminals: 500,
  max_terminals_per_owner: 0,
  max_trigger_runs: 0,
  max_scrollback: MAX_SCROLLBACK_LINES,
  // Some 3 ms of parsing text, and 50 ms of the shortest lines: what a read beside a flood waits for.
  output_buffer_bytes: 512 * KIB,
  // Two of the largest `send`s, and the answers to queries of the program.
  input_buffer_bytes: 2 * MIB + 64 * KIB,
  ended_ttl_ms: 24 * 60 * 60 * 1000,
  ended_max: 200,
  kill_grace_ms: 3000,
  max_connections: 1024,
  // A few large pictures.
  client_buffer_bytes: 8 * MIB,
  max_requests_in_flight: MAX_REQUESTS_IN_FLIGHT,
  max_line_bytes: MAX_LINE_BYTES,
  event_queue: 1024,
  max_waits: 256,
  // No side is longer than a PNG reader can be trusted with; 500x200 cells of 20x40 pixels fit.
  max_image_side: 16_384,
  // Some 50,000 glyphs of 8x16, 16,000 of 20x40.
  atlas_bytes: 16 * MIB,
  max_memory_bytes: 0,
  history_bytes: 8 * MIB,
  history_total_bytes: 256 * MIB,
  record: 'off',
  activity: 'memory',
  persist: '',
  lc_ctype: C_UTF_8,
  program_status: 'answer',
  term_program: '',
  redact: { patterns: [], variables: [], known: false, replies: false },
  theme: 'dark',
  themes: {},
};

/** Each stands above the ones before it. */
export const CONFIG_SOURCES = ['default', 'file', 'environment', 'request'] as const;

export type ConfigSource = (typeof CONFIG_SOURCES)[number];

/** Reading is free; each setting changes the daemon for all clients. */
const adminFields = Object.fromEntries(Object.keys(DEFAULT_CONFIG).map((field) => [field, 'admin'])) as Record<
  keyof Config,
  'admin'
>;

export const config = defineCommand({
  name: 'config',
  group: 'configuration',
  effect: 'read',
  reach: 'read',
  fieldReach: adminFields,
  tool: false,
  summary: "Read or change the daemon's configuration: its defaults and all of its limits.",
  details:
    'Sources, each overriding those before it: the defaults; the file `$XDG_CONFIG_HOME/t4a/config.json` (an object of these fields and of the settings of the command line); the environment (`T4A_SCROLLBACK` is `scrollback`); a request, until the daemon ends.',
  params: () => ({
    ...z.object(configShape).partial().shape,
    sources: z.boolean().default(false).describe('Include the source of each value.'),
  }),
  reply: () => ({
    ...configShape,
    sources: z
      .record(z.string(), z.enum(CONFIG_SOURCES))
      .optional()
      .describe('With `sources`: the source of each value.'),
    file: z.string().optional().describe('With `sources`: path of the configuration file, whether or not it exists.'),
  }),
  cli: {
    examples: ['config', 'config --idle-timeout-ms 500', 'config --theme light', 'config --log-level debug'],
    notes: "Prints one setting a line with its value and source: first the command line's own, then the daemon's.",
  },
});
