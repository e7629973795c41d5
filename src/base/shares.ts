/**
 * Room that many take of: all of it has a bound, and half of that is the share of one owner, so that none keeps the others out. What
 * nobody owns counts to all alone.
 */
export class Shares {
  readonly #most: number;
  readonly #share: number;
  readonly #taken = new Map<object | string, number>();
  #all = 0;

  /** @param taken owners of what is there, where a list has them: then nothing need be taken and freed here */
  constructor(most: number, taken: readonly ShareOwner[] = []) {
    this.#most = most;
    this.#share = Math.max(1, Math.floor(most / 2));
    for (const owner of taken) this.take(owner);
  }

  get taken(): number {
    return this.#all;
  }

  /** Bound that leaves no room for so much more. An owner that has its share is refused for that, also where all is taken. */
  lack(owner: ShareOwner, amount = 1): 'all' | 'share' | undefined {
    const isBeyond = eachOf(owner).some((one) => (this.#taken.get(one) ?? 0) + amount > this.#share);
    if (isBeyond) return 'share';
    return this.#all + amount > this.#most ? 'all' : undefined;
  }

  take(owner: ShareOwner, amount = 1): void {
    this.#all += amount;
    for (const one of eachOf(owner)) this.#taken.set(one, (this.#taken.get(one) ?? 0) + amount);
  }

  free(owner: ShareOwner, amount = 1): void {
    this.#all -= amount;
    for (const one of eachOf(owner)) {
      const left = (this.#taken.get(one) ?? 0) - amount;
      if (left > 0) this.#taken.set(one, left);
      else this.#taken.delete(one);
    }
  }
}

/** One, or several of whom each has a share: a client, and all clients that come by doors of the same kind. */
export type ShareOwner = object | string | readonly (object | string)[] | undefined;

function eachOf(owner: ShareOwner): readonly (object | string)[] {
  if (owner === undefined) return [];
  return Array.isArray(owner) ? (owner as readonly (object | string)[]) : [owner];
}
