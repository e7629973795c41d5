/** The clipboard of the person's terminal, by OSC 52: written only when the person copies, and only if they have agreed. */
import { clipboard } from '../mirror/outer-sequences.js';

/** Asked for once, for as long as the person is attached. */
export interface Consent {
  isGiven: boolean | undefined;
}

export class Clipboard {
  readonly consent: Consent;
  readonly #write: (sequence: string) => void;

  constructor(consent: Consent, write: (sequence: string) => void) {
    this.consent = consent;
    this.#write = write;
  }

  copy(text: string): void {
    this.#write(clipboard(text));
  }
}
