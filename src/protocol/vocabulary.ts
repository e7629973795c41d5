/** Fields that several commands share, each declared once with its bounds and its sentence for the docs. */
import { z } from 'zod';
import { EXPECTED_LOG_MOMENT, LOG_MOMENT } from './moment.js';
import { MAX_COLS, MIN_COLS, MAX_NAME_LENGTH, MAX_ROWS, MAX_TIMEOUT_MS } from './limits.js';

/** The terminal that was made or named last: by requests of the same scope, or if there was none by any client. */
export const LAST_TERMINAL = '@';

/** No `.` or `-` at the beginning, so that neither `..` nor a flag is a name. */
const NAME = /^\w[\w.-]*$/;
const NAME_RULE = 'letters, digits, "_", "." and "-" only, beginning with a letter, a digit or "_"';

export const terminalName = z.string().regex(NAME, NAME_RULE).max(MAX_NAME_LENGTH);

export const terminalId = z
  .string()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .regex(new RegExp(`^${LAST_TERMINAL}$|${NAME.source}`), `names have ${NAME_RULE}`)
  .describe('Terminal: its id or name, or "@" for the one used last.');

/** It grants nothing: names are what their clients say. */
export const owner = z
  .string()
  .describe('Name (`as`) of the author of the request that made the terminal; absent if it named none.');

export const cols = z.int().min(MIN_COLS).max(MAX_COLS).describe('Columns of the grid.');
export const rows = z.int().min(1).max(MAX_ROWS).describe('Rows of the grid.');

export const timeoutMs = z.int().min(1).max(MAX_TIMEOUT_MS);

export const ifFile = z
  .strictObject({
    path: z.string().min(1).max(4096).describe('Absolute, where the daemon runs.'),
    contains: z.string().min(1).max(1024).describe('Text that the file holds.'),
  })
  .optional()
  .describe('Start only if this file holds this text at the instant of the start, else `file_changed`.');

export type IfFile = NonNullable<z.output<typeof ifFile>>;

export const rightFile = z
  .strictObject({
    path: z.string().min(1).max(4096).describe('Absolute, where the daemon runs.'),
    contains: z.string().min(1).max(1024).optional().describe('Text that the file holds.'),
    changed_at: z
      .number()
      .min(0)
      .max(8.64e15)
      .optional()
      .describe('Time of its last change, in milliseconds since 1970. A file that is not there has not changed.'),
  })
  .describe('A file that says whether a right goes on.');

export type RightFile = z.output<typeof rightFile>;

export const environment = z
  .record(z.string().regex(/^[^=\0]+$/, 'a name without "="'), z.string().regex(/^[^\0]*$/, 'no NUL'))
  .describe("Variables merged over the daemon's environment.");

export const exitCode = z
  .int()
  .nullable()
  .describe('Exit code of the process; null while it runs, or if a signal ended it.');
export const signalName = z
  .string()
  .nullable()
  .describe('Name of the signal that ended the process, for example "SIGTERM"; else null.');

export const survivors = z
  .array(z.int())
  .optional()
  .describe("Pids of processes that could not be ended, for example another user's; absent if none.");

/** Longest moment: a marker's name. */
const MAX_MOMENT_LENGTH = 256;

/** A number is a revision. */
export const logMoment = z.union([
  z.int().min(0),
  z.string().max(MAX_MOMENT_LENGTH).regex(LOG_MOMENT, EXPECTED_LOG_MOMENT),
]);

export const momentShape = {
  rev: z.int(),
  ts: z.number().describe('Since when it was shown, in milliseconds since the Unix epoch.'),
  seq: z.int().describe("Number of the terminal's last event by then."),
  ago_ms: z.int(),
};

export const rev = z
  .int()
  .describe('Screen revision: grows by one whenever the visible grid, cursor or title changed.');

/** Cells of one row. */
export const cellSpan = z.object({ row: z.int(), col: z.int(), cols: z.int() });

export const inputSecrecy = z.enum(['hidden', 'shown', 'unknown']);

/** Lines around a match. */
export const contextLines = z.int().min(0).max(1000);

/** The client's own name for the output of a `run`. */
export const streamKey = z.string().min(1).max(64);

export const awaitingInputShape = {
  kind: z
    .enum(['password', 'line', 'raw'])
    .describe(
      'By the modes of the terminal: `password` reads lines without echo, `line` lines, `raw` keys. A `raw` prompt may ask for a password, too.',
    ),
  pid: z.int(),
  process: z.string(),
  certain: z.boolean().describe('False for an event loop that would read a key, but may be busy.'),
  secrecy: inputSecrecy.describe(
    'Whether typed text appears on the screen: `hidden` (lines without echo), `shown` (echo, or the prompt of a shell with marks), `unknown` (the program draws by itself, as do ssh, tmux, docker and prompts that print stars).',
  ),
};

export const progressShape = {
  state: z.enum(['none', 'normal', 'error', 'indeterminate', 'paused']),
  percent: z.int().nullable(),
};

export const cursorPosition = z.object({
  row: z.int().describe('0-based row in the viewport.'),
  col: z.int().describe('0-based column.'),
  visible: z.boolean(),
});

/** Of an ended command. */
export const modesLeft = z
  .array(z.string())
  .describe(
    'Modes that the command has set and not reset, by their names in `status`; absent if there are none. Keys are encoded as if those of the keyboard, the mouse and pastes were off, until a program sets them.',
  );

export const shellWarning = z
  .string()
  .optional()
  .describe(
    'Why the shell marks nothing, if the scripts of t4a are not there, or why its marks cannot be distinguished from what a program prints: the seed of their proofs could not be written, or not be read by the shell.',
  );

export const shellLevel = z
  .int()
  .optional()
  .describe(
    'Of a shell within a command of the shell that proves its marks (see `commands`): 1, or more within that one. It is a claim of what runs there: anything can print such marks. Absent for the shell itself.',
  );

/** `ghostty/1.3.0`; without a version TERM_PROGRAM_VERSION is not set. */
export const termProgram = z
  .string()
  .regex(/^[\w.+-]{1,64}(?:\/[\w.+-]{1,64})?$/, 'a name, or name/version, of letters, digits, ".", "_", "+" and "-"');
