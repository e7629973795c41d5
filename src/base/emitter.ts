/**
 * A typed event with any number of listeners. Listeners run synchronously, in the order of their subscription; an error
 * of one does not stop the others: it is rethrown once all have run.
 */
import type { Disposable } from './lifetime.js';

export type EmitterListener<T> = (value: T) => void;

/** Listeners of all emitters of the process, for tests of leaks. */
let listening = 0;

export function listenerCount(): number {
  return listening;
}

export class Emitter<T> {
  #listeners: EmitterListener<T>[] = [];

  get hasListeners(): boolean {
    return this.#listeners.length > 0;
  }

  on(listener: EmitterListener<T>): Disposable {
    // Copy on write: a running emit walks the list that it started with.
    this.#replace([...this.#listeners, listener]);
    return { dispose: () => this.#replace(this.#listeners.filter((other) => other !== listener)) };
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
    this.#replace([]);
  }

  #replace(listeners: EmitterListener<T>[]): void {
    listening += listeners.length - this.#listeners.length;
    this.#listeners = listeners;
  }
}
