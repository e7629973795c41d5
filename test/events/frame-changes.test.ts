import { describe, expect, test } from 'vitest';
import { compareFrames, type ScreenFrame } from '../../src/events/frame-changes.js';
import { CELL_WORDS, type SnapshotRow } from '../../src/vt/snapshot.js';
import { row } from './screens.js';

const COLS = 6;

function frame(texts: readonly string[], fields: Partial<ScreenFrame> = {}): ScreenFrame {
  const lines = texts.map((text) => row(text, COLS));
  return { cols: COLS, rows: lines.length, altScreen: false, topLine: 0, resizes: 0, lines, ...fields };
}

/** The same row with another value in one word of a cell. */
function changed(line: SnapshotRow, col: number, word: number): SnapshotRow {
  const cells = line.cells.slice();
  cells[col * CELL_WORDS + word] = (cells[col * CELL_WORDS + word] ?? 0) ^ 1;
  return { ...line, cells };
}

/** A row whose cells refer to these clusters. */
function clustered(...clusters: string[]): SnapshotRow {
  const line = row('x'.repeat(COLS), COLS);
  for (const i of clusters.keys()) line.cells[i * CELL_WORDS] = 0x8000_0000 + i;
  return { ...line, clusters };
}

const inPlace = (...changes: object[]): object => ({ kind: 'in_place', changes });

describe('two screens', () => {
  test.each([
    ['another width', { cols: 7 }],
    ['another height', { rows: 3 }],
    ['another buffer', { altScreen: true }],
    ['another size in both', { cols: 7, rows: 3 }],
    ['another size in between', { resizes: 2 }],
  ])('with %s cannot be compared', (_, fields) => {
    expect(compareFrames(frame(['a', 'b']), frame(['a', 'b'], fields))).toEqual({ kind: 'replaced' });
  });

  test('have scrolled if another line is at the top, even if their rows are equal', () => {
    expect(compareFrames(frame(['a', 'a']), frame(['a', 'a'], { topLine: 1 }))).toEqual({ kind: 'scrolled' });
  });

  test('with equal rows do not differ, whether the rows are the same objects or copies', () => {
    const one = frame(['a', 'b']);
    expect(compareFrames(one, one)).toEqual(inPlace());
    expect(compareFrames(one, frame(['a', 'b']))).toEqual(inPlace());
  });

  test('differ in the cells that changed, up to the last column', () => {
    expect(compareFrames(frame(['abcdef', 'same']), frame(['Abc_eF', 'same']))).toEqual(
      inPlace({ row: 0, changedCols: [0, 3, 5] }),
    );
  });

  test.each(Array.from({ length: CELL_WORDS }, (_, word) => word))('differ if word %i of a cell differs', (word) => {
    const before = frame(['abc']);
    const after = { ...before, lines: before.lines.map((line) => changed(line, 1, word)) };
    expect(compareFrames(before, after)).toEqual(inPlace({ row: 0, changedCols: [1] }));
  });
});

describe('grapheme clusters', () => {
  const one = (line: SnapshotRow): ScreenFrame => ({ ...frame(['']), lines: [line] });

  test('differ if their texts differ, even at the same index of the row', () => {
    expect(compareFrames(one(clustered('é', 'ö')), one(clustered('é', 'ü')))).toEqual(
      inPlace({ row: 0, changedCols: [1] }),
    );
    expect(compareFrames(one(clustered('é', 'ö')), one(clustered('é', 'ö')))).toEqual(inPlace());
  });

  test('differ from a single character in the same cell, as one changed cell', () => {
    const plain = row('x'.repeat(COLS), COLS);
    const expected = inPlace({ row: 0, changedCols: [0] });
    expect(compareFrames(one(clustered('é')), one(plain))).toEqual(expected);
    expect(compareFrames(one(plain), one(clustered('é')))).toEqual(expected);
  });

  test('that also differ in attributes are reported once', () => {
    expect(compareFrames(one(clustered('é')), one(changed(clustered('ö'), 0, 1)))).toEqual(
      inPlace({ row: 0, changedCols: [0] }),
    );
  });
});

describe('redrawn rows', () => {
  const kindOf = (before: readonly string[], after: readonly string[]): string =>
    compareFrames(frame(before), frame(after)).kind;

  test.each([
    ['all of them have moved up', ['a', 'b', 'c'], ['b', 'c', 'd']],
    ['half of the rows with ink have moved', ['a', 'b', 'x'], ['b', 'new', 'x']],
    ['half of the rows have moved, not counting empty rows', ['a', 'b', 'c', 'd'], ['b', '', '', 'new']],
    ['half of the rows have moved, not counting rows of spaces', ['a', 'b', 'c', 'd'], ['b', '  ', '  ', 'new']],
  ])('have scrolled if %s', (_, before, after) => {
    expect(kindOf(before, after)).toBe('scrolled');
  });

  test.each([
    ['only one row has changed', ['a', 'b'], ['b', 'b']],
    ['less than half of the rows have moved', ['a', 'b', 'c'], ['b', 'new', 'newer']],
    ['all rows are new', ['a', 'b'], ['c', 'd']],
    ['all rows were cleared', ['a', 'b'], ['', '']],
    ['only blank rows seem to have moved', ['a', 'b', ''], ['', '', 'c']],
  ])('have changed in place if %s', (_, before, after) => {
    expect(kindOf(before, after)).toBe('in_place');
  });

  test('are compared by the text of their clusters to detect scrolling', () => {
    const lines = (...rows: SnapshotRow[]): ScreenFrame => ({ ...frame(['', '']), lines: rows });
    const before = lines(clustered('é'), clustered('ö'));
    expect(compareFrames(before, lines(clustered('ü'), clustered('ä'))).kind).toBe('in_place');
    expect(compareFrames(before, lines(clustered('ö'), clustered('é'))).kind).toBe('scrolled');
  });
});
