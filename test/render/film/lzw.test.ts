import { array, assert, integer, nat, oneof, property, tuple, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { lzwBlocks } from '../../../src/render/film/lzw.js';

/** As a reader of GIF does it, from the format's description alone. */
function decoded(blocks: Uint8Array): { readonly indices: number[]; readonly minCodeSize: number } {
  const minCodeSize = blocks[0] as number;
  const bytes: number[] = [];
  let at = 1;
  for (let size = blocks[at++] as number; size > 0; size = blocks[at++] as number) {
    bytes.push(...blocks.subarray(at, at + size));
    at += size;
  }
  expect(at).toBe(blocks.length);
  const clear = 1 << minCodeSize;
  const indices: number[] = [];
  let table: number[][] = [];
  let before: number[] | undefined;
  let place = 0;
  const forget = (): void => {
    table = Array.from({ length: clear + 2 }, (_, index) => (index < clear ? [index] : []));
    before = undefined;
  };
  const widthNow = (): number => Math.min(12, Math.max(minCodeSize + 1, Math.ceil(Math.log2(table.length + 1))));
  forget();
  for (;;) {
    let code = 0;
    const width = before === undefined ? minCodeSize + 1 : widthNow();
    for (let bit = 0; bit < width; bit++, place++) code |= (((bytes[place >> 3] as number) >> (place & 7)) & 1) << bit;
    if (code === clear + 1) break;
    if (code === clear) {
      forget();
      continue;
    }
    const known: number[] | undefined = table[code];
    const entry: number[] = known ?? [...(before as number[]), (before as number[])[0] as number];
    for (const index of entry) indices.push(index);
    if (before !== undefined && table.length < 4096) table.push([...before, entry[0] as number]);
    before = entry;
  }
  expect(bytes.length).toBe(Math.ceil(place / 8));
  return { indices, minCodeSize };
}

/** First, while no larger image has left its room. */
test.each([1, 2, 3])('an image of %i pixels has all of its codes', (length) => {
  const indices = Uint8Array.from({ length }, (_, i) => 255 - i);
  expect(decoded(lzwBlocks(indices, 8))).toEqual({ indices: Array.from(indices), minCodeSize: 8 });
});

test('a reader finds the indices that were written', () => {
  const noise = uint8Array({ minLength: 1, maxLength: 9000, size: 'max' });
  const runs = array(tuple(nat(255), integer({ min: 1, max: 700 })), { minLength: 1, maxLength: 40 }).map((parts) =>
    Uint8Array.from(parts.flatMap(([index, count]) => Array<number>(count).fill(index))),
  );
  const images = tuple(oneof(noise, runs), integer({ min: 2, max: 8 }));
  assert(
    property(images, ([given, minCodeSize]) => {
      const indices = given.map((index) => index & ((1 << minCodeSize) - 1));
      expect(decoded(lzwBlocks(indices, minCodeSize))).toEqual({ indices: Array.from(indices), minCodeSize });
    }),
    { numRuns: 60 },
  );
});
