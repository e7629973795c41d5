/**
 * The output of a terminal that is being ended. It is parsed as long as the screen keeps up, so that waits still see
 * what a program prints when it is asked to end. Once the screen is behind, output is dropped on arrival: parsing a
 * flood can take minutes, and its screen is not needed. It is still read, so that a program that cleans up does not
 * block in its writes.
 */
import type { Screen } from '../vt/screen.js';

/** Longer than a synchronized update may hold the screen. */
const BEHIND_MS = 200;

export class LastWords {
  readonly #screen: Screen;
  readonly #acknowledge: (bytes: number) => void;
  #isWatching = false;
  #isBehind = false;

  /** @param acknowledge called with the number of dropped bytes */
  constructor(screen: Screen, acknowledge: (bytes: number) => void) {
    this.#screen = screen;
    this.#acknowledge = acknowledge;
    void this.#watch();
  }

  write(bytes: Uint8Array): void {
    if (this.#isBehind) return this.#acknowledge(bytes.length);
    this.#screen.write(bytes);
    void this.#watch();
  }

  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    do this.#isBehind = !(await this.#screen.settle(BEHIND_MS));
    while (!this.#isBehind && this.#screen.pendingBytes > 0);
    this.#isWatching = false;
    if (this.#isBehind) this.#acknowledge(this.#screen.discardPending());
  }
}
