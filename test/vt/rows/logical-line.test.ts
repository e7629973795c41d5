import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellsOf, CellWalk, logicalLine, logicalLines } from '../../../src/vt/rows/logical-line.js';
import { openScreen, show } from '../screens.js';
import { runsOf } from '../../support/trial.js';

test('a walk along a line returns the same cells as a search from its beginning', async () => {
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
    { numRuns: runsOf({ suite: 100, trial: 300 }) },
  );
});

test('each position of a line has the cells where it was printed', async () => {
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

test('wrapped rows are one line with the position of its first row', async () => {
  const screen = openScreen({ cols: 4, rows: 7 });
  const { lines: rows } = await show(screen, 'a\r\nbcdefghij\r\n\r\nk  ');
  const lines = logicalLines(rows);
  expect(lines.map(({ firstRow, rows: own, text }) => [firstRow, own.length, text])).toEqual([
    [0, 1, 'a'],
    [1, 3, 'bcdefghij'],
    [4, 1, ''],
    [5, 1, 'k  '],
    [6, 1, ''],
  ]);
  expect(lines[1]!.rows).toEqual(rows.slice(1, 4));
  expect(logicalLines([])).toEqual([]);
});

test('a cell that stayed empty before a wide character is no part of the line', async () => {
  const screen = openScreen({ cols: 5, rows: 6 });
  await show(screen, 'abcd世世世é世\r\nabcd ef\r\nabcd');
  const { lines: rows } = screen.snapshot();
  const lines = logicalLines(rows);
  expect(lines.map(({ text }) => text)).toEqual(['abcd世世世é世', 'abcd ef', 'abcd']);
  expect(screen.lineText(0, { trim: false })).toBe('abcd');
  expect(cellsOf(lines[0]!, 3, 5)).toEqual([
    { row: 0, col: 3, cols: 1 },
    { row: 1, col: 0, cols: 2 },
  ]);
});

test('a first row without the beginning of its line is a line with the rows that continue it', async () => {
  const { lines: rows } = await show(openScreen({ cols: 4 }), 'abcdefghij');
  expect(logicalLines(rows.slice(1, 3)).map(({ firstRow, text }) => [firstRow, text])).toEqual([[0, 'efghij']]);
});

test('empty cells are spaces within a line, and nothing at its end', async () => {
  const { lines: rows } = await show(openScreen({ cols: 4 }), 'abcdef\x1b[1;3H\x1b[2X');
  expect(logicalLine(rows.slice(0, 2))).toEqual({ firstRow: 0, rows: rows.slice(0, 2), text: 'ab  ef' });
  expect(logicalLine([], 3)).toEqual({ firstRow: 3, rows: [], text: '' });
});

test('a range over several rows has cells in each of them', async () => {
  const { lines: rows } = await show(openScreen({ cols: 4, rows: 6 }), '\r\nab世世cde\u0301fgh');
  const line = logicalLines(rows)[1]!;
  expect(line.text).toBe('ab世世cde\u0301fgh');
  expect(cellsOf(line, 1, 9)).toEqual([
    { row: 1, col: 1, cols: 3 },
    { row: 2, col: 0, cols: 4 },
    { row: 3, col: 0, cols: 2 },
  ]);
  expect(cellsOf(line, 0, 2)).toEqual([{ row: 1, col: 0, cols: 2 }]);
  expect(cellsOf(line, 7, 8)).toEqual([{ row: 3, col: 0, cols: 1 }]);
  expect(cellsOf(line, 4, 4)).toEqual([]);
  const walk = new CellWalk(line);
  expect([walk.to(0, 3), walk.to(2, 5), walk.to(8, 11)]).toEqual([
    cellsOf(line, 0, 3),
    cellsOf(line, 2, 5),
    cellsOf(line, 8, 11),
  ]);
});
