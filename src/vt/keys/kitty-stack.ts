/**
 * Enhancements of the kitty keyboard protocol that the program has requested: one stack of flags for the main screen
 * and one for the alternate. Contains no parser: the handlers of `CSI > u`, `CSI < u`, `CSI = u` and `CSI ? u` call it.
 * https://sw.kovidgoyal.net/kitty/keyboard-protocol/#progressive-enhancement
 */

export const KITTY_DISAMBIGUATE = 1;
export const KITTY_EVENT_TYPES = 2;
export const KITTY_ALTERNATE_KEYS = 4;
export const KITTY_ALL_KEYS = 8;
export const KITTY_ASSOCIATED_TEXT = 16;
export const KITTY_ALL_FLAGS = 31;

/** Programs nest a handful deep (shell, editor, shell, …); the limit is for a program that pushes forever. */
export const KITTY_STACK_LIMIT = 32;

export interface FrozenKittyStacks {
  readonly main: readonly number[];
  readonly alternate: readonly number[];
}

export class KittyKeyboardStack {
  readonly #main: number[] = [];
  readonly #alternate: number[] = [];
  #entries = this.#main;

  /** Flags in force on the current screen. */
  get current(): number {
    return this.#entries.at(-1) ?? 0;
  }

  /** `CSI > flags u`. A full stack loses its oldest entry. */
  push(flags = 0): void {
    this.#entries.push(flags & KITTY_ALL_FLAGS);
    if (this.#entries.length > KITTY_STACK_LIMIT) this.#entries.shift();
  }

  /** `CSI < count u`; 0 means 1, as for every count in a control sequence. An emptied stack leaves no flags. */
  pop(count = 1): void {
    this.#entries.splice(-Math.max(1, count));
  }

  /** `CSI = flags ; mode u`: 1 replaces the flags, 2 sets and 3 resets those named. Other modes do nothing. */
  set(flags = 0, mode = 1): void {
    const next = COMBINE[mode]?.(this.current, flags);
    if (next === undefined) return;
    this.#entries.pop();
    this.#entries.push(next & KITTY_ALL_FLAGS);
  }

  /** The answer to `CSI ? u`. */
  report(): string {
    return `\x1b[?${this.current}u`;
  }

  useScreen(screen: 'main' | 'alternate'): void {
    this.#entries = screen === 'main' ? this.#main : this.#alternate;
  }

  freeze(): FrozenKittyStacks {
    return { main: [...this.#main], alternate: [...this.#alternate] };
  }

  /** The screen that is shown stays. */
  restore({ main, alternate }: FrozenKittyStacks): void {
    this.#main.splice(0, Infinity, ...main);
    this.#alternate.splice(0, Infinity, ...alternate);
  }

  /** RIS: empties both stacks and returns to the main screen. */
  reset(): void {
    this.#main.length = 0;
    this.#alternate.length = 0;
    this.#entries = this.#main;
  }
}

const COMBINE: Readonly<Record<number, (current: number, flags: number) => number>> = {
  1: (_, flags) => flags,
  0: (_, flags) => flags,
  2: (current, flags) => current | flags,
  3: (current, flags) => current & ~flags,
};
