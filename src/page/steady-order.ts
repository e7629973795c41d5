/**
 * The places of what a person clicks on in a list: under a mouse they stay, and what has come to the place of another takes no click
 * before a person can have seen it.
 */
import { READ_MS } from './question-cards.js';

export class SteadyOrder {
  /** Keys of what is drawn, from the first. */
  #shown: readonly string[] = [];
  #held: ReadonlyMap<string, number> | undefined;
  /** Instants, in milliseconds of the page, at which a key came to the place of another. */
  readonly #cameMs = new Map<string, number>();
  readonly #onChange: () => void;
  readonly #onRefused: () => void;

  /** @param onChange the list must be drawn again @param onRefused a click was dropped, and its person must see so */
  constructor(onChange: () => void, onRefused: () => void) {
    this.#onChange = onChange;
    this.#onRefused = onRefused;
  }

  /** Listeners of the list: a mouse over it holds the places. */
  get handlers() {
    return {
      onPointerEnter: ({ pointerType }: PointerEvent): void => {
        if (pointerType === 'mouse') this.#held = new Map(this.#shown.map((key, i) => [key, i]));
      },
      onPointerLeave: (): void => {
        this.#held = undefined;
        this.#onChange();
      },
    };
  }

  /** A mouse is over the list: nothing in it moves. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** @returns those that were there when the mouse came, in their places, then the others; without a mouse all as they are given */
  sorted<T extends { readonly key: string }>(all: readonly T[]): T[] {
    const held = this.#held;
    if (held === undefined) return [...all];
    const placeOf = ({ key }: T): number => held.get(key) ?? held.size;
    return all.toSorted((a, b) => placeOf(a) - placeOf(b));
  }

  /** To be called with what is drawn, from the first, lines between the items included. */
  drawn(keys: readonly string[]): void {
    const before = this.#shown;
    this.#shown = keys;
    for (const key of this.#cameMs.keys()) if (!keys.includes(key)) this.#cameMs.delete(key);
    const moved = keys.filter((key, i) => before[i] !== undefined && before[i] !== key);
    if (moved.length === 0) return;
    for (const key of moved) this.#cameMs.set(key, performance.now());
    setTimeout(this.#onChange, READ_MS + 1);
  }

  /** Something has just come to the place of another, and takes no click yet. */
  isMoved(key: string): boolean {
    return performance.now() < this.#readyMs(key);
  }

  /** @returns whether a click counts: a key presses what has the focus, wherever that stands */
  takes({ detail, timeStamp }: MouseEvent, key: string): boolean {
    const isTaken = detail === 0 || timeStamp >= this.#readyMs(key);
    if (!isTaken) this.#onRefused();
    return isTaken;
  }

  #readyMs(key: string): number {
    return (this.#cameMs.get(key) ?? -Infinity) + READ_MS;
  }
}
