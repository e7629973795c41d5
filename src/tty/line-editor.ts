/** A line that is typed to attach itself. */
import { safeText } from '../mirror/safe-text.js';

/** Ctrl+C, Escape, Ctrl+G. */
export const CANCELLING_KEYS: ReadonlySet<string> = new Set(['\x03', '\x1b', '\x07']);

/** Bound of the longest answer to a question. */
const MAX_LENGTH = 4096;

export class LineEditor {
  #text = '';

  get text(): string {
    return this.#text;
  }

  /** @param key sequences edit nothing @returns undefined while the line is being typed */
  take(key: string): 'done' | undefined {
    if (key === '\r' || key === '\n') return 'done';
    if (key === '\x7f' || key === '\b') this.#text = Array.from(this.#text).slice(0, -1).join('');
    else if (key === '\x15') this.#text = '';
    else if (!key.startsWith('\x1b') && this.#text.length < MAX_LENGTH) {
      this.#text += safeText(Buffer.from(key, 'latin1').toString('utf8'));
    }
    return undefined;
  }
}
