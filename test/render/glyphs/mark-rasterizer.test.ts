/** Combining marks alone: their size and place, in pixels of the cell that they are for. */
import { describe, expect, test } from 'vitest';
import { FaceLoader } from '../../../src/render/glyphs/faces.js';
import { STYLE_BOLD, STYLE_ITALIC } from '../../../src/render/glyphs/glyph.js';
import { inkBoxOf } from '../../../src/render/glyphs/ink-mask.js';
import { type MarkBox, MarkRasterizer } from '../../../src/render/glyphs/mark-rasterizer.js';
import { FONTS_DIR } from '../support/test-renderer.js';

const press = new MarkRasterizer(new FaceLoader(FONTS_DIR));
const box = (cellWidth: number, style = 0): MarkBox => ({ style, cellWidth, height: 2 * cellWidth });

/** Widths and heights in widths of the cell. */
const SIZES: readonly (readonly [
  name: string,
  mark: number,
  width: readonly [number, number],
  height: readonly [number, number],
])[] = [
  ['acute', 0x301, [0.3, 0.5], [0.25, 0.4]],
  ['macron', 0x304, [0.4, 0.65], [0.05, 0.2]],
  ['dot below', 0x323, [0.1, 0.3], [0.1, 0.3]],
  ['diaeresis', 0x308, [0.3, 0.6], [0.1, 0.3]],
  ['fatha', 0x64e, [0.4, 0.6], [0.15, 0.3]],
  ['patah', 0x5b7, [0.2, 0.5], [0.02, 0.2]],
  ['double grave of pixels', 0x1dc4, [0.6, 0.9], [0.3, 0.45]],
];

test.each(SIZES)("%s has its face's size, at every size of cells", (_, mark, width, height) => {
  for (const cellWidth of [4, 8, 20, 64]) {
    const drawn = press.draw(mark, box(cellWidth));
    expect(drawn.width / cellWidth).toBeGreaterThan(width[0]);
    expect(drawn.width / cellWidth).toBeLessThan(width[1]);
    expect(drawn.height / cellWidth).toBeGreaterThan(height[0]);
    expect(drawn.height / cellWidth).toBeLessThan(height[1]);
  }
});

test('a mark is cut out to its ink, and has a few pixels for each one of a small cell', () => {
  for (const mark of [0x301, 0x304, 0x5b8, 0x981, 0x20dd]) {
    const { ink } = press.draw(mark, box(8));
    expect(inkBoxOf(ink)).toEqual({ left: 0, top: 0, right: ink.width, bottom: ink.height });
    expect(ink.alpha).toHaveLength(ink.width * ink.height);
  }
  const detail = (cellWidth: number) => {
    const { ink, width, height } = press.draw(0x301, box(cellWidth));
    return [ink.width / width, ink.height / height];
  };
  expect([4, 8, 10, 13, 20, 40, 64].map(detail)).toEqual([
    [4, 4],
    [4, 4],
    [4, 4],
    [3, 3],
    [2, 2],
    [1, 1],
    [1, 1],
  ]);
});

describe('the place of a mark', () => {
  test.each([
    ['fatha', 0x64e, 'above'],
    ['kasra', 0x650, 'below'],
    ['qamats', 0x5b8, 'below'],
    ['mai ek', 0xe48, 'above'],
    ['sara u', 0xe38, 'below'],
    ['vowel sign u', 0x941, 'below'],
    ['vowel sign e', 0x947, 'above'],
    ['candrabindu, in pixels', 0x981, 'above'],
    ['a mark of Mende Kikakui, in pixels', 0x1e8d0, 'below'],
  ])('comes from its face if no table has it: %s', (_, mark, where) => {
    for (const cellWidth of [4, 8, 20, 64]) {
      expect(press.draw(mark, box(cellWidth)).place).toEqual({ where, side: 'middle', attached: false });
    }
  });

  test('comes from the table for all others', () => {
    expect(press.draw(0x31b, box(8)).place).toEqual({ where: 'above', side: 'right', attached: true });
    expect(press.draw(0x20dd, box(8)).place.where).toBe('around');
    expect(press.draw(0x332, box(8)).place).toMatchObject({ where: 'below', side: 'whole' });
  });
});

test('a mark without a face is a box of three rows with a hole', () => {
  for (const cellWidth of [8, 20]) {
    const { ink, place, width, height } = press.draw(0x1ad0, box(cellWidth));
    expect([width, height]).toEqual([(cellWidth * 5) / 8, (cellWidth * 6) / 16]);
    expect(place).toEqual({ where: 'above', side: 'middle', attached: false });
    expect(Array.from(ink.alpha, (value) => (value === 255 ? '#' : '.')).join('')).toBe('######...######');
    expect([ink.width, ink.height]).toEqual([5, 3]);
  }
  expect(press.draw(0x20, box(8)).ink.width).toBe(5);
});

test('a mark has the weight and the slant of its letter', () => {
  const inkOf = (mark: number, style: number): number => {
    const { ink } = press.draw(mark, box(10, style));
    return ink.alpha.reduce((sum, value) => sum + value, 0);
  };
  for (const mark of [0x304, 0x1dc4]) expect(inkOf(mark, STYLE_BOLD)).toBeGreaterThan(1.1 * inkOf(mark, 0));
  expect(press.draw(0x5b8, box(10, STYLE_ITALIC)).ink).not.toEqual(press.draw(0x5b8, box(10)).ink);
});
