/**
 * Hyperlinks (OSC 8): which cell leads where.
 *
 * Instead of the library's own service, which registers a marker for every line that a link touches: one link left open
 * slows the parser 130 times, and it forgets a link whose first line was cleared while the pen still draws it. Here a
 * cell only carries a number, and a table from numbers to targets is swept when it has grown.
 * The `id` parameter, which groups cells for hovering, is not kept.
 */
import type { Emulator } from './emulator.js';
import type { RawBuffer } from './internals.js';

/** A longer target makes no link: terminals commonly cut at about 2,000. */
const MAX_TARGET_LENGTH = 4096;

/** Targets to hold before looking for those that no cell leads to any more; then twice as many as were left. */
const SWEEP_THRESHOLD = 4096;

export class Hyperlinks {
  readonly #emulator: Emulator;
  readonly #targets = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  #lastNumber = 0;
  #sweepAt = SWEEP_THRESHOLD;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    emulator.onOsc(8, (payload) => {
      const separator = payload.indexOf(';');
      if (separator === -1) return true;
      const target = payload.slice(separator + 1);
      this.#usePen(target === '' || target.length > MAX_TARGET_LENGTH ? 0 : this.#numberOf(target));
      return true;
    });
  }

  get size(): number {
    return this.#targets.size;
  }

  targetOf(number: number): string | undefined {
    return this.#targets.get(number);
  }

  /** Stored attributes are shared with the cells drawn so far: the pen gets a copy of its own. */
  #usePen(number: number): void {
    const pen = this.#emulator.internals._inputHandler._curAttrData;
    const extended = pen.extended.clone();
    extended.urlId = number;
    pen.extended = extended;
    pen.updateExtended();
  }

  #numberOf(target: string): number {
    const known = this.#numbers.get(target);
    if (known !== undefined) return known;
    if (this.#targets.size >= this.#sweepAt) this.#sweep();
    const number = ++this.#lastNumber;
    this.#targets.set(number, target);
    this.#numbers.set(target, number);
    return number;
  }

  #sweep(): void {
    const used = new Set<number>();
    collectNumbers(this.#emulator.normalBuffer, used);
    if (this.#emulator.altScreen) collectNumbers(this.#emulator.buffer, used);
    for (const [number, target] of this.#targets) {
      if (used.has(number)) continue;
      this.#targets.delete(number);
      this.#numbers.delete(target);
    }
    this.#sweepAt = Math.max(SWEEP_THRESHOLD, this.#targets.size * 2);
  }
}

function collectNumbers({ lines }: RawBuffer, used: Set<number>): void {
  for (let index = 0; index < lines.length; index++) {
    const attributes = lines.get(index)?._extendedAttrs ?? {};
    for (const col in attributes) used.add(attributes[col]?.urlId ?? 0);
  }
}
