/**
 * The output of a terminal that is being ended. It is parsed as long as the screen keeps up with it, so that waits still
 * see what a program prints on being told to end. From the moment that the screen is behind, it is dropped as it
 * comes: parsing a flood can take minutes, and nobody will look at it. Dropped, and not left unread: a program that
 * tidies up must not block in its writes.
 */
import type { Screen } from '../../vt/screen.js';

/** Longer than a synchronized update may hold the screen. */
const BEHIND_MS = 200;

export class LastWords {
  readonly #screen: Screen;
  readonly #acknowledge: (bytes: number) => void;
  #isWatching = false;
  #isBehind = false;

  /** @param acknowledge told of bytes that are dropped */
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
