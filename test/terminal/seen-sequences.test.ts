import { expect, test } from 'vitest';
import { SeenRing } from '../../src/terminal/seen-sequences.js';
import type { UnknownSequence } from '../../src/vt/replies/sequences.js';

const csi = (text: string): UnknownSequence => ({ kind: 'csi', text });
const osc = (text: string): UnknownSequence => ({ kind: 'osc', text });

test('equal entries in a row are counted under the revision of the first', () => {
  const ring = new SeenRing();
  ring.add(csi('a'), 1);
  ring.add(csi('a'), 2);
  ring.add(osc('a'), 3);
  ring.add(osc('b'), 4);
  ring.add(csi('a'), 5);
  expect(ring.list()).toEqual([
    { item: csi('a'), rev: 1, count: 2 },
    { item: osc('a'), rev: 3, count: 1 },
    { item: osc('b'), rev: 4, count: 1 },
    { item: csi('a'), rev: 5, count: 1 },
  ]);
});

test('the oldest entries are dropped and counted', () => {
  const ring = new SeenRing();
  for (let i = 0; i < 300; i++) ring.add(csi(String(i)), i);
  expect(ring.list()).toHaveLength(256);
  expect(ring.list().at(-1)?.item.text).toBe('299');
  expect(ring.dropped).toBe(44);
});

test('an entry after a clear is recorded again', () => {
  const ring = new SeenRing();
  ring.add(csi('a'), 1);
  ring.clear();
  expect(ring.list()).toEqual([]);
  ring.add(csi('a'), 2);
  expect(ring.list()).toEqual([{ item: csi('a'), rev: 2, count: 1 }]);
});
