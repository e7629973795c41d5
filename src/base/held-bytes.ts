/**
 * What a process holds for those that it serves, by owner and in all. Beyond the bound the one that holds most is cut off,
 * and what it held is counted no more: nobody else's memory pays for it.
 */
export interface Holder {
  readonly heldBytes: number;
  /** Gives up what it holds, now. */
  cutOff(): void;
}

export interface HeldBytesOptions {
  readonly mostBytes: () => number;
  /** The bound is that of all others than the one that holds most: a single reply may be larger than it. */
  readonly sparesOne?: boolean;
  /** Called with the bytes of each that is cut off: they are garbage now. */
  readonly onCut?: ((bytes: number) => void) | undefined;
}

export class HeldBytes {
  readonly #options: HeldBytesOptions;
  readonly #holders = new Map<Holder, number>();
  #bytes = 0;

  constructor(options: HeldBytesOptions) {
    this.#options = options;
  }

  /** Bytes as of the last notes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Call it when that may have changed. */
  note(holder: Holder): void {
    const grown = this.#set(holder);
    if (grown <= 0 || this.#bytes <= this.#options.mostBytes()) return;
    // Some may hold less by now.
    for (const each of this.#holders.keys()) this.#set(each);
    this.#cut();
  }

  forget(holder: Holder): void {
    this.#bytes -= this.#holders.get(holder) ?? 0;
    this.#holders.delete(holder);
  }

  #set(holder: Holder): number {
    const before = this.#holders.get(holder) ?? 0;
    const now = holder.heldBytes;
    if (now === before) return 0;
    this.#bytes += now - before;
    if (now === 0) this.#holders.delete(holder);
    else this.#holders.set(holder, now);
    return now - before;
  }

  #cut(): void {
    const { mostBytes, sparesOne = false, onCut } = this.#options;
    const byBytes = [...this.#holders].toSorted(([, one], [, other]) => other - one);
    for (const [holder, bytes] of byBytes) {
      if (this.#bytes - (sparesOne ? bytes : 0) <= mostBytes()) return;
      this.forget(holder);
      holder.cutOff();
      onCut?.(bytes);
    }
  }
}
