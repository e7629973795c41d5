/** Enter after a text, as a key of its own, once the program has read the text. */
import type { Clock } from '../../base/clock.js';
import { encodeKey } from '../../vt/keys/encode-key.js';
import { ReadCounts } from '../../terminal/system/proc/read-counts.js';
import type { Terminal } from '../../terminal/terminal.js';
import { inputModes } from '../../terminal/input/input-modes.js';
import type { InputWriter } from '../../terminal/input/terminal-input.js';
import { dropOwnText } from './worthless-line.js';

/**
 * Programs treat bytes that they read at once as a paste, and Enter in it as a line break; some do so for a while after a
 * burst of text. A person is slower than this. It counts from when the text was read: a program that is busy, or
 * stopped, would read text and Enter at once however late Enter is.
 */
const SUBMIT_GAP_MS = 150;
/** How long Enter waits for a program that does not read. */
const READ_LIMIT_MS = 2000;
/** Time between two looks at the counts: a program that reads at once should wait no longer than before. */
const FIRST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 20;
/** The step before which the terminal's flags are asked for, once: most programs have read by then. */
const ASK_AT_MS = 16;

const FIRST_PRINTABLE = 0x20;

export interface Text<Facts extends { readonly bytes_sent: number }> {
  /** As they are written. */
  readonly bytes: Uint8Array;
  readonly write: () => Promise<void>;
  readonly facts: Facts;
}

export interface Submitted {
  readonly terminal: Terminal;
  readonly writer: InputWriter;
  readonly submit: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Writes the text, then pauses if it is to be submitted; resolves with a function that writes the rest. Text that the shell itself
 * has put at its prompt is dropped before a line; blanks and Enter take it.
 */
export async function beginText<Facts extends { readonly bytes_sent: number; readonly warning?: string }>(
  { terminal, writer, submit, clock, signal }: Submitted,
  { bytes, write, facts }: Text<Facts>,
): Promise<() => Promise<Facts>> {
  if (!submit) {
    return async () => {
      await write();
      return facts;
    };
  }
  const isLine = Buffer.from(bytes).toString('latin1').trim() !== '';
  const dropped = isLine ? await dropOwnText(terminal, clock, writer, signal) : undefined;
  const counts = new ReadCounts(terminal.pid, terminal.device);
  await write();
  const isUnread = await pauseBeforeEnter(terminal, writer, bytes, counts);
  return async () => {
    const enter = enterKey(terminal);
    await writer.write(enter);
    const sent = { ...facts, bytes_sent: facts.bytes_sent + enter.length };
    const warning = [dropped, facts.warning, isUnread ? UNREAD : undefined].filter(Boolean).join(' ');
    return warning === '' ? sent : { ...sent, warning };
  };
}

const UNREAD = `The program had not read the text ${READ_LIMIT_MS / 1000} s after it was sent; Enter followed all the same, and may be taken for a line break.`;

/** @returns whether the program has left the text unread for {@link READ_LIMIT_MS} */
async function pauseBeforeEnter(
  terminal: Terminal,
  writer: InputWriter,
  bytes: Uint8Array,
  counts: ReadCounts,
): Promise<boolean> {
  // The kernel may act on control characters itself.
  const wanted = bytes.filter((byte) => byte >= FIRST_PRINTABLE).length;
  let waited = 0;
  let step = FIRST_LOOK_MS;
  while (!isReadBy(counts, wanted) && waited < READ_LIMIT_MS) {
    // The kernel keeps a line until its end: it is read with its Enter alone.
    if (step === ASK_AT_MS && (await readsLines(terminal))) {
      await writer.pause(SUBMIT_GAP_MS - waited);
      return false;
    }
    await writer.pause(step);
    waited += step;
    step = Math.min(step * 2, LONGEST_LOOK_MS);
  }
  if (waited >= READ_LIMIT_MS) return true;
  await writer.pause(SUBMIT_GAP_MS);
  return false;
}

/** True if that is not known. */
function isReadBy(counts: ReadCounts, wanted: number): boolean {
  return (counts.bytes ?? wanted) >= wanted;
}

async function readsLines(terminal: Terminal): Promise<boolean> {
  const flags = await terminal.flags();
  return flags === undefined || flags.canonical;
}

export function enterKey(terminal: Terminal): Uint8Array {
  return Buffer.from(encodeKey({ key: 'Enter', modifiers: 0 }, inputModes(terminal)), 'utf8');
}
