/** Places in JSON, beside JSON.parse, which knows what is JSON. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPlaces } from '../../src/base/json-places.js';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('valid JSON has no error, with any content and layout', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (value, indent) => {
      expect(jsonPlaces(JSON.stringify(value, null, indent)).error).toBeUndefined();
    }),
  );
});

test('invalid JSON has an error, and nothing else has', () => {
  const damaged = fc
    .tuple(
      fc.jsonValue(),
      fc.nat(),
      fc.constantFrom('', ',', ']', '}', '"', '\\', ':', 'x', '0', '-', '.', '\n', '\u00a0'),
    )
    .map(([value, at, piece]) => {
      const text = JSON.stringify(value, null, 1);
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + 1);
    });
  fc.assert(
    fc.property(damaged, (text) => {
      expect(jsonPlaces(text).error === undefined).toBe(isJson(text));
    }),
  );
});

test('each field is on the line of its name', () => {
  const { lines } = jsonPlaces('{\n  "a": 1,\n\n  "b": {"c": [1,\n  {"d": 2}]}, "e\\u0066": 3\n}');
  expect(Object.fromEntries(lines)).toEqual({ a: 2, b: 4, 'b.c': 4, 'b.c.0': 4, 'b.c.1': 5, 'b.c.1.d': 5, ef: 5 });
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', 3, 'expected "," or "}", found "\\"b\\": 2"'],
  ['{\n  "a": 1,\n}\n', 3, 'expected the name of a field in double quotes, found "}"'],
  ['{\n  "a" 1\n}', 2, 'expected ":", found "1"'],
  ['{"a": [1,\n 2', 2, 'expected "," or "]", found the end of the file'],
  ['{"a":\n tru}', 2, 'expected a value, found "tru}"'],
  ['', 1, 'expected a value, found the end of the file'],
  ['{}\n\n{}', 3, 'expected the end, found "{}"'],
])('%j is reported in line %i', (text, line, says) => {
  expect(jsonPlaces(text).error).toEqual({ line, says });
});

test('any nesting is searched, and reported down to a limit', () => {
  const list = '['.repeat(200_000);
  expect(jsonPlaces(`${list}${']'.repeat(200_000)}`).error).toBeUndefined();
  expect(jsonPlaces(`\n${list}\n`).error).toEqual({ line: 3, says: 'expected a value, found the end of the file' });
  const { lines, error } = jsonPlaces(`${'{"a":\n'.repeat(100_000)}1${'}'.repeat(100_000)}`);
  expect(error).toBeUndefined();
  expect(lines.get('a.a.a')).toBe(3);
  expect(lines.size).toBeLessThan(100);
});

test('a file of many lines is searched once', () => {
  const fields = Array.from({ length: 100_000 }, (_, i) => `"field-${i}": ${i}`);
  const { lines } = jsonPlaces(`{\n${fields.join(',\n')}\n}`);
  expect(lines.get('field-99999')).toBe(100_001);
});
