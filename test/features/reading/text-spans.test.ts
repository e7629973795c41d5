import { describe, expect, test } from 'vitest';
import { finish } from '../../../src/search/work.js';
import { highlightsIn, linksIn, type RowAt } from '../../../src/features/reading/text-spans.js';
import { ATTR_BOLD, ATTR_INVERSE, type SnapshotRow } from '../../../src/vt/snapshot.js';
import { indexed, rgb, rowOf, type Run } from '../../render/support/screen.js';

const COLS = 20;

function rowsOf(...lines: readonly (readonly Run[])[]): RowAt[] {
  return lines.map((runs, i) => ({ row: rowOf(COLS, runs), number: 100 + i }));
}

function highlights(...lines: readonly (readonly Run[])[]) {
  const rows = rowsOf(...lines);
  return finish(
    highlightsIn(
      rows,
      rows.map(({ row }) => row),
    ),
  );
}

describe('highlights', () => {
  test('have another ground than most of the viewport', () => {
    expect(highlights([['plain ']], [['a '], ['menu', { bg: indexed(4) }], [' b']])).toEqual([
      { number: 101, col: 2, cols: 4, text: 'menu', inverse: false, bg: 4 },
    ]);
    expect(highlights([['plain '], ['x', { bg: rgb(0x00ff80) }]])).toMatchObject([{ text: 'x', bg: '#00ff80' }]);
  });

  test('stand out from a coloured ground, too', () => {
    const blue = { bg: indexed(4) };
    expect(highlights([['0123456789abcdefghij', blue]], [['0123456789', blue], ['plain']])).toEqual([
      { number: 101, col: 10, cols: 5, text: 'plain', inverse: false },
    ]);
  });

  test('use the ground colour of inverse text', () => {
    const inverse = { attrs: ATTR_INVERSE };
    expect(highlights([['a '], ['b', inverse]])).toEqual([{ number: 100, col: 2, cols: 1, text: 'b', inverse: true }]);
    expect(highlights([['a  '], ['b', { ...inverse, fg: indexed(1) }]])).toMatchObject([{ text: 'b', inverse: true }]);
    // Inverse text of that colour stands on the same ground as what has it for its ground.
    const red = indexed(1);
    expect(highlights([['a', { bg: red }], ['b', { ...inverse, fg: red }], ['cd']])).toMatchObject([
      { col: 0, cols: 2, text: 'ab' },
    ]);
    expect(
      highlights([
        ['0123456789', { bg: red }],
        ['b', { ...inverse, fg: red }],
      ]),
    ).toEqual([]);
  });

  test('of one ground are one span, despite other differences', () => {
    const red = indexed(1);
    expect(highlights([['..........'], ['a', { bg: red }], ['b', { bg: red, attrs: ATTR_BOLD }]])).toMatchObject([
      { col: 10, cols: 2, text: 'ab' },
    ]);
    expect(highlights([['..........'], ['a', { bg: red }], ['b', { bg: indexed(2) }]])).toMatchObject([
      { col: 10, text: 'a' },
      { col: 11, text: 'b' },
    ]);
    expect(highlights([['..........'], ['a', { bg: red }], ['.'], ['b', { bg: red }]])).toMatchObject([
      { col: 10, text: 'a' },
      { col: 12, text: 'b' },
    ]);
  });

  test('are absent on blank cells', () => {
    expect(highlights([['some text '], ['   ', { bg: indexed(1) }]])).toEqual([]);
  });

  test('do not include plain text if half of the cells are plain', () => {
    const red = { bg: indexed(1) };
    expect(highlights([['0123456789'], ['abcdefghij', red]])).toMatchObject([{ text: 'abcdefghij' }]);
    expect(highlights([['012345678'], ['abcdefghijk', red]])).toMatchObject([{ text: '012345678' }]);
  });

  test('are counted in cells: a wide character has two', () => {
    expect(highlights([['a '], ['漢字', { bg: indexed(1) }], [' bcdef']])).toMatchObject([
      { col: 2, cols: 4, text: '漢字' },
    ]);
  });
});

describe('hyperlinks', () => {
  function linked(row: SnapshotRow, links: Readonly<Record<number, string>>): RowAt {
    return {
      row: { ...row, links: new Map(Object.entries(links).map(([col, url]) => [Number(col), url])) },
      number: 7,
    };
  }

  test('have their text and target, each as a whole', () => {
    const row = rowOf(COLS, [['see '], ['a', { attrs: ATTR_BOLD }], ['bc d']]);
    expect(finish(linksIn([linked(row, { 4: 'http://x', 5: 'http://x', 6: 'http://y' })]))).toEqual([
      { number: 7, col: 4, cols: 2, text: 'ab', url: 'http://x' },
      { number: 7, col: 6, cols: 1, text: 'c', url: 'http://y' },
    ]);
    expect(finish(linksIn([{ row, number: 7 }]))).toEqual([]);
  });
});
