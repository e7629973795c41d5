/** Rows as the text that they were printed as, and the cells of places in it. */
import { describe, expect, test } from 'vitest';
import { lineCells, matchesIn, mayEndInGap, painted } from '../../src/tty/row-places.js';
import type { MirrorRow, MirrorRun } from '../../src/mirror/mirror.js';

function row(runs: readonly MirrorRun[], wrapped = false): MirrorRow {
  return { runs, wrapped, size: 'single' };
}

const textOf = (cells: readonly { text: string }[]): string => cells.map(({ text }) => text).join('');

describe('matches', () => {
  test('are found without regard to case, and what is special in a pattern is text', () => {
    const rows = [row([['a.b A.B axb']]), row([['(a.b)']])];
    expect(matchesIn(rows, 20, 'a.b')).toEqual([
      { line: 0, nth: 0, spans: [{ row: 0, from: 0, to: 3 }] },
      { line: 0, nth: 1, spans: [{ row: 0, from: 4, to: 7 }] },
      { line: 1, nth: 0, spans: [{ row: 1, from: 1, to: 4 }] },
    ]);
  });

  test('go over the end of a row that the line wraps at, and not over the end of a line', () => {
    const wrapped = [row([['xxab']]), row([['cd']], true)];
    expect(matchesIn(wrapped, 4, 'abcd')).toEqual([
      {
        line: 0,
        nth: 0,
        spans: [
          { row: 0, from: 2, to: 4 },
          { row: 1, from: 0, to: 2 },
        ],
      },
    ]);
    expect(matchesIn([row([['xxab']]), row([['cd']])], 4, 'abcd')).toEqual([]);
  });

  test('have the columns of wide characters and of those of several code points', () => {
    const rows = [row([['漢字', '', 4], ['e\u0301', '', 1], ['x']])];
    expect(matchesIn(rows, 20, '字e\u0301x')[0]?.spans).toEqual([{ row: 0, from: 2, to: 6 }]);
  });
});

describe('the end of a row that continues', () => {
  const wide = row([['漢', '', 2]], true);

  test('is no blank where a wide character did not fit, and blanks where the program left cells out', () => {
    expect(textOf(lineCells(row([['abc']]), wide, 4))).toBe('abc');
    expect(textOf(lineCells(row([['ab']]), row([['c']], true), 4))).toBe('ab  ');
    expect(textOf(lineCells(row([['ab']]), row([['c']]), 4))).toBe('ab');
  });

  test('is uncertain if its last cell is a blank with a style', () => {
    expect(mayEndInGap(row([['abc '] as const]), wide, 4)).toBe(true);
    expect(
      mayEndInGap(
        row([
          ['abc', '31'],
          [' ', '31'],
        ]),
        wide,
        4,
      ),
    ).toBe(true);
    expect(mayEndInGap(row([['abcd']]), wide, 4)).toBe(false);
    expect(mayEndInGap(row([['abc ']]), row([['d']], true), 4)).toBe(false);
  });
});

describe('painted cells', () => {
  test('have the style of the last paint that covers them, and the others keep theirs', () => {
    const paints = [
      { from: 1, to: 3, style: '30;43' },
      { from: 2, to: 4, style: '7' },
    ];
    expect(painted(row([['abcdef', '1']]), paints).runs.map(([text, style]) => [text, style])).toEqual([
      ['a', '1'],
      ['b', '30;43'],
      ['cd', '7'],
      ['ef', '1'],
    ]);
  });

  test('go on as blanks beyond the text, and a wide character that is half covered is whole', () => {
    const { runs } = painted(row([['漢', '', 2]]), [{ from: 1, to: 4, style: '7' }]);
    expect(runs.map(([text, style, cells]) => [text, style, cells])).toEqual([
      ['漢', '7', 2],
      ['  ', '7', 0],
    ]);
  });

  test('are the same row where nothing is painted', () => {
    const same = row([['text']]);
    expect(painted(same, [])).toBe(same);
  });
});
