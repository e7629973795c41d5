import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownCopy } from '../../src/base/own-copy.js';
import { heldBytes } from '../support/held-memory.js';

const MEGABYTE = 1024 * 1024;

test('a copy is the same text, including halves of surrogate pairs', () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 });
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      expect(ownCopy(text)).toBe(text);
    }),
  );
});

test.each([
  ['a slice', (payload: string) => payload.slice(100, 200)],
  ['a slice with more behind it', (payload: string) => `${payload.slice(100, 200)}…`],
  ['part of a split', (payload: string) => payload.split(';')[1]!],
  ['a match', (payload: string) => /;(x{100})/.exec(payload)![1]!],
])('a copy of %s does not keep the text that it was cut from', (_name, cut) => {
  const kept: string[] = [];
  const before = heldBytes();
  for (let i = 0; i < 40; i++) {
    kept.push(ownCopy(cut(Buffer.from(`${i};${'x'.repeat(100)};${'x'.repeat(MEGABYTE)}`).toString('latin1'))));
  }
  expect(heldBytes() - before).toBeLessThan(4 * MEGABYTE);
  expect(kept).toHaveLength(40);
});

test('a copy of Latin-1 text takes one byte a character', () => {
  const text = 'é'.repeat(64 * 1024);
  const before = heldBytes();
  const kept = Array.from({ length: 160 }, () => ownCopy(text));
  expect(heldBytes() - before).toBeLessThan(15 * MEGABYTE);
  expect(kept).toHaveLength(160);
});
