import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PayloadBuffer } from '../../../src/vt/xterm/payload-buffer.js';
import { heldBytes } from '../../support/held-memory.js';
import { runsOf } from '../../support/trial.js';
import { anyText } from '../../support/any-text.js';

/** Adds the text as the parser does: code points somewhere in a larger array. */
function add(buffer: PayloadBuffer, text: string): boolean {
  const codePoints = Uint32Array.from(`<${text}>`, (char) => char.codePointAt(0) ?? 0);
  return buffer.add(codePoints, 1, codePoints.length - 1);
}

function opened(maxLength: number): PayloadBuffer {
  const buffer = new PayloadBuffer();
  buffer.open(maxLength);
  return buffer;
}

test('a new buffer is empty and accepts no text', () => {
  const buffer = new PayloadBuffer();
  expect([buffer.text(), add(buffer, ''), add(buffer, 'a'), buffer.text()]).toEqual(['', true, false, '']);
});

test.each([
  ['', true, ''],
  ['abc', true, 'abc'],
  ['abcde', true, 'abcde'],
  ['abcdef', false, 'abcde'],
  ['abc\u{1f600}', true, 'abc\u{1f600}'],
  ['abcd\u{1f600}', false, 'abcd'],
  ['abcd\u{1f600}e', false, 'abcd'],
  ['\uffffab\u{10000}', true, '\uffffab\u{10000}'],
  ['\u{10ffff}\u{103ff}a', true, '\u{10ffff}\u{103ff}a'],
])('of %j a buffer of five units keeps the part that fits, without half of a character', (text, fits, held) => {
  const buffer = opened(5);
  expect(add(buffer, text)).toBe(fits);
  expect(buffer.text()).toBe(held);
});

test('any pieces are kept one after another, up to the limit', () => {
  const pieces = fc.array(
    fc.oneof(
      anyText({ maxLength: 20 }),
      fc.nat(700).map((length) => 'é'.repeat(length)),
    ),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, fc.integer({ min: 0, max: 3000 }), fc.nat(3000), (texts, maxLength, headLength) => {
      const buffer = opened(maxLength);
      let held = '';
      for (const text of texts) {
        const fits = held.length + text.length <= maxLength;
        expect(add(buffer, text)).toBe(fits);
        if (!fits) break;
        held += text;
        expect(buffer.text()).toBe(held);
      }
      expect(buffer.text().startsWith(held)).toBe(true);
      expect(buffer.text().length).toBeLessThanOrEqual(maxLength);
      expect(buffer.text(headLength)).toBe(buffer.text().slice(0, headLength));
    }),
    { numRuns: runsOf({ suite: 18, trial: 100 }) },
  );
});

test('opening a buffer drops its text and sets a new limit', () => {
  const buffer = opened(100_000);
  const long = 'x'.repeat(50_000);
  expect(add(buffer, long)).toBe(true);
  expect(buffer.text()).toBe(long);
  buffer.open(20);
  expect(buffer.text()).toBe('');
  expect([add(buffer, 'short'), buffer.text()]).toEqual([true, 'short']);
  expect([add(buffer, ' and then too long'), buffer.text()]).toEqual([false, 'short and then too l']);
  buffer.open(100_000);
  expect([add(buffer, long), buffer.text()]).toEqual([true, long]);
});

test('an opened buffer holds the memory of a payload for the next one, up to 4096 units', () => {
  const payloads = [4097, 4096];
  const [ofLarge, ofSmall] = payloads.map((length) => {
    const buffers = Array.from({ length: 500 }, () => opened(length));
    const before = heldBytes();
    for (const buffer of buffers) add(buffer, 'x'.repeat(length));
    const full = heldBytes() - before;
    for (const buffer of buffers) buffer.open(20);
    const left = heldBytes() - before;
    expect(buffers.map((buffer) => buffer.text()).join('')).toBe('');
    return left / full;
  });
  expect(ofLarge).toBeLessThan(0.3);
  expect(ofSmall).toBeGreaterThan(0.7);
});
