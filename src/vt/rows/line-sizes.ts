/**
 * DECDWL and DECDHL (ESC # 3..6): double sizes belong to a line and move with it.
 *
 * They are kept beside the library's line objects. A full buffer reuses the object of its oldest line for the new one
 * at the bottom, which must not inherit its size.
 */
import type { Emulator } from '../xterm/emulator.js';
import type { RawLine } from '../xterm/internals.js';
import type { LineSize } from '../snapshot.js';

const SIZE_OF_FINAL: Readonly<Record<string, LineSize>> = {
  3: 'double-top',
  4: 'double-bottom',
  5: 'single',
  6: 'double-width',
};

export class LineSizes {
  #sizes = new WeakMap<RawLine, LineSize>();
  #used = false;
  readonly #emulator: Emulator;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    for (const [final, size] of Object.entries(SIZE_OF_FINAL)) {
      emulator.onEsc({ intermediates: '#', final }, () => {
        this.#setCursorLine(size);
        return true;
      });
    }
    emulator.onEsc({ intermediates: '#', final: '8' }, () => this.#resetLines(0, emulator.terminal.rows));
    emulator.onCsi({ final: 'J' }, ([mode]) => this.#eraseInDisplay(mode));
  }

  get(line: RawLine): LineSize {
    return this.#used ? (this.#sizes.get(line) ?? 'single') : 'single';
  }

  #setCursorLine(size: LineSize): void {
    const { lines, ybase, y } = this.#emulator.buffer;
    const line = lines.get(ybase + y);
    if (line !== undefined) this.restore(line, size);
  }

  /** Gives a line this size. */
  restore(line: RawLine, size: LineSize): void {
    if (size === 'single') {
      if (this.#used) this.#sizes.delete(line);
      return;
    }
    this.#sizes.set(line, size);
    if (this.#used) return;
    this.#used = true;
    this.#emulator.terminal.onScroll(() => {
      const { lines, ybase, scrollBottom } = this.#emulator.buffer;
      const fresh = lines.get(ybase + scrollBottom);
      if (fresh !== undefined) this.#sizes.delete(fresh);
    });
  }

  /** Lines that are erased as a whole become single again. */
  #eraseInDisplay(mode: number | number[] | undefined): boolean {
    const { x, y } = this.#emulator.buffer;
    const { rows } = this.#emulator.terminal;
    if (mode === 0 || mode === undefined) return this.#resetLines(x === 0 ? y : y + 1, rows);
    if (mode === 1) return this.#resetLines(0, y);
    if (mode === 2) return this.#resetLines(0, rows);
    return false;
  }

  /** Returns false: other handlers see the sequence, too. */
  #resetLines(from: number, to: number): boolean {
    if (!this.#used) return false;
    const { lines, ybase } = this.#emulator.buffer;
    for (let y = from; y < to; y++) {
      const line = lines.get(ybase + y);
      if (line !== undefined) this.#sizes.delete(line);
    }
    return false;
  }
}
