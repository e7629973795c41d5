/** Memory of floods goes round: what is used up is used again, and nothing before that. */
import { expect, test } from 'vitest';
import { BURST_BYTES, BurstBuffers, LentBuffers } from '../../../src/terminal/pty/burst-buffers.js';

function burst(length: number, buffer = new ArrayBuffer(BURST_BYTES)): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, 0, length);
}

test('a returned buffer is reused, otherwise a new one is made', () => {
  const buffers = new BurstBuffers();
  const first = buffers.take();
  expect(first.byteLength).toBe(BURST_BYTES);
  expect(buffers.take()).not.toBe(first);
  buffers.giveBack(first);
  expect(buffers.take()).toBe(first);
  expect(buffers.take()).not.toBe(first);
});

test('at most 64 buffers are kept', () => {
  const buffers = new BurstBuffers();
  const given = Array.from({ length: 100 }, () => buffers.take());
  for (const buffer of given) buffers.giveBack(buffer);
  const again = Array.from({ length: 100 }, () => buffers.take());
  expect(again.filter((buffer) => given.includes(buffer))).toHaveLength(64);
});

test('a buffer returns when its last byte is used, in the order of arrival', () => {
  const lent = new LentBuffers();
  const [first, second, third] = [burst(20_000), burst(BURST_BYTES), burst(16_384)];
  for (const bytes of [first, second, third]) lent.received(bytes);
  expect(lent.used(19_999)).toEqual([]);
  expect(lent.used(1)).toEqual([first.buffer]);
  expect(lent.used(BURST_BYTES - 1)).toEqual([]);
  const back = lent.used(2);
  expect(back).toHaveLength(1);
  expect(back[0]).toBe(second.buffer);
  expect(lent.used(16_383)[0]).toBe(third.buffer);
});

test('several buffers return at once', () => {
  const lent = new LentBuffers();
  const all = [burst(20_000), burst(BURST_BYTES), burst(30_000)];
  for (const bytes of all) lent.received(bytes);
  expect(lent.used(20_000 + BURST_BYTES + 30_000)).toHaveLength(3);
  expect(lent.used(1)).toEqual([]);
});

test('memory of small pieces does not return to the buffers', () => {
  const lent = new LentBuffers();
  const large = burst(20_000);
  lent.received(new Uint8Array(5));
  lent.received(large);
  lent.received(new Uint8Array(7));
  expect(lent.used(5)).toEqual([]);
  expect(lent.used(20_007)).toEqual([large.buffer]);
});
