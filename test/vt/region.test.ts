import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputLines } from '../../src/features/reading/output-lines.js';
import { checkRange, linesIn, regionRange } from '../../src/vt/region.js';
import type { Screen } from '../../src/vt/screen.js';
import { openScreen, show } from './screens.js';

/** 20 columns and 5 rows, of which the scrollback keeps 4 more. */
async function screenWith(text: string): Promise<Screen> {
  const screen = openScreen({ scrollback: 4 });
  await show(screen, text);
  return screen;
}

const count = (lines: number): string => Array.from({ length: lines }, (_, i) => `line ${i}`).join('\r\n');

test('the viewport is below the scrollback, and both together are all', async () => {
  const screen = await screenWith(count(8));
  expect(regionRange(screen, 'viewport')).toEqual({ first: 3, end: 8 });
  expect(regionRange(screen, 'scrollback')).toEqual({ first: 0, end: 3 });
  expect(regionRange(screen, 'all')).toEqual({ first: 0, end: 8 });
});

test.each([
  [{}, { start: 0, end: 10 }],
  [{ start: 3 }, { start: 3, end: 10 }],
  [{ end: 4 }, { start: 0, end: 4 }],
  [
    { start: 4, end: 4 },
    { start: 4, end: 4 },
  ],
  [
    { start: 12, end: 15 },
    { start: 10, end: 10 },
  ],
])('a range of %j in 10 lines is %j', (given, expected) => {
  expect(checkRange(given, 10)).toEqual(expected);
});

test('a range that ends before its start is refused', () => {
  expect(() => checkRange({ start: 5, end: 4 }, 10)).toThrow(
    expect.objectContaining({
      code: 'invalid_field',
      details: expect.objectContaining({ field: 'end' }) as object,
    }) as Error,
  );
});

test('wrapped rows are one line if they are joined', async () => {
  const screen = await screenWith(`one\r\n${'x'.repeat(45)}\r\ntwo`);
  const all = { first: 0, end: 5 };
  expect(linesIn(screen, all, true)).toEqual([
    { first: 0, end: 1, number: 0 },
    { first: 1, end: 4, number: 1 },
    { first: 4, end: 5, number: 4 },
  ]);
  expect(linesIn(screen, all, false).map(({ first, end }) => [first, end])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
  ]);
});

test('a line is joined within the range only', async () => {
  const screen = await screenWith(`${'x'.repeat(45)}\r\ntwo`);
  expect(linesIn(screen, { first: 1, end: 2 }, true)).toEqual([{ first: 1, end: 2, number: 1 }]);
  expect(linesIn(screen, { first: 1, end: 4 }, true)).toEqual([
    { first: 1, end: 3, number: 1 },
    { first: 3, end: 4, number: 3 },
  ]);
});

test('lines keep their numbers after the scrollback has dropped earlier ones', async () => {
  const screen = await screenWith(count(12));
  expect(screen.firstShownNumber).toBe(3);
  expect(linesIn(screen, { first: 0, end: 2 }, true).map(({ number }) => number)).toEqual([3, 4]);
});

test('output consists of logical lines, without trailing blank ones', async () => {
  const screen = await screenWith(`one  \r\n\r\n${'x'.repeat(25)}\r\n  \r\n`);
  expect(outputLines(screen, { first: 0, end: screen.totalLines }, 10)).toEqual({
    lines: ['one', '', 'x'.repeat(25)],
    omitted_lines: 0,
  });
  expect(outputLines(screen, { first: 0, end: 0 }, 10)).toEqual({ lines: [], omitted_lines: 0 });
});

test.each([
  [7, ['line 0', 'line 1', 'line 2', 'line 3', 'line 4', 'line 5', 'line 6'], 0],
  [6, ['line 0', 'line 1', 'line 2', 'line 4', 'line 5', 'line 6'], 1],
  [3, ['line 0', 'line 1', 'line 6'], 4],
  [1, ['line 0'], 6],
  [0, [], 7],
])('of long output with at most %j lines the head and the tail are returned', async (most, lines, omitted) => {
  const screen = await screenWith(count(7));
  const after = Math.ceil(most / 2);
  const place = omitted === 0 ? {} : { omitted_after: after, omitted: { from_line: after, rows: omitted } };
  expect(outputLines(screen, { first: 0, end: 7 }, most)).toEqual({ lines, omitted_lines: omitted, ...place });
});

test('of long lines, what is given and the rows that are named are together all of the text', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 130 }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 14 }),
      fc.integer({ min: 1, max: 400 }),
      async (lengths, most, maxLength) => {
        const texts = lengths.map((length, i) =>
          Array.from({ length }, (_, at) => (at + i * 7).toString(36).at(-1)).join(''),
        );
        const screen = openScreen({ scrollback: 200 });
        await show(screen, texts.join('\r\n'));
        const range = { first: 0, end: screen.totalLines };
        const got = outputLines(screen, range, most, maxLength);
        const all = texts.join('');
        if (got.omitted === undefined) {
          expect(got.lines.join('')).toBe(all);
          return;
        }
        const { from_line: from, rows } = got.omitted;
        const first = from - screen.firstShownNumber;
        const middle = outputLines(screen, { first, end: first + rows }, 1000).lines.join('');
        const [head, tail] = [got.lines.slice(0, got.omitted_after), got.lines.slice(got.omitted_after)];
        expect([...head, middle, ...tail].join('')).toBe(all);
        expect(got.lines.join('').length).toBeLessThanOrEqual(maxLength);
        expect(got.lines.length).toBeLessThanOrEqual(most);
        expect(got.omitted_lines).toBeGreaterThan(0);
      },
    ),
    { numRuns: 200 },
  );
});

test('output that ends within a row excludes the rest of that row', async () => {
  const screen = await screenWith('one%\r\ntwo%\r\nprompt');
  expect(outputLines(screen, { first: 0, end: 2, endCol: 3 }, 10).lines).toEqual(['one%', 'two']);
});
