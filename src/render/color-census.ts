/** How many distinct colours the rows on screen need, counted as rows come and go. */
import { MAX_PALETTE, type PaletteMode, type RowColors } from './palette.js';

export class ColorCensus {
  readonly #fine = new Map<number, number>();
  readonly #coarse = new Map<number, number>();

  constructor(background: number) {
    this.#fine.set(background, 1);
    this.#coarse.set(background, 1);
  }

  add({ fine, coarse }: RowColors): void {
    for (const rgb of fine) this.#fine.set(rgb, (this.#fine.get(rgb) ?? 0) + 1);
    for (const rgb of coarse) this.#coarse.set(rgb, (this.#coarse.get(rgb) ?? 0) + 1);
  }

  remove({ fine, coarse }: RowColors): void {
    for (const rgb of fine) decrement(this.#fine, rgb);
    for (const rgb of coarse) decrement(this.#coarse, rgb);
  }

  /** The finest mode that these rows fit into: a function of what is on screen, not of how it got there. */
  finestMode(): PaletteMode {
    if (this.#fine.size <= MAX_PALETTE) return 'indexed-16';
    return this.#coarse.size <= MAX_PALETTE ? 'indexed-8' : 'direct';
  }
}

function decrement(counts: Map<number, number>, rgb: number): void {
  const count = (counts.get(rgb) ?? 0) - 1;
  if (count > 0) counts.set(rgb, count);
  else counts.delete(rgb);
}
