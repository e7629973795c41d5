/** Columns at which tabs end: each eighth one, until a program sets its own. */
const EVERY = 8;

export class TabStops {
  /** Undefined: as they are by default. */
  #own: Set<number> | undefined;

  /** @param x from which a tab goes on @returns a column of at most the last one */
  next(x: number, cols: number, count = 1): number {
    let left = count;
    for (let at = x + 1; at < cols - 1; at++) if (this.#has(at) && --left === 0) return at;
    return Math.max(x, cols - 1);
  }

  previous(x: number, count: number): number {
    let left = count;
    for (let at = x - 1; at > 0; at--) if (this.#has(at) && --left === 0) return at;
    return 0;
  }

  set(x: number, cols: number): void {
    this.#ownOf(cols).add(x);
  }

  clear(x: number, cols: number): void {
    this.#ownOf(cols).delete(x);
  }

  clearAll(): void {
    this.#own = new Set();
  }

  reset(): void {
    this.#own = undefined;
  }

  #has(x: number): boolean {
    return this.#own?.has(x) ?? x % EVERY === 0;
  }

  #ownOf(cols: number): Set<number> {
    this.#own ??= new Set(Array.from({ length: Math.ceil(cols / EVERY) }, (_, i) => i * EVERY));
    return this.#own;
  }
}
