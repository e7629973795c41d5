/**
 * A person's input on its way to a terminal: one request at a time, so that keys and the mouse keep their order; what is
 * typed meanwhile goes out together.
 */

export interface InputLineOptions<Act> {
  send(bytes: Buffer): Promise<unknown>;
  /** Sends past the input that is stuck. */
  interrupt(bytes: Buffer): Promise<unknown>;
  act(act: Act): Promise<unknown>;
  onError(error: unknown): void;
}

/** Bound of what waits: the largest input of a request, and as many reports of the mouse. */
const MAX_WAITING_BYTES = 1024 * 1024;
const MAX_REQUEST_BYTES = 256 * 1024;
const MAX_WAITING = 1024;

/** After this time without a reply the program does not read, and Ctrl+C overtakes. */
const BLOCKED_MS = 500;

/** Ctrl+C, Ctrl+Z, Ctrl+\, which the daemon lets overtake if they come alone. */
const INTERRUPTS: ReadonlySet<string> = new Set(['\x03', '\x1a', '\x1c']);

export class InputLine<Act = never> {
  readonly #options: InputLineOptions<Act>;
  /** Bytes as characters of latin1, or an act between them. */
  readonly #waiting: (string | { readonly act: Act })[] = [];
  #waitingBytes = 0;
  #sending: Promise<void> | undefined;
  #interrupt: NodeJS.Timeout | undefined;
  /** The last of them that was typed behind other input, and the waiting bytes up to it. */
  #interrupting: { readonly bytes: string; left: number } | undefined;

  constructor(options: InputLineOptions<Act>) {
    this.#options = options;
  }

  /** @returns false if too much waits already: nothing of it is sent */
  push(bytes: string): boolean {
    if (this.#waitingBytes + bytes.length > MAX_WAITING_BYTES) return false;
    this.#waitingBytes += bytes.length;
    const last = this.#waiting.at(-1);
    if (typeof last === 'string') this.#waiting[this.#waiting.length - 1] = last + bytes;
    else this.#waiting.push(bytes);
    if (this.#sending === undefined) this.#begin();
    else if (INTERRUPTS.has(bytes)) {
      this.#interrupting = { bytes, left: this.#waitingBytes };
      this.#interruptSoon();
    }
    return true;
  }

  pushAct(act: Act): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false;
    this.#waiting.push({ act });
    if (this.#sending === undefined) this.#begin();
    return true;
  }

  /** Drops what waits. */
  clear(): void {
    clearTimeout(this.#interrupt);
    this.#interrupting = undefined;
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }

  /** Resolves once nothing is on its way. */
  async done(): Promise<void> {
    await this.#sending;
  }

  #begin(): void {
    this.#sending = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      if (typeof next !== 'string') await this.#attempt(this.#options.act(next.act));
      else {
        const bytes = next.slice(0, MAX_REQUEST_BYTES);
        if (bytes.length < next.length) this.#waiting.unshift(next.slice(bytes.length));
        this.#waitingBytes -= bytes.length;
        if (this.#interrupting !== undefined) this.#interrupting.left -= bytes.length;
        await this.#attempt(this.#options.send(Buffer.from(bytes, 'latin1')));
        this.#interruptSoon();
      }
    }
    // In the step in which nothing waits: what comes next begins anew.
    this.#sending = undefined;
  }

  /** The key is sent in its turn, or, if the input before it is stuck, alone: the daemon then drops that input. */
  #interruptSoon(): void {
    clearTimeout(this.#interrupt);
    if (this.#interrupting === undefined || this.#interrupting.left <= 0) return;
    const { bytes } = this.#interrupting;
    this.#interrupt = setTimeout(() => {
      this.clear();
      void this.#attempt(this.#options.interrupt(Buffer.from(bytes, 'latin1')));
    }, BLOCKED_MS);
  }

  async #attempt(sent: Promise<unknown>): Promise<void> {
    try {
      await sent;
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
