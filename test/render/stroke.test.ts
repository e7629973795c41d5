import { expect, test } from 'vitest';
import { strokeOf } from '../../src/render/cell-size.js';

test('a line is an eighth of the cell thick, rounded, and never thinner than a pixel', () => {
  const widths = [1, 2, 3, 4, 7, 8, 10, 11, 12, 16, 20, 24, 64];
  expect(widths.map(strokeOf)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 8]);
});
