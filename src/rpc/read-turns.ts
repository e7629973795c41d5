/**
 * When large pieces are read. A read of 64 KiB costs the loop more than most requests do, and all that come in one turn of the loop come
 * before anything else: so few connections that send much are read in each turn, one after the other, however many there are. What waits
 * stays in the kernel.
 */

/** Size from which a piece is one of many. Requests of people and programs are smaller. */
export const LARGE_PIECE_BYTES = 8 * 1024;

/** Number of reads in a turn: a quarter of a mebibyte, some half a millisecond. */
const READS_OF_TURN = 4;

export class ReadTurns {
  /** Reads in the order of their turns. */
  readonly #waiting = new Set<() => void>();
  #isTurnAsked = false;

  /** @param read is called once, in a later turn of the loop */
  ask(read: () => void): void {
    this.#waiting.add(read);
    this.#askTurn();
  }

  forget(read: () => void): void {
    this.#waiting.delete(read);
  }

  #askTurn(): void {
    if (this.#isTurnAsked) return;
    this.#isTurnAsked = true;
    setImmediate(this.#onTurn);
  }

  readonly #onTurn = (): void => {
    this.#isTurnAsked = false;
    for (const read of [...this.#waiting].slice(0, READS_OF_TURN)) {
      this.#waiting.delete(read);
      read();
    }
    if (this.#waiting.size > 0) this.#askTurn();
  };
}
