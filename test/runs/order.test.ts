/** The order in which `npm test` takes its files. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ROOT } from '../support/consumer.js';
import { spread } from '../support/spread.js';
import { WAITING } from '../support/waiting-files.js';

test('the files that are known to wait exist, and each is listed once', () => {
  expect(WAITING.filter((name) => !existsSync(path.join(ROOT, 'test', `${name}.test.ts`)))).toEqual([]);
  expect(new Set(WAITING).size).toBe(WAITING.length);
});

test('files that wait come one at a time among the others, and none is lost or repeated', () => {
  expect(spread<string | number>(['a', 'b'], [1, 2, 3, 4, 5], 2)).toEqual(['a', 1, 2, 'b', 3, 4, 5]);
  expect(spread<string | number>(['a', 'b', 'c'], [1], 2)).toEqual(['a', 1, 'b', 'c']);
  fc.assert(
    fc.property(fc.nat(20), fc.nat(60), fc.integer({ min: 1, max: 5 }), (some, others, each) => {
      const numbers = Array.from({ length: some + others }, (_, i) => i);
      const mixed = spread(numbers.slice(0, some), numbers.slice(some), each);
      expect(mixed.toSorted((a, b) => a - b)).toEqual(numbers);
    }),
  );
});
