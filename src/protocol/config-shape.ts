/** Schemas of the daemon's settings. */
import { z } from 'zod';
import { MAX_TIMEOUT_MS, MAX_GRACE_MS, MAX_LINE_BYTES, MAX_SCROLLBACK_LINES } from './limits.js';
import { timeoutMs } from './vocabulary.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, '"#rrggbb"');

/** A custom theme. */
export const themeShape = {
  foreground: color,
  background: color,
  cursor: color.optional().describe('Default: the foreground.'),
  ansi: z.array(color).length(16).describe('The colours 0 to 15; the others are fixed.'),
};

const MAX_THEMES = 64;

/** Each line is searched for each of them. */
const MAX_REDACT_ITEMS = 100;
const MAX_PATTERN_LENGTH = 1024;

/** The settings of a running daemon; `config` without fields only reads them. */
export const configShape = {
  idle_timeout_ms: timeoutMs.describe(
    'Silence before `idle` is published, for terminals without a setting of their own.',
  ),
  scrollback: z.int().min(0).max(MAX_SCROLLBACK_LINES).describe('Lines kept above the viewport, for new terminals.'),
  log_level: z.enum(LOG_LEVELS).describe("Lowest level of the entries in the daemon's log."),
  max_terminals: z.int().min(1).max(10_000).describe('Terminals that may exist at once. Beyond: `too_many_terminals`.'),
  max_terminals_per_owner: z
    .int()
    .min(0)
    .max(10_000)
    .describe(
      'Terminals that requests of one author (`as`) have made and that exist, ended ones included; 0: no bound. Beyond: `too_many_terminals`.',
    ),
  max_trigger_runs: z
    .int()
    .min(0)
    .max(10_000)
    .describe(
      'Running programs of the action `run` of one trigger; 0: no bound. Beyond, the action fails with `too_many_terminals`.',
    ),
  max_scrollback: z
    .int()
    .min(0)
    .max(MAX_SCROLLBACK_LINES)
    .describe('Lines that a terminal may ask to keep above the viewport. Beyond: `over_limit`.'),
  output_buffer_bytes: z
    .int()
    .min(128 * KIB)
    .max(64 * MIB)
    .describe('Output of a terminal that is read but not parsed yet, for new terminals. Beyond, its program waits.'),
  input_buffer_bytes: z
    .int()
    .min(64 * KIB)
    .max(64 * MIB)
    .describe('Input that a program has not read yet, for new terminals. Beyond: `input_blocked`.'),
  ended_ttl_ms: z.int().min(0).max(MAX_TIMEOUT_MS).describe('Time for which ended terminals are kept; 0: for ever.'),
  ended_max: z.int().min(0).max(10_000).describe('Ended terminals that are kept. Beyond, the oldest is dropped.'),
  kill_grace_ms: z
    .int()
    .min(0)
    .max(MAX_GRACE_MS)
    .describe(
      'Time that a program has to end by itself, after SIGHUP and after SIGTERM, however its terminal is ended.',
    ),
  max_connections: z.int().min(2).max(100_000).describe('Connections at once. Beyond: `too_many_connections`.'),
  client_buffer_bytes: z
    .int()
    .min(64 * KIB)
    .max(1 * GIB)
    .describe('Replies that a client has not read yet, for new connections. Beyond, its requests wait.'),
  max_requests_in_flight: z
    .int()
    .min(1)
    .max(10_000)
    .describe('Unanswered requests of a new connection. Beyond: `too_many_requests`; requests without `req` wait.'),
  max_line_bytes: z
    .int()
    .min(64 * KIB)
    .max(MAX_LINE_BYTES)
    .describe('Length of a request line, for new connections. Beyond: `line_too_long`.'),
  event_queue: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('Events queued for a new subscriber. Beyond, the oldest are dropped, and `lagged` counts them.'),
  max_waits: z
    .int()
    .min(1)
    .max(10_000)
    .describe('Waits on one terminal at once, for new terminals. Beyond: `too_many_waits`.'),
  max_image_side: z.int().min(16).max(65_535).describe('Pixels of a side of a picture. Beyond: `image_too_large`.'),
  atlas_bytes: z
    .int()
    .min(1 * MIB)
    .max(1 * GIB)
    .describe('Drawn glyphs that are kept. Beyond, the least recently used are dropped.'),
  max_memory_bytes: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe(
      "Memory of the daemon; 0 is half of the machine's. `memory.pressure` of `stats` warns near the limit; beyond: `memory_low`.",
    ),
  history_bytes: z
    .int()
    .min(0)
    .max(1 * GIB)
    .describe(
      'Memory of the history of a terminal, which `at` and `film` read: packed, its output is some 3 to 20 percent of it. Beyond, the oldest is dropped; 0: new terminals have none.',
    ),
  history_total_bytes: z
    .int()
    .min(0)
    .max(64 * GIB)
    .describe('Memory of the histories of all terminals, and at most an eighth of `max_memory_bytes`.'),
  record: z
    .enum(['off', 'on', 'input'])
    .describe(
      'Record new terminals, each to a file of the folder that `recordings` lists; `input`: with what is typed and certain to be shown.',
    ),
  activity: z
    .enum(['memory', 'disk'])
    .describe('Where new terminals keep their entries: in memory alone, or in a file as well.'),
  persist: z
    .string()
    .max(4096)
    .regex(/^(?:\/[^\0]*)?$/, 'an absolute path, or nothing')
    .describe(
      'Folder in which new terminals are kept beyond the daemon, each in a folder of its own that `open` shows: its session, its output byte for byte, its entries; empty: none are kept.',
    ),
  lc_ctype: z
    .string()
    .regex(/^[\w.@-]{0,64}$/, 'the name of a locale')
    .describe(
      'LC_CTYPE of new terminals whose environment names no character set (LC_ALL, LC_CTYPE and LANG); empty: none. Default: C.UTF-8, on macOS UTF-8.',
    ),
  program_status: z
    .enum(['answer', 'read', 'off'])
    .describe(
      'Reports of programs in new terminals about what they are doing (OSC 7501): "answer" also those that ask whether reports are read, "read" them without an answer, or ignore them ("off").',
    ),
  term_program: z
    .string()
    .regex(/^(?:[\w.+-]{1,64}(?:\/[\w.+-]{1,64})?)?$/, 'a name, name/version, or nothing')
    .describe(
      'Terminal that new terminals name to their programs, `ghostty/1.3.0` (TERM_PROGRAM, TERM_PROGRAM_VERSION); empty: t4a and its version. Some programs use extensions of terminals that they know by name.',
    ),
  redact: z
    .strictObject({
      patterns: z
        .array(z.string().min(1).max(MAX_PATTERN_LENGTH))
        .max(MAX_REDACT_ITEMS)
        .default([])
        .describe('Regular expressions (RE2) of secrets; each sees a line with all rows that it wraps over.'),
      variables: z
        .array(z.string().regex(/^[A-Za-z0-9_*]{1,128}$/, 'a name of a variable; "*" stands for any letters'))
        .max(MAX_REDACT_ITEMS)
        .default([])
        .describe(
          'Names of variables of the environment whose values are secrets, as `*_TOKEN`. Values of less than four characters are not masked.',
        ),
      known: z
        .boolean()
        .default(false)
        .describe(
          'Well-known forms: keys of AWS, GitHub, Slack, OpenAI, Anthropic and others, JWT, private keys, passwords in URLs.',
        ),
      replies: z
        .boolean()
        .default(false)
        .describe(
          'Also in replies to programs, as the tools of models are: connections restricted to no person. `masked` of a reply counts them.',
        ),
    })
    .describe(
      'Secrets that are masked in recordings that begin from now on and in exports, each character as "*". Off if it is empty. `docs/recordings.md` says what it cannot see.',
    ),
  theme: z.string().min(1).max(64).describe('Colours of pictures, and of the replies to programs that query colours.'),
  themes: z
    .record(z.string().regex(/^[a-z0-9-]{1,64}$/, 'lower-case letters, digits and "-"'), z.strictObject(themeShape))
    .refine((themes) => Object.keys(themes).length <= MAX_THEMES, `at most ${MAX_THEMES} themes`)
    .describe('Custom themes by name, beside dark, light, tokyo-night, solarized, gruvbox and xterm.'),
};
