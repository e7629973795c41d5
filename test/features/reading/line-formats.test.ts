import { describe, expect, test } from 'vitest';
import { ansiLine, cellsLine, namedColor, plainLine, rowsOf } from '../../../src/features/reading/line-formats.js';
import { COLOR_DEFAULT } from '../../../src/vt/snapshot.js';
import { openScreen, show } from '../../vt/screens.js';

async function shown(text: string) {
  const screen = openScreen({ cols: 10, rows: 6 });
  await show(screen, text);
  return screen;
}

describe('a plain line', () => {
  const WRAPPED = `${'a'.repeat(10)}${'b'.repeat(10)}c  `;

  test.each([
    [{ first: 0, end: 3 }, true, undefined, `${'a'.repeat(10)}${'b'.repeat(10)}c`],
    [{ first: 0, end: 2 }, true, undefined, `${'a'.repeat(10)}${'b'.repeat(10)}`],
    [{ first: 2, end: 3 }, true, undefined, 'c'],
    [{ first: 2, end: 3 }, false, undefined, 'c'.padEnd(10)],
    [{ first: 1, end: 3 }, true, 1, `${'b'.repeat(10)}c`],
    [{ first: 0, end: 2 }, true, 4, `${'a'.repeat(10)}bbbb`],
    [{ first: 0, end: 1 }, true, 0, ''],
    [{ first: 3, end: 3 }, true, undefined, ''],
    [{ first: 99, end: 100 }, true, undefined, ''],
  ])('of %j (trimmed: %s, columns of the last row: %s) is %j', async (range, trim, lastCols, text) => {
    expect(plainLine(await shown(WRAPPED), range, trim, { lastCols })).toBe(text);
  });

  test.each([
    ['# ', 'out', '# out'],
    ['# ', '', '# '],
    ['# ', 'at 5 %', '# \rat 5 %'],
  ])('of an output behind %j is %j', async (lead, text, printed) => {
    expect(plainLine(await shown(printed), { first: 0, end: 1 }, true, { lead })).toBe(text);
  });

  test('keeps blanks between its rows, and trailing ones unless they are trimmed', async () => {
    const screen = await shown('abcdefgh  ij  \x1b[31m \x1b[m');
    expect(plainLine(screen, { first: 0, end: 2 }, true)).toBe('abcdefgh  ij');
    expect(plainLine(screen, { first: 0, end: 2 }, false)).toMatch(/^abcdefgh {2}ij {0,8}$/);
    expect(plainLine(screen, { first: 0, end: 1 }, true)).toBe('abcdefgh');
    expect(plainLine(screen, { first: 0, end: 1 }, false)).toBe('abcdefgh  ');
  });
});

describe('rows', () => {
  test('of a range are the existing ones', async () => {
    const screen = await shown('a');
    expect(rowsOf(screen, { first: 0, end: 6 })).toHaveLength(6);
    expect(rowsOf(screen, { first: 4, end: 9 })).toHaveLength(2);
    expect(rowsOf(screen, { first: 2, end: 2 })).toEqual([]);
  });

  test('of one line are joined: whole if the line continues, the last one without its blanks', async () => {
    const screen = await shown(`abcdefgh  ij`);
    expect(ansiLine(rowsOf(screen, { first: 0, end: 2 }))).toBe('abcdefgh  ij');
    expect(ansiLine(rowsOf(await shown('ab'), { first: 0, end: 1 }))).toBe('ab');
    expect(cellsLine(rowsOf(screen, { first: 0, end: 2 })).map(({ text }) => text.trimEnd())).toEqual([
      'abcdefgh',
      'ij',
    ]);
  });
});

test('a colour is the default, one of the palette, or red, green and blue', async () => {
  expect(namedColor('fg', COLOR_DEFAULT)).toEqual({});
  const screen = await shown('\x1b[38;5;0ma\x1b[38;5;255mb\x1b[38;2;0;171;255mc\x1b[48;2;0;0;0md');
  expect(cellsLine(rowsOf(screen, { first: 0, end: 1 })).slice(0, 4)).toMatchObject([
    { text: 'a', fg: 0 },
    { text: 'b', fg: 255 },
    { text: 'c', fg: '#00abff' },
    { text: 'd', fg: '#00abff', bg: '#000000' },
  ]);
});
