import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastRatio, luminance, mixColors, withContrast } from '../../src/render/color.js';
import { INDEXED_MODES, levelColor, type PaletteMode, pictureColor } from '../../src/render/raster/level-color.js';

const color = fc.nat(0xffffff);

test.each([
  [0x000000, 0xffffff, 0, 15, 0x000000],
  [0x000000, 0xffffff, 15, 15, 0xffffff],
  [0x000000, 0xffffff, 1, 2, 0x808080],
  [0x204060, 0x80a0c0, 1, 3, 0x406080],
  [0xc0a080, 0x604020, 2, 3, 0x806040],
  [0x0000ff, 0xff0000, 3, 5, 0x990066],
])('%i under %i in the share %i of %i is %i', (under, over, share, whole, expected) => {
  expect(mixColors(under, over, share, whole)).toBe(expected);
});

test.each([
  [0x000000, 0],
  [0xffffff, 1],
  [0xff0000, 0.2126],
  [0x00ff00, 0.7152],
  [0x0000ff, 0.0722],
  [0x808080, 0.2158605],
  [0x0a0a0a, 0.0030353],
  [0x0b0b0b, 0.0033465],
])('the luminance of %i is %f, as in WCAG', (rgb, expected) => {
  expect(luminance(rgb)).toBeCloseTo(expected, 6);
});

test('contrast goes from 1 to 21, in either order of the two colours', () => {
  expect(contrastRatio(0xffffff, 0x000000)).toBeCloseTo(21, 9);
  expect(contrastRatio(0x000000, 0xffffff)).toBeCloseTo(21, 9);
  expect(contrastRatio(0x123456, 0x123456)).toBe(1);
  // The lightest grey that is readable upon white, and one that is not.
  expect(contrastRatio(0x767676, 0xffffff)).toBeCloseTo(4.54, 2);
  expect(contrastRatio(0xffffff, 0x777777)).toBeCloseTo(4.48, 2);
});

test('a colour without enough contrast moves to white or black, by the least amount', () => {
  fc.assert(
    fc.property(color, color, fc.constantFrom(1, 2, 3, 4.5), (fg, bg, ratio) => {
      const raised = withContrast(fg, bg, ratio);
      expect(contrastRatio(raised, bg)).toBeGreaterThanOrEqual(ratio);
      const end = contrastRatio(0xffffff, bg) >= contrastRatio(0, bg) ? 0xffffff : 0;
      const way = Array.from({ length: 256 }, (_, share) => mixColors(fg, end, share, 255));
      expect(raised).toBe(way.find((each) => contrastRatio(each, bg) >= ratio));
    }),
  );
});

test('an unreachable contrast ends at white or black, at the one farther from the background', () => {
  expect(withContrast(0x808080, 0x808080, 21)).toBe(0x000000);
  expect(withContrast(0x404040, 0x404040, 21)).toBe(0xffffff);
});

test.each<[PaletteMode, readonly number[]]>([
  ['indexed-16', [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff]],
  ['direct', [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff]],
  ['indexed-8', [0x00, 0x00, 0x24, 0x24, 0x49, 0x49, 0x6d, 0x6d, 0x92, 0x92, 0xb6, 0xb6, 0xdb, 0xdb, 0xff, 0xff]],
  ['indexed-4', [0x00, 0x00, 0x00, 0x55, 0x55, 0x55, 0x55, 0x55, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xff, 0xff, 0xff]],
  // Eight levels, each in the nearest red of xterm's cube.
  ['indexed-cube', [0x00, 0x00, 0x00, 0x00, 0x5f, 0x5f, 0x5f, 0x5f, 0x87, 0x87, 0xaf, 0xaf, 0xd7, 0xd7, 0xff, 0xff]],
])('the levels from background to text in mode %s', (mode, reds) => {
  const levels = Array.from({ length: 16 }, (_, level) => levelColor(0xff0000, 0x000000, level, mode));
  expect(levels.map((rgb) => rgb >> 16)).toEqual(reds);
  expect(levels.map((rgb) => rgb & 0xffff).every((rest) => rest === 0 || mode === 'indexed-cube')).toBe(true);
});

test('background and text are exact in every mode', () => {
  fc.assert(
    fc.property(color, color, fc.constantFrom<PaletteMode>(...INDEXED_MODES, 'direct'), (fg, bg, mode) => {
      expect([levelColor(fg, bg, 0, mode), levelColor(fg, bg, 15, mode)]).toEqual([bg, fg]);
    }),
  );
});

test.each([
  ['a colour, in the cube', 0x6d0092, 0x5f0087],
  ['halfway between two of the cube, the darker', 0x739bff, 0x5f87ff],
  ['a grey, in the ramp', 0x808080, 0x808080],
  ['a grey between two of the ramp', 0x848484, 0x808080],
  ['a dark grey', 0x171717, 0x1c1c1c],
  ['nearly a grey', 0x8c8080, 0x808080],
  ['nearly a grey, by its green', 0x808c80, 0x808080],
  ['nearly a grey, by its blue', 0x80808c, 0x808080],
  ['not so nearly a grey', 0x8d8080, 0x878787],
])('the mode of the colour cube has the colours of pictures from the 256 of xterm: %s', (_, rgb, expected) => {
  expect(pictureColor(rgb, 'indexed-cube')).toBe(expected);
});

test('the other modes have the colours of pictures with four bits a channel', () => {
  expect(pictureColor(0x102030, 'indexed-16')).toBe(0x112233);
  expect(pictureColor(0x08f7ff, 'direct')).toBe(0x00ffff);
  expect(pictureColor(0x09f609, 'indexed-4')).toBe(0x11ee11);
});
