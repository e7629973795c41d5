/**
 * Deadline and abort signal of one attempt. `AbortSignal.timeout` costs the first caller half a millisecond, and the first
 * timer of a process a quarter: so this one begins late, with what is left of its time.
 */
import type { Disposable } from '../base/lifetime.js';

export class Deadline implements Disposable {
  readonly #afterMs: number;
  readonly #sinceMs = uptimeMs();
  #timer: NodeJS.Timeout | undefined;
  #passed = false;
  #onPassed: (() => void) | undefined;

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** Begins the time. The deadline does not pass before this is called, or {@link stop} with an action. */
  begin(): void {
    if (this.#timer !== undefined) return;
    const leftMs = Math.max(0, this.#afterMs - (uptimeMs() - this.#sinceMs));
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#onPassed?.();
    }, leftMs);
    this.#timer.unref();
  }

  get passed(): boolean {
    return this.#passed;
  }

  /** Sets the action that stops the attempt: one at a time. */
  stop(what: (() => void) | undefined): void {
    this.#onPassed = what;
    if (what !== undefined) this.begin();
    if (this.#passed) what?.();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#onPassed = undefined;
  }
}

/** The first use of `performance` loads ten modules of Node's. */
function uptimeMs(): number {
  return process.uptime() * 1000;
}
