/** Selection on its way to the clipboard of the person's terminal, for which they are asked once. */
import type { Clipboard } from './clipboard.js';
import { copiedText, type CopiedOptions, MAX_COPIED_BYTES } from './copied-text.js';
import type { Selection } from './selection.js';

export interface CopyingOptions extends Omit<CopiedOptions, 'cols'> {
  readonly clipboard: Clipboard;
  /** @param notice what became of it */
  readonly onEnd: (notice: string) => void;
}

export class Copying {
  readonly #options: CopyingOptions;
  #asked: string | undefined;

  constructor(options: CopyingOptions) {
    this.#options = options;
  }

  /** The question that waits for its key. */
  get question(): string | undefined {
    if (this.#asked === undefined) return undefined;
    return `Copy ${characters(this.#asked)} to the clipboard of your terminal (OSC 52)? (y/n)`;
  }

  /** @throws T4aError */
  async copy(selection: Selection, cols: number): Promise<void> {
    const { clipboard, onEnd } = this.#options;
    const text = await copiedText(selection, { ...this.#options, cols });
    if (text === undefined) onEnd(`Not copied: it has more than ${MAX_COPIED_BYTES / 1024} KiB.`);
    else if (text === '') onEnd('Not copied: only blanks are selected.');
    else if (clipboard.consent.isGiven === undefined) this.#asked = text;
    else this.#end(text, clipboard.consent.isGiven);
  }

  /** Another key than y and n answers for this time alone. */
  answer(key: string): void {
    const text = this.#asked ?? '';
    this.#asked = undefined;
    if (key !== 'y' && key !== 'n') return this.#options.onEnd('Not copied.');
    this.#options.clipboard.consent.isGiven = key === 'y';
    this.#end(text, key === 'y');
  }

  #end(text: string, isAllowed: boolean): void {
    if (isAllowed) this.#options.clipboard.copy(text);
    const declined = 'Not copied: you have declined OSC 52 until you attach anew.';
    this.#options.onEnd(isAllowed ? `Copied ${characters(text)}.` : declined);
  }
}

function characters(text: string): string {
  const { length } = Array.from(text);
  return `${length} ${length === 1 ? 'character' : 'characters'}`;
}
