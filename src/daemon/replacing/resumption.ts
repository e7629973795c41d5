/**
 * The moment in which clients ask the daemon that has taken over for what the one before has broken off. Until they have, it parses no
 * output, so that conditions on what is new miss nothing.
 */
import type { CommandName } from '../../protocol/registry.js';

/** Milliseconds for clients that do not come back. */
const MOST_MS = 1000;

/** Commands by which a client comes; it waits for nothing with them. Streams go on by their numbers. */
const BEFORE: ReadonlySet<CommandName | undefined> = new Set(['ping', 'restrict', 'cancel', 'events', undefined]);

export class Resumption {
  #missing = 0;
  #over: () => void = () => {};

  /** Resolves once so many requests have begun, or after a while. */
  async of(requests: number): Promise<void> {
    if (requests <= 0) return;
    this.#missing = requests;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MOST_MS);
      this.#over = () => {
        clearTimeout(timer);
        // Their handlers take the first steps in the same turn.
        setImmediate(resolve);
      };
    });
    this.#missing = 0;
  }

  /** Called with each request that begins. */
  asked(cmd: CommandName | undefined): void {
    if (this.#missing === 0 || BEFORE.has(cmd)) return;
    this.#missing--;
    if (this.#missing === 0) this.#over();
  }
}
