/**
 * A typed event with any number of listeners. Listeners run synchronously, in the order of their subscription; one that
 * throws does not keep the others from running: its error is rethrown once all have run.
 */
import type { Disposable } from './lifetime.js';

export type Listener<T> = (value: T) => void;

export class Emitter<T> {
  #listeners: Listener<T>[] = [];

  get hasListeners(): boolean {
    return this.#listeners.length > 0;
  }

  on(listener: Listener<T>): Disposable {
    // Copy on write: an emit that is under way walks the list that it started with.
    this.#listeners = [...this.#listeners, listener];
    return {
      dispose: () => {
        this.#listeners = this.#listeners.filter((other) => other !== listener);
      },
    };
  }

  emit(value: T): void {
    const failures: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  clear(): void {
    this.#listeners = [];
  }
}
