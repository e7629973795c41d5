import { describe, expect, test } from 'vitest';
import { cutOut, drawInto, inkBoxOf, rowsWithin, shortened } from '../../../src/render/glyphs/ink-mask.js';
import { maskOf, rowsOf } from '../support/ink.js';

/** A letter with a mark above it, the baseline under its eighth row, in a cell with a margin of three rows. */
const TALL = ['..', '..', '##', '..', '#.', '#.', '#.', '##', '..', '..', '..', '..'];

describe('the box of ink', () => {
  test.each([
    [['....', '.#..', '....'], { left: 1, right: 2, top: 1, bottom: 2 }],
    [['#...', '....', '...#'], { left: 0, right: 4, top: 0, bottom: 3 }],
    [['....', '..#.', '.#..'], { left: 1, right: 3, top: 1, bottom: 3 }],
    [['.##.', '..#.', '....'], { left: 1, right: 3, top: 0, bottom: 2 }],
  ])('of %j is %j', (rows, box) => {
    expect(inkBoxOf(maskOf(...rows))).toEqual(box);
  });

  test('is empty if there are only soft edges, of less than a quarter', () => {
    expect(inkBoxOf(maskOf('...', '.3.'))).toBeUndefined();
    const faint = { width: 3, height: 1, alpha: Uint8Array.of(63, 64, 63) };
    expect(inkBoxOf(faint)).toEqual({ left: 1, right: 2, top: 0, bottom: 1 });
  });
});

test('cut-out ink has the pixels of its box', () => {
  const mask = maskOf('1234', '5678', '9abc');
  expect(rowsOf(cutOut(mask, { left: 1, top: 1, right: 3, bottom: 3 }))).toEqual(['67', 'ab']);
  expect(cutOut(mask, { left: 3, top: 0, right: 4, bottom: 2 })).toMatchObject({ width: 1, height: 2 });
});

describe('ink drawn into a box', () => {
  test.each([
    ['of its own size is itself', ['#.', '.#'], [1, 0, 3, 2], ['.#..', '..#.', '....']],
    ['of twice the size has four pixels for one', ['#'], [1, 1, 3, 3], ['....', '.##.', '.##.']],
    ['of half the size is the mean of four pixels', ['##..', '#...'], [1, 1, 3, 2], ['....', '.b..', '....']],
    ['between pixels is upon each by the area', ['#'], [0.5, 0, 1.5, 1], ['77..', '....', '....']],
    ['between rows is upon each by the area', ['#'], [2, 0.75, 3, 1.75], ['..3.', '..b.', '....']],
    ['beyond the edges is cut off there', ['##', '##'], [-1, -1, 1, 1], ['#...', '....', '....']],
    ['beyond the last edges is cut off there', ['##', '##'], [3, 2, 5, 4], ['....', '....', '...#']],
    ['wider than high is stretched across', ['#.#'], [0, 2, 4, 3], ['....', '....', '#55#']],
  ] as const)('%s', (_, ink, [left, top, right, bottom], expected) => {
    const target = maskOf('....', '....', '....');
    drawInto(target, maskOf(...ink), { left, top, right, bottom });
    expect(rowsOf(target)).toEqual(expected);
  });

  test('keeps stronger ink, and replaces weaker', () => {
    const target = maskOf('8.8');
    drawInto(target, maskOf('4c#'), { left: 0, top: 0, right: 3, bottom: 1 });
    expect(rowsOf(target)).toEqual(['8c#']);
  });
});

describe('a shortened mask', () => {
  test('loses the rows that are most like the next first', () => {
    const letter = maskOf('###', '#..', '#..', '#..', '###', '..#', '###');
    expect(rowsOf(shortened(letter, 6))).toEqual(['###', '#..', '#..', '###', '..#', '###']);
    expect(rowsOf(shortened(letter, 5))).toEqual(['###', '#..', '###', '..#', '###']);
  });

  test('loses the row with less ink if two differ equally from the next', () => {
    expect(rowsOf(shortened(maskOf('##', '..', '##', '##'), 3))).toEqual(['##', '..', '##']);
    expect(rowsOf(shortened(maskOf('##', '#.', '..', '..'), 3))).toEqual(['##', '#.', '..']);
    expect(rowsOf(shortened(maskOf('##', '..', '##'), 2))).toEqual(['##', '##']);
    expect(rowsOf(shortened(maskOf('4.', '.4', '##', '.#'), 3))).toEqual(['.4', '##', '.#']);
  });

  test('keeps a row at least, and all of them if it is no higher', () => {
    expect(shortened(maskOf('#.', '.#', '##'), 0)).toMatchObject({ width: 2, height: 1 });
    for (const rows of [3, 4]) {
      expect(rowsOf(shortened(maskOf('#.', '.#', '##'), rows))).toEqual(['#.', '.#', '##']);
    }
  });
});

describe('the rows of a cell', () => {
  const within = (rows: readonly string[], margin: number, baseline: number, most: number) =>
    rowsOf({ width: 2, alpha: rowsWithin(maskOf(...rows), margin, baseline, most) });

  test('are those between the margins without ink', () => {
    expect(within(['..', '..', '#.', '.#', '..', '..'], 2, 4, 3)).toEqual(['#.', '.#']);
    expect(within(['..', '..', '..', '..'], 1, 2, 3)).toEqual(['..', '..']);
  });

  test('hold a letter that exceeds them, made lower upon its baseline', () => {
    expect(within(TALL, 3, 8, 3)).toEqual(['##', '..', '#.', '#.', '##', '..']);
    const hanging = TALL.toReversed();
    expect(within(hanging, 3, 4, 3)).toEqual(['..', '##', '#.', '#.', '..', '##']);
  });

  test('hold one that cannot become low enough, scaled from its baseline to the edge', () => {
    const scaled = within(TALL, 3, 8, 0);
    expect(scaled.slice(-2)[1]).toBe('..');
    expect(scaled[0]).not.toBe('..');
    expect(scaled).toHaveLength(6);
    const column = scaled.map((row) => row[1]);
    expect(column[4]).not.toBe('.');
    const hanging = within(TALL.toReversed(), 3, 4, 0);
    expect(hanging[0]).toBe('..');
    expect(hanging[5]).not.toBe('..');
  });

  test('hold ink that is all above or all below the baseline, too', () => {
    expect(within(['##', '..', '..', '..', '..', '..'], 2, 4, 4)).toEqual(['..', '..']);
    expect(within(['..', '##', '#.', '..', '..', '..'], 2, 4, 4)).toEqual(['#.', '..']);
    expect(within(['..', '..', '..', '#.', '##', '..'], 2, 3, 4)).toEqual(['..', '##']);
  });
});
