/**
 * Room that many take of: all of it has a bound, and half of that is the share of one owner, so that none keeps the others out. What
 * nobody owns counts to all alone.
 */
export class Shares {
  readonly #most: number;
  readonly #share: number;
  readonly #taken = new Map<object, number>();
  #all = 0;

  constructor(most: number) {
    this.#most = most;
    this.#share = Math.max(1, Math.floor(most / 2));
  }

  get taken(): number {
    return this.#all;
  }

  /** Which bound leaves no room for so much more. */
  lack(owner: object | undefined, amount = 1): 'all' | 'share' | undefined {
    if (this.#all + amount > this.#most) return 'all';
    return owner !== undefined && (this.#taken.get(owner) ?? 0) + amount > this.#share ? 'share' : undefined;
  }

  take(owner: object | undefined, amount = 1): void {
    this.#all += amount;
    if (owner !== undefined) this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + amount);
  }

  free(owner: object | undefined, amount = 1): void {
    this.#all -= amount;
    if (owner === undefined) return;
    const left = (this.#taken.get(owner) ?? 0) - amount;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}
