import { describe, expect, test } from 'vitest';
import { rowRuns } from '../../../src/vt/rows/row-runs.js';
import * as S from '../../../src/vt/snapshot.js';
import { openScreen, show } from '../screens.js';

async function rowOf(output: string): Promise<S.SnapshotRow> {
  const { lines } = await show(openScreen({ cols: 8 }), output);
  return lines[0]!;
}

interface Cell {
  readonly grapheme?: string;
  readonly width?: number;
  readonly fg?: number;
  readonly bg?: number;
  readonly attributes?: number;
}

/** A row as it may be held, which no output needs to bring about. */
function rowOfCells(cells: readonly Cell[], more: Partial<S.SnapshotRow> = {}): S.SnapshotRow {
  const words = cells.flatMap(({ grapheme = '\0', width = 1, fg = 0, bg = 0, attributes = 0 }) => [
    grapheme.codePointAt(0) ?? 0,
    fg,
    bg,
    attributes | (width << S.ATTR_WIDTH_SHIFT),
  ]);
  return {
    cells: Uint32Array.from(words),
    clusters: [],
    underlineColors: undefined,
    links: undefined,
    wrapped: false,
    lineSize: 'single',
    ...more,
  };
}

/** Place, cells, cells of a character, and text of each run. */
const shape = (row: S.SnapshotRow): unknown[] =>
  rowRuns(row).map(({ col, cols, width, graphemes }) => [col, cols, width, graphemes.join('')]);

describe('the runs of a row', () => {
  test.each<[string, unknown[]]>([
    ['', []],
    ['ab', [[0, 2, 1, 'ab']]],
    ['ab  ', [[0, 4, 1, 'ab  ']]],
    ['\x1b[3Gx', [[0, 3, 1, '  x']]],
    ['12345678', [[0, 8, 1, '12345678']]],
    [
      'a中b',
      [
        [0, 1, 1, 'a'],
        [1, 2, 2, '中'],
        [3, 1, 1, 'b'],
      ],
    ],
    ['中文', [[0, 4, 2, '中文']]],
    [
      '123456中',
      [
        [0, 6, 1, '123456'],
        [6, 2, 2, '中'],
      ],
    ],
    ['e\u0301f', [[0, 2, 1, 'e\u0301f']]],
    ['\x1b[44m\x1b[3X', [[0, 3, 1, '   ']]],
    [
      'a\x1b[44m\x1b[K',
      [
        [0, 1, 1, 'a'],
        [1, 7, 1, '       '],
      ],
    ],
  ])('of %j have the columns of its characters', async (output, expected) => {
    expect(shape(await rowOf(output))).toEqual(expected);
  });

  test.each([
    ['foreground', '\x1b[31m', '\x1b[32m'],
    ['background', '\x1b[41m', '\x1b[42m'],
    ['set of attributes', '\x1b[1m', '\x1b[22;3m'],
    ['underline', '\x1b[4:3m', '\x1b[4:2m'],
    ['colour of the underline', '\x1b[4;58;5;1m', '\x1b[58;5;2m'],
    ['link', '\x1b]8;;http://a/\x07', '\x1b]8;;http://b/\x07'],
    ['end of a link', '\x1b]8;;http://a/\x07', '\x1b]8;;\x07'],
  ])('end where the %s changes, and not before', async (_, first, second) => {
    expect(shape(await rowOf(`${first}ab${second}cd`))).toEqual([
      [0, 2, 1, 'ab'],
      [2, 2, 1, 'cd'],
    ]);
  });

  test('have the style and the link of their cells, even of wide ones', async () => {
    const [run] = rowRuns(await rowOf('\x1b[1;4:3;31;48;2;1;2;3;58;5;9m\x1b]8;;http://a/\x07中'));
    expect(run).toEqual({
      col: 0,
      cols: 2,
      width: 2,
      graphemes: ['中'],
      style: {
        fg: S.COLOR_PALETTE | 1,
        bg: S.COLOR_RGB | 0x010203,
        attributes: S.ATTR_BOLD | (3 << S.ATTR_UNDERLINE_SHIFT),
        underlineColor: S.COLOR_PALETTE | 9,
      },
      link: 'http://a/',
    });
    expect(rowRuns(await rowOf('x'))).toEqual([
      {
        col: 0,
        cols: 1,
        width: 1,
        graphemes: ['x'],
        style: { fg: 0, bg: 0, attributes: 0, underlineColor: 0 },
        link: undefined,
      },
    ]);
  });

  test.each<[string, Cell, Partial<S.SnapshotRow>]>([
    ['a foreground', { fg: 1 }, {}],
    ['a background', { bg: 1 }, {}],
    ['an attribute', { attributes: S.ATTR_BOLD }, {}],
    ['a link', {}, { links: new Map([[1, 'http://a/']]) }],
  ])('reach an empty cell with %s, and no further', (_, cell, more) => {
    const runs = rowRuns(rowOfCells([{}, cell, {}], more));
    expect(runs.map(({ col, cols, graphemes }) => [col, cols, graphemes])).toEqual([
      [0, 1, [' ']],
      [1, 1, [' ']],
    ]);
  });

  test('have a blank for half of a wide character', () => {
    const wide = { grapheme: '中', width: 2 };
    expect(shape(rowOfCells([{ grapheme: 'a' }, wide]))).toEqual([[0, 2, 1, 'a ']]);
    expect(shape(rowOfCells([{ width: 0 }, { grapheme: 'a' }]))).toEqual([[0, 2, 1, ' a']]);
    expect(shape(rowOfCells([wide, { width: 0 }, { grapheme: 'a' }]))).toEqual([
      [0, 2, 2, '中'],
      [2, 1, 1, 'a'],
    ]);
  });
});

test('a wide character without its right half is a blank, so that what follows keeps its column', () => {
  const row = rowOfCells([{ grapheme: '漢', width: 2 }, { grapheme: 'x' }]);
  expect(shape(row)).toEqual([[0, 2, 1, ' x']]);
});

test('a right half without its left one is a blank, so that what follows keeps its column', () => {
  const row = rowOfCells([{ grapheme: 'a' }, { width: 0 }, { grapheme: 'x' }]);
  expect(shape(row)).toEqual([[0, 3, 1, 'a x']]);
});
