/** Each piece is packed and unpacked alone. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgetUnpacked, pack, packAtOnce, packTogether, unpack } from '../../../src/features/past/packer.js';

test('a packed piece is unpacked to what it was, and holds no more memory than its bytes', async () => {
  const text = Buffer.from('the same words again and again\n'.repeat(10_000));
  const pieces = [text, text, Buffer.from('x'), randomBytes(300_000), Buffer.concat([text, randomBytes(10)]), text];
  const packed: (Uint8Array | undefined)[] = [];
  for (const piece of pieces) {
    packed.push(await pack(piece));
    expect(packAtOnce(piece)).toEqual(packed.at(-1));
  }
  for (const [index, piece] of [...pieces.entries()].toReversed()) {
    const bytes = packed[index] ?? Buffer.alloc(0);
    expect(Buffer.from(unpack(bytes)).equals(piece), `piece ${index}`).toBe(true);
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
  }
  expect(packed[0]?.length).toBeLessThan(text.length / 20);
});

test('pieces of any sizes that are packed together are unpacked to one', async () => {
  const text = Buffer.from('the same words again and again\n'.repeat(10_000));
  for (const pieces of [[], [text], [Buffer.alloc(0), text], [Buffer.from('x'), randomBytes(300_000), text]]) {
    const bytes = (await packTogether(pieces)) ?? Buffer.alloc(0);
    expect(Buffer.from(unpack(bytes)).equals(Buffer.concat(pieces))).toBe(true);
    expect(bytes.buffer.byteLength).toBe(bytes.byteLength);
  }
});

test('a piece that was just unpacked is not unpacked again, unless others were in between or it was forgotten', () => {
  const pieces = Array.from({ length: 6 }, (_, i) => packAtOnce(Buffer.from(`piece ${i}`)));
  const [first = Buffer.alloc(0), ...others] = pieces;
  const once = unpack(first);
  expect(unpack(first)).toBe(once);
  for (const other of others.slice(0, 3)) unpack(other);
  expect(unpack(first)).toBe(once);
  for (const other of others.slice(1)) unpack(other);
  const again = unpack(first);
  expect(again).not.toBe(once);
  expect(Buffer.from(again).equals(once)).toBe(true);
  forgetUnpacked();
  expect(unpack(first)).not.toBe(again);
});
