/** JSON whose memory is bounded by its length. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedJson } from '../../../src/history/recording/bounded-json.js';

test('any JSON of a few levels is what JSON.parse makes of it', () => {
  const value = fc.jsonValue({ maxDepth: 8 });
  const text = fc.string({ unit: fc.constantFrom('\\', '"', '[', ']', '{', '}', ',', 'a', '\u00e9') });
  fc.assert(
    fc.property(value, fc.array(text, { maxLength: 20 }), (inner, texts) => {
      // Long enough to be looked at.
      const whole = JSON.stringify([inner, ...texts, 'x'.repeat(5000)]);
      expect(boundedJson(whole)).toEqual(JSON.parse(whole));
    }),
  );
});

test('what is no JSON is undefined', () => {
  for (const text of ['', '[', '{"a":}', `["${'x'.repeat(5000)}`, `["${'\\"'.repeat(5000)}]`]) {
    expect(boundedJson(text)).toBeUndefined();
  }
});

test('marks within a text are no levels and no values', () => {
  const text = '[[[{{{,,,\\"'.repeat(10_000);
  expect(boundedJson(JSON.stringify([0, 'o', text]))).toEqual([0, 'o', text]);
});

test('up to 32 levels and 10,000 values are parsed, and one more of them is not', () => {
  const long = 'x'.repeat(4096);
  const levels = (count: number): string => `${'['.repeat(count)}"${long}"${']'.repeat(count)}`;
  const values = (count: number): string => `["${long}"${',0'.repeat(count - 1)}]`;
  for (const make of [() => levels(32), () => values(10_000)]) expect(boundedJson(make())).toEqual(JSON.parse(make()));
  for (const text of [levels(33), values(10_001)]) expect(boundedJson(text)).toBeUndefined();
});

test.each([
  ['deep lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['deep objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['a long list', `[${'0,'.repeat(100_000)}0]`],
])('%s are not parsed', (_name, text) => {
  expect(() => JSON.parse(text)).not.toThrow();
  expect(boundedJson(text)).toBeUndefined();
});
