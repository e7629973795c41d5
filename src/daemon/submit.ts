/** Enter after a text, as a key of its own. */
import { encodeKey } from '../vt/keys/encode-key.js';
import type { Terminal } from './terminal.js';
import type { InputTurn } from './terminal-input.js';

/**
 * Programs take what comes at once for a paste, and Enter in it for a line break; some go on doing so for a while after
 * a burst of text. A person is slower than this.
 */
const SUBMIT_GAP_MS = 150;

export async function pressEnter(terminal: Terminal, turn: InputTurn): Promise<number> {
  await turn.pause(SUBMIT_GAP_MS);
  const bytes = Buffer.from(encodeKey({ key: 'Enter', modifiers: 0 }, terminal.screen.modes), 'utf8');
  await turn.write(bytes);
  return bytes.length;
}
