/** Whether the way to the server still carries anything: a silent one is closed by neither end. */

/** The page asks so often, unless something has come meanwhile. */
const BEAT_MS = 5000;

/** A question to the server that had no answer before the next beat: the way is silent. */
const MOST_MISSED = 2;

/** Beats until a large message is given up: it arrives as one. */
const MOST_MISSED_OF_LARGE = 12;

export interface PulseOptions {
  /** Asks the server for any answer. */
  readonly ask: () => void;
  /** A page that is not seen asks for nothing, and believes nothing of its way. */
  readonly isHidden: () => boolean;
  /** A reply with bytes is under way. */
  readonly awaitsLarge: () => boolean;
  /** @param ms since something has come */
  readonly silent: (ms: number) => void;
}

export class Pulse {
  readonly #options: PulseOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** Beats since something has come. */
  #missed = 0;

  constructor(options: PulseOptions) {
    this.#options = options;
  }

  begin(): void {
    this.end();
    this.#timer = setInterval(() => this.#beat(), BEAT_MS);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#missed = 0;
  }

  /** Something has come. */
  heard(): void {
    this.#missed = 0;
  }

  #beat(): void {
    if (this.#options.isHidden()) {
      this.#missed = 0;
      return;
    }
    this.#missed++;
    if (this.#missed > (this.#options.awaitsLarge() ? MOST_MISSED_OF_LARGE : MOST_MISSED)) {
      const ms = this.#missed * BEAT_MS;
      this.end();
      return this.#options.silent(ms);
    }
    this.#options.ask();
  }
}
