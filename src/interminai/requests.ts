/** The requests of interminai's protocol, by their `type`: each a few requests to the daemon, and the `data` of the reply. */
import { isT4aError, type T4aError } from '../protocol/errors.js';
import { type ProgramActivity, waitForExit } from './activity.js';
import { debugOf } from './debug-form.js';
import { countField, type InterminaiFields, objectField, parseFields, stringField, switchField } from './fields.js';
import { withSemicolons } from './plain-sgr.js';
import { InterminaiError } from './replies.js';
import type { ServedTerminal } from './served-terminal.js';
import { exitCodeOf, signalNamed } from './signals.js';

export interface Served {
  readonly terminal: ServedTerminal;
  readonly activity: ProgramActivity;
  /** Length of the list of DEBUG. */
  readonly debugBuffer: number;
  /** Ends the server once the reply is written. */
  readonly stop: () => void;
}

type Answer = (fields: InterminaiFields, served: Served, signal: AbortSignal) => Promise<object | undefined>;

/**
 * @param signal aborted when the client has gone
 * @returns the `data` of the reply
 * @throws RequestError with the `error` of the reply
 */
export async function answer(line: string, served: Served, signal: AbortSignal): Promise<object | undefined> {
  const fields = parseFields(line);
  const type = stringField(fields, 'type');
  const handle = Object.hasOwn(ANSWERS, type) ? ANSWERS[type] : undefined;
  if (handle === undefined) throw new InterminaiError(`Unknown command: ${type}`);
  return handle(fields, served, signal);
}

/** Bytes of input in one request to the daemon, which takes at most 1 MiB. */
const INPUT_BYTES = 512 * 1024;

const ANSWERS: Readonly<Record<string, Answer>> = {
  async INPUT(fields, { terminal }) {
    const bytes = Buffer.from(stringField(fields, 'data'));
    const { alive } = await terminal.call('status', {});
    if (!alive) throw new InterminaiError('Process not running');
    for (let start = 0; start < bytes.length; start += INPUT_BYTES) {
      const input = bytes.subarray(start, start + INPUT_BYTES).toString('base64');
      await inWords('Failed to send input', { terminal_exited: 'Broken pipe' }, () =>
        terminal.call('send', { input_base64: input }),
      );
    }
    return undefined;
  },

  async OUTPUT(fields, { terminal }) {
    const format = fields['format'] === undefined ? 'ascii' : stringField(fields, 'format');
    if (format !== 'ascii' && format !== 'ansi')
      throw new InterminaiError(`Invalid request: unknown format '${format}'`);
    return screenOf(terminal, format satisfies keyof typeof FORMATS);
  },

  async STATUS(fields, { terminal, activity }) {
    const wantsActivity = switchField(fields, 'activity');
    const status = await terminal.call('status', {});
    return {
      running: status.alive,
      ...(status.alive ? {} : { exit_code: exitCodeOf({ code: status.exit_code, signal: status.signal }) }),
      ...(wantsActivity ? { activity: activity.take(status) } : {}),
    };
  },

  async WAIT(fields, { terminal, activity }, signal) {
    if (switchField(fields, 'activity')) return activity.wait(signal);
    return { exit_code: await waitForExit(terminal, signal) };
  },

  async KILL(fields, { terminal }) {
    const signal = signalNamed(stringField(fields, 'signal'));
    await inWords('Failed to send signal', { terminal_exited: undefined }, () => terminal.call('kill', { signal }));
    return { signal_sent: signal };
  },

  async STOP(_fields, { stop }) {
    stop();
    return { message: 'Shutting down' };
  },

  async RESIZE(fields, { terminal }) {
    const cols = countField(fields, 'cols');
    const rows = countField(fields, 'rows');
    await inWords('Failed to resize terminal', {}, () => terminal.call('resize', { cols, rows }));
    return { cols, rows };
  },

  async DEBUG(fields, { terminal, debugBuffer }) {
    const clear = switchField(objectField(fields, 'data'), 'clear') || switchField(fields, 'clear');
    return debugOf(await terminal.call('debug', { clear, tail_bytes: 0 }), debugBuffer);
  },
};

/**
 * @param what the beginning of the error
 * @param reasons by the daemon's code: the rest of it, or undefined if the process is dead
 */
async function inWords(
  what: string,
  reasons: Readonly<Partial<Record<T4aError['code'], string | undefined>>>,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!isT4aError(error)) throw error;
    const isKnown = Object.hasOwn(reasons, error.code);
    const reason = isKnown ? reasons[error.code] : error.message;
    throw new InterminaiError(reason === undefined ? 'Process already dead' : `${what}: ${reason}`);
  }
}

/** The screen in the form of OUTPUT. */
export const FORMATS = { ascii: 'plain', ansi: 'ansi' } as const;

/** Another client may resize the terminal between the two questions. */
const MAX_ATTEMPTS = 5;

export async function screenOf(terminal: ServedTerminal, format: keyof typeof FORMATS): Promise<object> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const text = await terminal.call('text', { format: FORMATS[format], trim: true });
    const { rows, cols } = await terminal.call('status', {});
    if (text.lines.length !== rows) continue;
    const { row, col } = text.cursor;
    const lines = format === 'ansi' ? text.lines.map(withSemicolons) : text.lines;
    return { screen: lines.map((line) => `${line}\n`).join(''), cursor: { row, col }, size: { rows, cols } };
  }
  throw new InterminaiError('Failed to read the screen: its size keeps changing');
}
