/**
 * Numbers for the lines of the normal screen that stay the same while the scrollback grows and is cut: line 0 is the
 * first that this terminal ever had. A change of width lays lines out anew and so gives later ones new numbers.
 */
import type { Disposable } from '../base/lifetime.js';
import type { Emulator } from './emulator.js';
import type { RawBuffer } from './internals.js';

export class LineNumbers {
  /** Number of the oldest line that is still there. */
  #first = 0;
  #buffer: RawBuffer;
  #trims: Disposable;

  constructor(emulator: Emulator) {
    this.#buffer = emulator.normalBuffer;
    this.#trims = this.#countTrims();
    // RIS replaces the buffers, silently but for this.
    emulator.terminal.buffer.onBufferChange(() => {
      if (emulator.normalBuffer === this.#buffer) return;
      this.#first += this.#buffer.lines.length;
      this.#trims.dispose();
      this.#buffer = emulator.normalBuffer;
      this.#trims = this.#countTrims();
    });
  }

  get first(): number {
    return this.#first;
  }

  /** @param index place in the buffer, 0 being its oldest line */
  numberOf(index: number): number {
    return this.#first + index;
  }

  #countTrims(): Disposable {
    return this.#buffer.lines.onTrim((count) => {
      this.#first += count;
    });
  }
}
