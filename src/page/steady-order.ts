/**
 * The places of what a person clicks on in a list: under a mouse they stay, and what has just come to its place takes no click
 * before a person can have seen it.
 */
import { READ_MS } from './question-cards.js';

export class SteadyOrder {
  /** Keys of what is drawn, from the first. */
  #shown: readonly string[] = [];
  #held: ReadonlyMap<string, number> | undefined;
  /** Layout that was drawn last. */
  #layout = '';
  /** Instants, in milliseconds of the page, at which a key came to its place. */
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

  /**
   * To be called with what is drawn, from the first, lines between the items included.
   * @param layout what else decides where the places are: with another, all have moved
   */
  drawn(keys: readonly string[], layout = ''): void {
    const before = this.#shown;
    const isOther = layout !== this.#layout;
    this.#shown = keys;
    this.#layout = layout;
    for (const key of this.#cameMs.keys()) if (!keys.includes(key)) this.#cameMs.delete(key);
    // A list that has just been opened has moved nothing.
    const moved = before.length === 0 ? [] : keys.filter((key, i) => isOther || before[i] !== key);
    if (moved.length === 0) return;
    this.#come(moved);
    // A busy browser shows it later.
    requestAnimationFrame(() => this.#come(moved.filter((key) => this.#cameMs.has(key))));
  }

  /** Whether something has just come to its place, and takes no click yet. */
  isMoved(key: string): boolean {
    return performance.now() < this.#readyMs(key);
  }

  /** @returns whether a click counts: a key presses what has the focus, wherever that stands */
  takes({ detail, timeStamp }: MouseEvent, key: string): boolean {
    const isTaken = detail === 0 || timeStamp >= this.#readyMs(key);
    if (!isTaken) this.#onRefused();
    return isTaken;
  }

  #come(keys: readonly string[]): void {
    for (const key of keys) this.#cameMs.set(key, performance.now());
    setTimeout(this.#onChange, READ_MS + 1);
  }

  #readyMs(key: string): number {
    return (this.#cameMs.get(key) ?? -Infinity) + READ_MS;
  }
}
