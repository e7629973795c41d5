/** Enter after a text, as a key of its own. */
import { encodeKey } from '../../vt/keys/encode-key.js';
import type { Terminal } from '../terminal/terminal.js';
import { inputModes } from '../input/input-modes.js';
import type { InputWriter } from '../input/terminal-input.js';

/**
 * Programs treat bytes that arrive at once as a paste, and Enter in it as a line break; some do so for a while after a
 * burst of text. A person is slower than this.
 */
const SUBMIT_GAP_MS = 150;

/** Writes the text, then pauses if it is to be submitted; resolves with a function that writes the rest. */
export async function beginText<Facts extends { readonly bytes_sent: number }>(
  terminal: Terminal,
  writer: InputWriter,
  write: () => Promise<void>,
  facts: Facts,
  submit: boolean,
): Promise<() => Promise<Facts>> {
  if (!submit) {
    return async () => {
      await write();
      return facts;
    };
  }
  await write();
  await writer.pause(SUBMIT_GAP_MS);
  return async () => {
    const enter = enterKey(terminal);
    await writer.write(enter);
    return { ...facts, bytes_sent: facts.bytes_sent + enter.length };
  };
}

export function enterKey(terminal: Terminal): Uint8Array {
  return Buffer.from(encodeKey({ key: 'Enter', modifiers: 0 }, inputModes(terminal)), 'utf8');
}
