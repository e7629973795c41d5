import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { headAndTail } from '../../../src/features/reading/output-lines.js';

const cut = (sizes: readonly number[], maxBytes: number) => headAndTail(sizes, maxBytes, (size) => size);

test.each([
  { sizes: [4, 3, 3], max: 10, head: [4, 3, 3], tail: [], omitted: { count: 0, bytes: 0 } },
  { sizes: [], max: 1, head: [], tail: [], omitted: { count: 0, bytes: 0 } },
  { sizes: [1, 1, 1, 1, 1, 1], max: 4, head: [1, 1], tail: [1, 1], omitted: { count: 2, bytes: 2 } },
  { sizes: [5, 1, 5], max: 10, head: [5], tail: [5], omitted: { count: 1, bytes: 1 } },
  { sizes: [6, 1, 5], max: 10, head: [], tail: [1, 5], omitted: { count: 1, bytes: 6 } },
  { sizes: [2, 9, 7], max: 9, head: [2], tail: [7], omitted: { count: 1, bytes: 9 } },
  { sizes: [20, 20], max: 10, head: [], tail: [], omitted: { count: 2, bytes: 40 } },
])('$sizes within $max keeps $head and $tail', ({ sizes, max, head, tail, omitted }) => {
  expect(cut(sizes, max)).toEqual({ head, tail, omitted });
});

test('kept lines are within the budget, and with the omitted ones they are everything', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 50 })), fc.integer({ min: 1, max: 500 }), (sizes, max) => {
      const { head, tail, omitted } = cut(sizes, max);
      const sum = (items: readonly number[]): number => items.reduce((total, size) => total + size, 0);
      expect(sum(head) + sum(tail)).toBeLessThanOrEqual(max);
      expect(sizes.slice(0, head.length)).toEqual(head);
      expect(sizes.slice(sizes.length - tail.length)).toEqual(tail);
      expect(head.length + tail.length + omitted.count).toBe(sizes.length);
      expect(sum(head) + sum(tail) + omitted.bytes).toBe(sum(sizes));
    }),
  );
});
