/**
 * Reads the scrollback of a silent terminal ahead of a search: reading a hundred thousand lines out of the grid takes a
 * tenth of a second, several times as long as searching them. Costs a byte for each character, beside the twelve of its
 * cell. Reads each line once, in slices, and not while the terminal prints.
 */
import type { Disposable } from '../base/lifetime.js';
import type { Screen } from './screen.js';
import { LineReader, ROWS_PER_BLOCK } from './line-reader.js';

/** A search reads fewer lines in a few milliseconds itself. */
const MIN_LINES = 5000;

export class ReadAhead implements Disposable {
  readonly #screen: Screen;
  /** Lasting number after the last line that was read. */
  #readTo = 0;
  #reading: AbortController | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  start(): void {
    const { firstShownNumber: first, scrollbackLines } = this.#screen;
    const from = Math.max(first, this.#readTo);
    // Whole blocks only: partial ones would leave many small blocks.
    const end = Math.floor((first + scrollbackLines) / ROWS_PER_BLOCK) * ROWS_PER_BLOCK;
    if (this.#reading !== undefined || scrollbackLines < MIN_LINES || from >= end) return;
    const reader = new LineReader(this.#screen, { first: from - first, end: end - first });
    void this.#read(reader, from);
  }

  stop(): void {
    this.#reading?.abort();
  }

  dispose(): void {
    this.stop();
  }

  async #read(reader: LineReader, from: number): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    try {
      await reader.eachBlock(reading.signal, () => {});
    } catch (error) {
      if (!reading.signal.aborted) throw error;
    } finally {
      this.#readTo = from + reader.rowsRead;
      this.#reading = undefined;
    }
  }
}
