/** Which face has which character: fonts/coverage.txt, read without opening a font. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sorted inclusive ranges of code points. */
export class Coverage {
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  /** `ranges`: comma-separated hexadecimal code points or `first-last` ranges, ascending. */
  constructor(ranges: string) {
    const pairs = ranges.split(',').map((range) => range.split('-').map((code) => Number.parseInt(code, 16)));
    this.#starts = Uint32Array.from(pairs, ([start]) => start ?? 0);
    this.#ends = Uint32Array.from(pairs, ([start, end]) => end ?? start ?? 0);
  }

  has(codePoint: number): boolean {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (codePoint < (this.#starts[middle] ?? 0)) high = middle - 1;
      else if (codePoint > (this.#ends[middle] ?? 0)) low = middle + 1;
      else return true;
    }
    return false;
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
