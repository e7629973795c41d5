/** Steps that take their time in a panel: one after another, and a few that wait. */
import { isT4aError } from '../protocol/errors.js';

const MAX_WAITING = 32;

export interface StepsOptions {
  /** Notice of a step, for the person. */
  readonly onNotice: (message: string) => void;
  /** The terminal or the daemon has gone. */
  readonly onError: (error: unknown) => void;
  readonly onDone: () => void;
}

export class Steps {
  readonly #options: StepsOptions;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: StepsOptions) {
    this.#options = options;
  }

  /** Dropped if too many wait: they come from a key that is held down. */
  add(step: () => Promise<void>): void {
    if (this.#waiting >= MAX_WAITING) return;
    this.#waiting++;
    this.#last = this.#last
      .then(step)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#waiting--;
        this.#options.onDone();
      });
  }

  #failed(error: unknown): void {
    if (!isT4aError(error) || error.code === 'terminal_not_found') this.#options.onError(error);
    else this.#options.onNotice(error.message);
  }
}
