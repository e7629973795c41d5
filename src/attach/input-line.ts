/**
 * A person's input on its way to a terminal: one request at a time, so that keys keep their order; what is typed
 * meanwhile goes out together.
 */

export interface InputLineOptions {
  send(bytes: Buffer): Promise<unknown>;
  onError(error: unknown): void;
}

/** Bound of what waits: the largest input of a request. */
const MAX_WAITING_BYTES = 1024 * 1024;
const MAX_REQUEST_BYTES = 256 * 1024;

/** The program does not read: from then on Ctrl+C overtakes. */
const BLOCKED_MS = 150;

/** Ctrl+C, Ctrl+Z, Ctrl+\, which the daemon lets overtake if they come alone. */
const INTERRUPTS: ReadonlySet<string> = new Set(['\x03', '\x1a', '\x1c']);

export class InputLine {
  readonly #options: InputLineOptions;
  /** Characters of latin1. */
  #waiting = '';
  #isSending = false;
  #interrupt: NodeJS.Timeout | undefined;

  constructor(options: InputLineOptions) {
    this.#options = options;
  }

  /** @returns false if too much waits already: nothing of it is sent */
  push(bytes: string): boolean {
    if (this.#waiting.length + bytes.length > MAX_WAITING_BYTES) return false;
    this.#waiting += bytes;
    if (!this.#isSending) void this.#sendAll();
    else if (INTERRUPTS.has(bytes)) this.#interruptSoon(bytes);
    return true;
  }

  dispose(): void {
    clearTimeout(this.#interrupt);
    this.#waiting = '';
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting !== '') {
      const bytes = this.#waiting.slice(0, MAX_REQUEST_BYTES);
      this.#waiting = this.#waiting.slice(bytes.length);
      await this.#send(bytes);
      clearTimeout(this.#interrupt);
    }
    this.#isSending = false;
  }

  /** The key is sent in its turn, or, if the input before it is stuck, alone: the daemon then drops that input. */
  #interruptSoon(bytes: string): void {
    clearTimeout(this.#interrupt);
    this.#interrupt = setTimeout(() => {
      this.#waiting = '';
      void this.#send(bytes);
    }, BLOCKED_MS);
  }

  async #send(bytes: string): Promise<void> {
    try {
      await this.#options.send(Buffer.from(bytes, 'latin1'));
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
