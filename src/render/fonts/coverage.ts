/** Coverage: which face has which character, from fonts/coverage.txt, read without opening a font. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sorted inclusive ranges of code points. */
export class Coverage {
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;
  /** Code points in the ranges before. */
  readonly #ranks: Uint32Array;

  /** `ranges`: comma-separated hexadecimal code points or `first-last` ranges, ascending. */
  constructor(ranges: string) {
    const pairs = ranges.split(',').map((range) => range.split('-').map((code) => Number.parseInt(code, 16)));
    this.#starts = Uint32Array.from(pairs, ([start]) => start ?? 0);
    this.#ends = Uint32Array.from(pairs, ([start, end]) => end ?? start ?? 0);
    let rank = 0;
    this.#ranks = this.#starts.map((start, at) => {
      rank += (this.#ends[at] ?? 0) - start + 1;
      return rank - ((this.#ends[at] ?? 0) - start + 1);
    });
  }

  /** Number of code points. */
  get size(): number {
    const last = this.#starts.length - 1;
    return last < 0 ? 0 : (this.#ranks[last] ?? 0) + (this.#ends[last] ?? 0) - (this.#starts[last] ?? 0) + 1;
  }

  has(codePoint: number): boolean {
    return this.rank(codePoint) !== undefined;
  }

  /** Number of covered code points before this one; undefined if it is not covered itself. */
  rank(codePoint: number): number | undefined {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const start = this.#starts[middle] ?? 0;
      if (codePoint < start) high = middle - 1;
      else if (codePoint > (this.#ends[middle] ?? 0)) low = middle + 1;
      else return (this.#ranks[middle] ?? 0) + codePoint - start;
    }
    return undefined;
  }
}

export function readCoverage(fontsDir: string): ReadonlyMap<string, Coverage> {
  const lines = readFileSync(join(fontsDir, 'coverage.txt'), 'utf8').trimEnd().split('\n');
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), new Coverage(line.slice(colon + 1))];
    }),
  );
}
