/** A question of attach itself, answered in the status line: a line, or one key. */
import { safeText } from '../mirror/safe-text.js';

export type PromptOutcome = { readonly answer: string } | 'cancelled' | undefined;

const CANCELLING_KEYS = ['\x03', '\x1b', '\x02'];
const MAX_ANSWER_LENGTH = 256;

export class Prompt {
  readonly label: string;
  readonly #isOneKey: boolean;
  #text = '';

  constructor(label: string, { isOneKey = false }: { readonly isOneKey?: boolean } = {}) {
    this.label = label;
    this.#isOneKey = isOneKey;
  }

  get text(): string {
    return this.#text;
  }

  /** @param bytes characters of latin1 @returns undefined while the answer is being typed; what comes after it is dropped */
  take(bytes: string): PromptOutcome {
    if (CANCELLING_KEYS.includes(bytes)) return 'cancelled';
    // A key that is a sequence, such as an arrow, edits nothing.
    if (bytes.startsWith('\x1b')) return undefined;
    const characters = Array.from(Buffer.from(bytes, 'latin1').toString('utf8'));
    for (const character of characters) {
      if (this.#isOneKey) return { answer: character };
      if (character === '\r' || character === '\n') return { answer: this.#text };
      if (CANCELLING_KEYS.includes(character)) return 'cancelled';
      this.#edit(character);
    }
    return undefined;
  }

  #edit(character: string): void {
    if (character === '\x7f' || character === '\b') this.#text = Array.from(this.#text).slice(0, -1).join('');
    else if (character === '\x15') this.#text = '';
    else if (this.#text.length < MAX_ANSWER_LENGTH) this.#text += safeText(character);
  }
}
