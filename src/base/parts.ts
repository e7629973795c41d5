/**
 * What features keep of one terminal: who has the terminal finds them there, and they go with it. Each part has a key of its own,
 * which the file that owns the part exports or keeps to itself.
 */

/** @param initial the value of a terminal's part that is asked for the first time */
export class PartKey<T> {
  readonly initial: () => T;

  constructor(initial: () => T) {
    this.initial = initial;
  }
}

/** A part of one terminal. */
export interface Part<T> {
  value: T;
}

export interface HasParts {
  part<T>(key: PartKey<T>): Part<T>;
}

export class Parts implements HasParts {
  readonly #parts = new Map<PartKey<unknown>, Part<unknown>>();

  part<T>(key: PartKey<T>): Part<T> {
    let part = this.#parts.get(key) as Part<T> | undefined;
    if (part === undefined) this.#parts.set(key, (part = { value: key.initial() }));
    return part;
  }
}
