import { expect, test } from 'vitest';
import { compilePattern } from '../../src/search/pattern.js';
import { boxOf, middleOf, searchViewport } from '../../src/search/viewport-search.js';
import { finish } from '../../src/search/work.js';
import { rowOf, screenOf } from '../render/support/screen.js';

function found(rows: readonly string[], text: string) {
  // All rows but the first go on with the one before.
  const lines = rows.map((row, i) => ({ ...rowOf(5, [[row]]), wrapped: i > 0 }));
  const pattern = compilePattern({ text, fixed: true, ignoreCase: false, field: 'text' });
  return finish(searchViewport(screenOf(lines), pattern));
}

test('all matches have their text and cells', () => {
  expect(found(['ab ab'], 'ab')).toEqual([
    { text: 'ab', spans: [{ row: 0, col: 0, cols: 2 }] },
    { text: 'ab', spans: [{ row: 0, col: 3, cols: 2 }] },
  ]);
});

test('a match continues in the next row of its line', () => {
  expect(found(['..abc', 'de'], 'bcde')).toEqual([
    {
      text: 'bcde',
      spans: [
        { row: 0, col: 3, cols: 2 },
        { row: 1, col: 0, cols: 2 },
      ],
    },
  ]);
});

test.each([
  [{ row: 2, col: 4, cols: 1 }, 4],
  [{ row: 2, col: 4, cols: 2 }, 4],
  [{ row: 2, col: 4, cols: 3 }, 5],
  [{ row: 2, col: 4, cols: 6 }, 6],
])('a match in %j is clicked on in column %j', (span, col) => {
  expect(middleOf({ text: 'x', spans: [span, { row: 3, col: 0, cols: 9 }] })).toEqual({ row: 2, col });
});

test('cells are boxes of pixels, after the margin', () => {
  const scale = { cellWidth: 7, cellHeight: 14, pad: 3 };
  expect(boxOf({ row: 2, col: 5, cols: 4 }, scale)).toEqual({ x: 38, y: 31, width: 28, height: 14 });
});
