/** The keys of a person in their order: cut sequences wait for their rest, and all of them for a command that is running. */
import { Keyboard, type KeyboardToken } from './keyboard.js';

/** A sequence that was cut comes within this time, or was no sequence. */
const CUT_MS = 50;

const MAX_POSTPONED = 1000;

export class KeySource {
  readonly #keyboard: Keyboard;
  readonly #isWayOut: (key: string) => boolean;
  readonly #onToken: (token: KeyboardToken) => void;
  readonly #postponed: KeyboardToken[] = [];
  #running = 0;
  #flush: NodeJS.Timeout | undefined;

  /** @param isWayOut a command that waits for none that is running */
  constructor(
    onToken: (token: KeyboardToken) => void,
    { leader, isWayOut }: { readonly leader: string; readonly isWayOut: (key: string) => boolean },
  ) {
    this.#keyboard = new Keyboard(leader);
    this.#isWayOut = isWayOut;
    this.#onToken = onToken;
    this.#keyboard.expectsReply = true;
  }

  /** The terminal has answered all that it was asked. */
  answered(): void {
    this.#keyboard.expectsReply = false;
  }

  /** Takes another leader from the next bytes on. @param leader a control character */
  useLeader(leader: string): void {
    this.#keyboard.useLeader(leader);
  }

  /** @param bytes characters of latin1 */
  push(bytes: string): void {
    clearTimeout(this.#flush);
    this.pass(this.#keyboard.push(bytes));
    if (!this.#keyboard.isHolding) return;
    this.#flush = setTimeout(() => this.pass(this.#keyboard.flush()), CUT_MS);
  }

  /** One by one: each may begin a command. */
  pass(tokens: readonly KeyboardToken[]): void {
    for (const token of tokens) {
      if (this.#running === 0 || this.#cannotWait(token)) this.#onToken(token);
      else if (this.#postponed.length < MAX_POSTPONED) this.#postponed.push(token);
    }
  }

  /** Keys wait until it is done: they are meant for what it shows. @throws the error of the act */
  async during(act: () => Promise<void>): Promise<void> {
    this.#running++;
    try {
      await act();
    } finally {
      this.#running--;
      if (this.#running === 0) this.pass(this.#postponed.splice(0));
    }
  }

  dispose(): void {
    clearTimeout(this.#flush);
    this.#postponed.length = 0;
  }

  /** Answers of the terminal, and the way out. */
  #cannotWait(token: KeyboardToken): boolean {
    return token.kind === 'reply' || (token.kind === 'command' && this.#isWayOut(token.key));
  }
}
