/** Deadline and abort signal of one attempt. `AbortSignal.timeout` costs the first caller half a millisecond. */
import type { Disposable } from '../base/lifetime.js';

export class Deadline implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #passed = false;
  #onPassed: (() => void) | undefined;

  constructor(afterMs: number) {
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#onPassed?.();
    }, afterMs);
    this.#timer.unref();
  }

  get passed(): boolean {
    return this.#passed;
  }

  /** Sets the action that stops the attempt: one at a time. */
  stop(what: (() => void) | undefined): void {
    this.#onPassed = what;
    if (this.#passed) what?.();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#onPassed = undefined;
  }
}
