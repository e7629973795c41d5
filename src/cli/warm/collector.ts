/** Keeps the host small: V8 alone collects when its heap has doubled, which a process without much to do never needs. */

/** For `node`: the youngest objects of a call fit into it many times. */
export const SMALL_HEAP = '--max-semi-space-size=1';

/** A collection takes some twenty milliseconds. */
const CALLS_BETWEEN = 250;

export class Collector {
  readonly #collect: () => void;
  #calls = 0;

  constructor() {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
    this.#collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void;
  }

  called(): void {
    this.#calls++;
  }

  /** To be called now and then. */
  look(isIdle: boolean): void {
    if (this.#calls === 0 || (!isIdle && this.#calls < CALLS_BETWEEN)) return;
    this.#calls = 0;
    this.#collect();
  }
}
