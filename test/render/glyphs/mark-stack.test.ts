/** Blocks instead of letters and marks, so that the pixels of each are known. */
import { describe, expect, test } from 'vitest';
import type { MarkAnchor } from '../../../src/render/fonts/combining-marks.js';
import { inkBoxOf, type InkMask } from '../../../src/render/glyphs/ink-mask.js';
import { type StackedMark, movesIn, type StackMetrics, withMarks } from '../../../src/render/glyphs/mark-stack.js';
import { maskOf, rowsOf } from '../support/ink.js';

const METRICS: StackMetrics = { blank: { left: 2, right: 5, top: 7, bottom: 12 }, gap: 1, slant: 0 };

function block(top: number, bottom: number, row = '..###..', height = 16): InkMask {
  return maskOf(...Array.from({ length: height }, (_, y) => (y >= top && y < bottom ? row : '.'.repeat(row.length))));
}

interface Shape extends Partial<MarkAnchor> {
  readonly width?: number;
  readonly height?: number;
}

function mark(row: string, { width = row.length, height = 1, ...place }: Shape = {}): StackedMark {
  const ink = maskOf(...Array<string>(Math.max(1, Math.round(height))).fill(row));
  return { ink, place: { where: 'above', side: 'middle', attached: false, ...place }, width, height };
}

/** Runs of equal rows that are not blank: `4 ..8..`, `6-11 .###.`. */
function stackOf(letter: InkMask, marks: readonly StackedMark[], metrics: Partial<StackMetrics> = {}): string[] {
  const rows = rowsOf(withMarks(letter, marks, { ...METRICS, ...metrics }));
  const starts = rows.flatMap((row, y) => (row === rows[y - 1] ? [] : [y]));
  return starts.flatMap((from, at) => {
    const to = (starts[at + 1] ?? rows.length) - 1;
    return /[^.]/.test(rows[from]!) ? [`${from === to ? from : `${from}-${to}`} ${rows[from]}`] : [];
  });
}

test('a letter without marks is unchanged', () => {
  const letter = block(6, 12);
  expect(withMarks(letter, [], METRICS)).toBe(letter);
});

describe('marks above and below', () => {
  const letter = block(6, 12);
  const stands = '6-11 ..###..';

  test('are a gap away from the letter and from each other, the first one next to it', () => {
    expect(stackOf(letter, [mark('888')])).toEqual(['4 ..888..', stands]);
    expect(stackOf(letter, [mark('888')], { gap: 2 })).toEqual(['3 ..888..', stands]);
    const marks = [mark('888'), mark('c', { where: 'below' }), mark('4'), mark('e', { where: 'below' })];
    expect(stackOf(letter, marks)).toEqual(['2 ...4...', '4 ..888..', stands, '13 ...c...', '15 ...e...']);
  });

  test('that grow out of the letter touch it', () => {
    const marks = [mark('8', { attached: true }), mark('c', { where: 'below', attached: true })];
    expect(stackOf(letter, marks)).toEqual(['5 ...8...', stands, '12 ...c...']);
  });

  test('are at the left, at the right, in the middle or across', () => {
    expect(stackOf(letter, [mark('8', { side: 'left' })])).toEqual(['4 8......', stands]);
    expect(stackOf(letter, [mark('88', { side: 'right' })])).toEqual(['4 .....88', stands]);
    expect(stackOf(letter, [mark('88', { side: 'left' })])).toEqual(['4 88.....', stands]);
    expect(stackOf(letter, [mark('8', { side: 'whole' })])).toEqual(['4 8888888', stands]);
    expect(stackOf(block(6, 12, '#......'), [mark('8')])).toEqual(['4 8......', '6-11 #......']);
  });

  test('are slanted with the letter, and stay in the cell', () => {
    const marks = [mark('8'), mark('c', { where: 'below' })];
    expect(stackOf(letter, marks, { slant: 2 / 9 })).toEqual(['4 ....8..', stands, '13 ..c....']);
    expect(stackOf(letter, marks, { slant: 2 })).toEqual(['4 ......8', stands, '13 c......']);
  });

  test('have the width of their face, a pixel at least and the cell at most', () => {
    expect(stackOf(letter, [mark('8', { width: 0.3 })])).toEqual(['4 ...8...', stands]);
    expect(stackOf(letter, [mark('8', { width: 5 })])).toEqual(['4 .88888.', stands]);
    expect(stackOf(letter, [mark('8', { width: 30 })])).toEqual(['4 8888888', stands]);
    expect(stackOf(letter, [mark('8', { height: 0.3 })])).toEqual(['4 ...8...', stands]);
  });

  test('of a blank are placed as on a small letter', () => {
    expect(stackOf(block(0, 0), [mark('8'), mark('c', { where: 'below' })])).toEqual(['5 ...8...', '13 ...c...']);
  });

  test.each([
    ['their height and the gap', 7, '0-4', 7],
    ['their height', 6, '0-4', 6],
    ['four fifths of it', 5, '0-3', 5],
    ['two thirds of it', 4, '0-2', 4],
  ])('keep %s if there are %i rows', (_, top, rows, letterTop) => {
    expect(stackOf(block(top, 14), [mark('8', { height: 5 })], { gap: 2 })).toEqual([
      `${rows} ...8...`,
      `${letterTop}-13 ..###..`,
    ]);
    const below = stackOf(block(2, 16 - top), [mark('8', { height: 5, where: 'below' })], { gap: 2 });
    const [first, last] = rows.split('-').map(Number) as [number, number];
    expect(below).toEqual([`2-${15 - top} ..###..`, `${15 - last}-${15 - first} ...8...`]);
  });

  test('of two rows keep both, because an arc of one row would be a bar', () => {
    expect(stackOf(block(3, 14), [mark('8', { height: 2 })])).toEqual(['0-1 ...8...', '3-13 ..###..']);
    expect(stackOf(block(2, 14), [mark('8', { height: 2 })])).toEqual(['0-1 ...8...', '3-13 ..###..']);
    expect(stackOf(block(1, 14), [mark('8')])).toEqual(['0 ...8...', '2-13 ..###..']);
  });
});

describe('a letter with too little room', () => {
  const high = (height: number, where: MarkAnchor['where'] = 'above') => mark('8', { height, where });
  const held = (height: number, where: MarkAnchor['where']) => mark('8', { height, where, attached: true });

  test('becomes lower on its row down to three fifths of its height', () => {
    expect(stackOf(block(2, 12), [high(8)])).toEqual(['0-4 ...8...', '6-11 ..###..']);
    expect(stackOf(block(4, 14), [high(8, 'below')])).toEqual(['4-9 ..###..', '11-15 ...8...']);
  });

  test('then moves by an eighth of the cell', () => {
    expect(movesIn(16)).toBe(2);
    expect(movesIn(28)).toBe(4);
    expect(stackOf(block(2, 12), [high(9)])).toEqual(['0-5 ...8...', '7-13 ..###..']);
    expect(stackOf(block(4, 14), [high(9, 'below')])).toEqual(['2-8 ..###..', '10-15 ...8...']);
    expect(stackOf(block(2, 8), [high(4), high(2)])).toEqual(['0-1 ...8...', '3-5 ...8...', '7-9 ..###..']);
  });

  test('stays in place if it has room, however flat it is', () => {
    const marks = [mark('8'), mark('c', { where: 'below' })];
    expect(stackOf(block(7, 9), marks)).toEqual(['5 ...8...', '7-8 ..###..', '10 ...c...']);
  });

  test('moves as far as needed if it is at most a quarter of the cell high', () => {
    const marks = [high(4), high(2)];
    expect(stackOf(block(1, 5), marks)).toEqual(['0-1 ...8...', '3-5 ...8...', '7-10 ..###..']);
    expect(stackOf(block(2, 3), marks)).toEqual(['0-1 ...8...', '3-5 ...8...', '7 ..###..']);
    const below = marks.map(({ height }) => high(height, 'below'));
    expect(stackOf(block(11, 15), below)).toEqual(['5-8 ..###..', '10-12 ...8...', '14-15 ...8...']);
  });

  test('keeps half its rows, and its marks are pressed together', () => {
    expect(stackOf(block(2, 14), [held(15, 'above'), held(15, 'below')])).toEqual([
      '0-4 ...8...',
      '5-10 ..###..',
      '11-15 ...8...',
    ]);
    expect(stackOf(block(2, 14), [held(20, 'above')])).toEqual(['0-9 ...8...', '10-15 ..###..']);
    expect(stackOf(block(2, 14), [held(20, 'below')])).toEqual(['0-5 ..###..', '6-15 ...8...']);
    expect(stackOf(block(0, 10), [held(20, 'above')])).toEqual(['0-6 ...8...', '7-11 ..###..']);
    expect(stackOf(block(6, 16), [held(20, 'below')])).toEqual(['4-8 ..###..', '9-15 ...8...']);
    const piles = (where: MarkAnchor['where']) => [high(20, where), high(20, where)];
    const { top = 0, bottom = 0 } =
      inkBoxOf(withMarks(block(2, 14), [...piles('above'), ...piles('below')], METRICS)) ?? {};
    expect([top, bottom]).toEqual([0, 16]);
  });
});

describe('a mark over a letter', () => {
  const letter = block(6, 12, '..4444..');
  const over = (row: string, shape: Shape = {}) => mark(row, { where: 'over', ...shape });

  test('is in its middle', () => {
    expect(stackOf(letter, [over('##', { height: 2 })])).toEqual(['6-7 ..4444..', '8-9 ..4##4..', '10-11 ..4444..']);
    expect(stackOf(block(6, 12, '..444..'), [over('#', { width: 0.4, height: 0.4 })])[1]).toBe('9 ..4#4..');
  });

  test('that is a line exceeds it on both sides', () => {
    expect(stackOf(letter, [over('###')], { gap: 2 })).toEqual(['6-8 ..4444..', '9 .######.', '10-11 ..4444..']);
    expect(stackOf(letter, [over('#######')], { gap: 9 })[1]).toBe('9 ########');
    expect(stackOf(letter, [over('##')], { gap: 2 })[1]).toBe('9 ..4##4..');
    expect(stackOf(letter, [mark('#######', { width: 2 })])).toEqual(['4 ...##...', '6-11 ..4444..']);
  });

  test('that is upright exceeds it above and below', () => {
    expect(stackOf(letter, [over('##', { height: 5 })])).toEqual(['5 ...##...', '6-11 ..4##4..', '12 ...##...']);
    const further = stackOf(letter, [over('##', { height: 5 })], { gap: 3 });
    expect(further).toEqual(['3-5 ...##...', '6-11 ..4##4..', '12-14 ...##...']);
    expect(stackOf(letter, [over('##', { height: 4 })])).toEqual(['6 ..4444..', '7-10 ..4##4..', '11 ..4444..']);
  });

  test('stays in the cell', () => {
    const tall = over('##', { height: 5 });
    expect(stackOf(block(0, 6, '..4444..'), [tall])).toEqual(['0-5 ..4##4..', '6-7 ...##...']);
    expect(stackOf(block(10, 16, '..4444..'), [tall])).toEqual(['8-9 ...##...', '10-15 ..4##4..']);
    expect(stackOf(block(0, 16, '..4444..'), [tall])).toEqual(['0-15 ..4##4..']);
  });

  test('moves with a letter that its other marks have moved', () => {
    const marks = [mark('8', { height: 9 }), over('##', { height: 2 })];
    expect(stackOf(block(4, 9, '..4444..'), marks).slice(1)).toEqual(['7 ..4444..', '8-9 ..4##4..', '10 ..4444..']);
  });
});

describe('an enclosing mark', () => {
  const frame: StackedMark = {
    ink: maskOf('########', ...Array<string>(10).fill('#......#'), '########'),
    place: { where: 'around', side: 'middle', attached: false },
    width: 8,
    height: 12,
  };

  test('is as wide as the cell and half as high again, with the letter in its middle', () => {
    expect(stackOf(block(0, 2, '88......'), [frame])).toEqual([
      '2 ########',
      '3-6 #......#',
      '7-8 #..88..#',
      '9-12 #......#',
      '13 ########',
    ]);
    expect(stackOf(block(0, 0, '........'), [frame])).toEqual(['2 ########', '3-12 #......#', '13 ########']);
  });

  test('is no higher than the cell', () => {
    const low = stackOf(block(0, 0, '........', 10), [frame]);
    expect([low[0]?.split(' ')[0], low.at(-1)?.split(' ')[0]]).toEqual(['0', '9']);
  });

  test.each([
    ['across', block(7, 9, '88888888'), 8, 0.62],
    ['upwards', block(0, 16, '...88...'), 2, (12 * 0.62) / 16],
  ])('leaves the letter the unused room %s', (_, letter, width, scale) => {
    const { alpha } = withMarks(letter, [frame], METRICS);
    const inside = Array.from({ length: 16 }, (__, y) => Array.from(alpha.subarray(y * 8 + 1, y * 8 + 7)));
    const rows = inside.slice(3, 13);
    const ink = rows.flat().reduce((sum, each) => sum + each, 0);
    const height = letter.alpha.filter((each) => each > 0).length / width;
    expect(Math.abs(ink / (8 * 17) - width * height * scale * scale)).toBeLessThan(0.4);
    expect(rows.toReversed()).toEqual(rows);
    expect(rows.map((row) => row.toReversed())).toEqual(rows);
  });

  test('encloses earlier marks, and has later ones outside', () => {
    const rows = stackOf(block(8, 10, '..8888..'), [mark('44'), frame, mark('cc')]);
    expect(rows).toEqual([
      '0 ...cc...',
      '2 ########',
      '3-5 #......#',
      '6 #..44..#',
      '7 #......#',
      '8-9 #.8888.#',
      '10-12 #......#',
      '13 ########',
    ]);
  });
});
