import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf, CellWalk, logicalLines } from '../../src/vt/logical-line.js';
import { openScreen, show } from './screens.js';

test('a walk along a line tells the cells of each place, as a look from its beginning does', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '世', '😀', 'e\u0301'), minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(fc.nat(), { maxLength: 10 }), async (printed, numbers) => {
      const screen = openScreen({ cols: 7, rows: 20 });
      await show(screen, printed);
      const [line] = logicalLines(screen.snapshot().lines);
      const ends = numbers.map((number) => number % (line!.text.length + 1)).toSorted((a, b) => a - b);
      const walk = new CellWalk(line!);
      for (const [i, end] of ends.entries()) {
        const start = ends[i - 1] ?? 0;
        expect(walk.to(start, end)).toEqual(cellsOf(line!, start, end));
      }
    }),
    { numRuns: 300 },
  );
});

test('what a place of a line is told to be is where it was printed', async () => {
  const screen = openScreen({ cols: 5, rows: 5 });
  await show(screen, 'ab世cd世e\u0301f');
  const [line] = logicalLines(screen.snapshot().lines);
  const walk = new CellWalk(line!);
  const places = Array.from(line!.text, (_, at) => walk.to(at, at + 1));
  expect(places).toEqual([
    [{ row: 0, col: 0, cols: 1 }],
    [{ row: 0, col: 1, cols: 1 }],
    [{ row: 0, col: 2, cols: 2 }],
    [{ row: 0, col: 4, cols: 1 }],
    [{ row: 1, col: 0, cols: 1 }],
    [{ row: 1, col: 1, cols: 2 }],
    [{ row: 1, col: 3, cols: 1 }],
    [{ row: 1, col: 3, cols: 1 }],
    [{ row: 1, col: 4, cols: 1 }],
  ]);
});
