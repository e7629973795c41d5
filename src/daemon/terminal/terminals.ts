/** All terminals by id: naming, the limit, and which one was used last. */
import { nearestWords } from '../../base/nearest.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { LAST_TERMINAL } from '../../protocol/vocabulary.js';
import type { Terminal } from './terminal.js';

export class Terminals {
  readonly #byId = new Map<string, Terminal>();
  #nextNumber = 1;
  #lastUsed: string | undefined;
  /** Ids in the order of their last use. */
  readonly #used = new Set<string>();

  get size(): number {
    return this.#byId.size;
  }

  /** In the order of creation. */
  all(): Terminal[] {
    return [...this.#byId.values()];
  }

  peek(id: string): Terminal | undefined {
    return this.#byId.get(id);
  }

  /**
   * Returns the terminal that a request names, and counts it as the one used last.
   * @throws T4aError terminal_not_found
   */
  use(id: string): Terminal {
    const wanted = id === LAST_TERMINAL ? this.#lastUsed : id;
    const terminal = wanted === undefined ? undefined : this.#byId.get(wanted);
    if (terminal === undefined) throw this.#notFound(id);
    this.#setLastUsed(terminal.id);
    return terminal;
  }

  /** A new name: t1, t2, …; never one that this daemon has generated before, or that is in use. */
  nextId(): string {
    let id: string;
    do id = `t${this.#nextNumber++}`;
    while (this.#byId.has(id));
    return id;
  }

  /** @throws Error if the id is taken: the other terminal would become unreachable */
  add(terminal: Terminal): void {
    if (this.#byId.has(terminal.id)) throw new Error(`there are two terminals ${terminal.id}`);
    this.#byId.set(terminal.id, terminal);
    this.#setLastUsed(terminal.id);
  }

  /** Returns false if it was deleted before. */
  delete(terminal: Terminal): boolean {
    if (this.#byId.get(terminal.id) !== terminal) return false;
    this.#byId.delete(terminal.id);
    this.#used.delete(terminal.id);
    if (this.#lastUsed === terminal.id) this.#lastUsed = [...this.#used].at(-1);
    return true;
  }

  #setLastUsed(id: string): void {
    this.#lastUsed = id;
    this.#used.delete(id);
    this.#used.add(id);
  }

  #notFound(id: string): T4aError {
    if (id === LAST_TERMINAL) {
      return new T4aError('terminal_not_found', 'There is no terminal yet, so "@" names none.', { hint: 't4a create' });
    }
    const closest = nearestWords(id, this.#byId.keys())[0];
    return new T4aError('terminal_not_found', `No terminal ${quote(id)}.`, {
      hint: 't4a list',
      ...(closest === undefined ? {} : { closest }),
    });
  }
}
