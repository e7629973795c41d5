/** One line from a person's terminal, which shows nothing of it. */
import { T4aError } from '../../protocol/errors.js';
import type { Host } from '../host.js';

/** @throws T4aError `usage` where the person leaves with Ctrl+C or Ctrl+D */
export function askHidden(question: string, host: Host): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const line = new HiddenLine();
    const restoreKeys = host.keys((keys) => {
      const ending = line.feed(keys);
      if (ending === undefined) return;
      restoreKeys();
      host.note('\n');
      if (ending === 'entered') resolve(line.bytes);
      else reject(new T4aError('usage', 'No secret was given: nothing was sent.'));
    });
    // Only now: what is typed as soon as the question is seen must not be echoed.
    host.note(question);
  });
}

export type LineEnding = 'entered' | 'left';

/** Line that is edited as the kernel does it: Backspace takes a character back, Ctrl+U all of them. */
export class HiddenLine {
  /** A byte each. */
  #typed = '';

  get bytes(): Uint8Array {
    return Buffer.from(this.#typed, 'latin1');
  }

  /** @param keys bytes as latin1 @returns how the line has ended, once it has */
  feed(keys: string): LineEnding | undefined {
    for (const key of keys) {
      if (key === '\r' || key === '\n') return 'entered';
      if (key === '\x03' || key === '\x04') return 'left';
      if (key === '\x15') this.#typed = '';
      // Removes one character of UTF-8: its first byte and the continuation bytes.
      else if (key === '\x7f' || key === '\b') this.#typed = this.#typed.replace(/[^\x80-\xbf]?[\x80-\xbf]*$/, '');
      else this.#typed += key;
    }
    return undefined;
  }
}
