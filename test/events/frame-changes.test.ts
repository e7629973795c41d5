import { describe, expect, test } from 'vitest';
import { compareFrames, type ScreenFrame } from '../../src/events/frame-changes.js';
import { CELL_WORDS, type SnapshotRow } from '../../src/vt/snapshot.js';
import { row } from './screens.js';

const COLS = 6;

function frame(texts: readonly string[], fields: Partial<ScreenFrame> = {}): ScreenFrame {
  const lines = texts.map((text) => row(text, COLS));
  return { cols: COLS, rows: lines.length, altScreen: false, topLine: 0, lines, ...fields };
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
  ])('with %s cannot be compared', (_, fields) => {
    expect(compareFrames(frame(['a', 'b']), frame(['a', 'b'], fields))).toEqual({ kind: 'replaced' });
  });

  test('have scrolled where another line is at the top, whatever they look like', () => {
    expect(compareFrames(frame(['a', 'a']), frame(['a', 'a'], { topLine: 1 }))).toEqual({ kind: 'scrolled' });
  });

  test('of equal rows do not differ, the same objects or not', () => {
    const one = frame(['a', 'b']);
    expect(compareFrames(one, one)).toEqual(inPlace());
    expect(compareFrames(one, frame(['a', 'b']))).toEqual(inPlace());
  });

  test('differ in cells, to the last column', () => {
    expect(compareFrames(frame(['abcdef', 'same']), frame(['Abc_eF', 'same']))).toEqual(
      inPlace({ row: 0, changedCols: [0, 3, 5] }),
    );
  });

  test.each(Array.from({ length: CELL_WORDS }, (_, word) => word))('differ in word %i of a cell', (word) => {
    const before = frame(['abc']);
    const after = { ...before, lines: before.lines.map((line) => changed(line, 1, word)) };
    expect(compareFrames(before, after)).toEqual(inPlace({ row: 0, changedCols: [1] }));
  });
});

describe('grapheme clusters', () => {
  const one = (line: SnapshotRow): ScreenFrame => ({ ...frame(['']), lines: [line] });

  test('differ by their text, not by their place among those of the row', () => {
    expect(compareFrames(one(clustered('é', 'ö')), one(clustered('é', 'ü')))).toEqual(
      inPlace({ row: 0, changedCols: [1] }),
    );
    expect(compareFrames(one(clustered('é', 'ö')), one(clustered('é', 'ö')))).toEqual(inPlace());
  });

  test('differ from a single character in the same cell, once', () => {
    const plain = row('x'.repeat(COLS), COLS);
    const expected = inPlace({ row: 0, changedCols: [0] });
    expect(compareFrames(one(clustered('é')), one(plain))).toEqual(expected);
    expect(compareFrames(one(plain), one(clustered('é')))).toEqual(expected);
  });

  test('that differ in attributes, too, are told once', () => {
    expect(compareFrames(one(clustered('é')), one(changed(clustered('ö'), 0, 1)))).toEqual(
      inPlace({ row: 0, changedCols: [0] }),
    );
  });
});

describe('rows that were drawn anew', () => {
  const kindOf = (before: readonly string[], after: readonly string[]): string =>
    compareFrames(frame(before), frame(after)).kind;

  test.each([
    ['all of them moved up', ['a', 'b', 'c'], ['b', 'c', 'd']],
    ['half of those with ink have moved', ['a', 'b', 'x'], ['b', 'new', 'x']],
    ['blank ones are not counted', ['a', 'b', 'c', 'd'], ['b', '', '', 'new']],
    ['rows of spaces are blank', ['a', 'b', 'c', 'd'], ['b', '  ', '  ', 'new']],
  ])('have scrolled where %s', (_, before, after) => {
    expect(kindOf(before, after)).toBe('scrolled');
  });

  test.each([
    ['only one has changed', ['a', 'b'], ['b', 'b']],
    ['less than half of them have moved', ['a', 'b', 'c'], ['b', 'new', 'newer']],
    ['none was there before', ['a', 'b'], ['c', 'd']],
    ['they were cleared', ['a', 'b'], ['', '']],
    ['they are blank where others were blank', ['a', 'b', ''], ['', '', 'c']],
  ])('have changed in place where %s', (_, before, after) => {
    expect(kindOf(before, after)).toBe('in_place');
  });

  test('have not moved where only their clusters were elsewhere', () => {
    const lines = (...rows: SnapshotRow[]): ScreenFrame => ({ ...frame(['', '']), lines: rows });
    const before = lines(clustered('é'), clustered('ö'));
    expect(compareFrames(before, lines(clustered('ü'), clustered('ä'))).kind).toBe('in_place');
    expect(compareFrames(before, lines(clustered('ö'), clustered('é'))).kind).toBe('scrolled');
  });
});
