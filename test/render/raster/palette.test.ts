/** From the colours of a row to what stands in its pixels. */
import { expect, test } from 'vitest';
import { PixelPalette, unionSize, type ChosenPalette } from '../../../src/render/raster/palette.js';
import { RowColors } from '../../../src/render/raster/row-colors.js';

const ENDS = 1 | (1 << 15);
const MIDDLE = 1 << 5;
/** Black, white and the grey a third of the way. */
const COLORS = [0x000000, 0x555555, 0xffffff];
const PARTS: ChosenPalette = { kind: { mode: 'indexed-16', whole: false }, colors: COLORS };
const WHOLE: ChosenPalette = { kind: { mode: 'indexed-16', whole: true }, colors: COLORS };
const DIRECT: ChosenPalette = { kind: { mode: 'direct', whole: false }, colors: [] };

function row(used: number, more: { plain?: number; picture?: number } = {}): RowColors {
  const colors = new RowColors();
  colors.addPair(0xffffff, 0x000000, used);
  if (more.plain !== undefined) colors.plain.add(more.plain);
  if (more.picture !== undefined) colors.pictures.add(more.picture);
  return colors;
}

test('a pen is the indices of its levels, with the set of existing ones', () => {
  const run = new PixelPalette(PARTS).run(0xffffff, 0x000000, ENDS | MIDDLE);
  expect([run.values[0], run.values[5], run.values[15]]).toEqual([0, 1, 2]);
  expect(run.filled).toBe(ENDS | MIDDLE);
  expect([run.fg, run.bg]).toEqual([0xffffff, 0x000000]);
});

test('without a palette a pen is its colours, at the requested levels', () => {
  const palette = new PixelPalette(DIRECT);
  const run = palette.run(0xffffff, 0x000000, ENDS | MIDDLE);
  expect([run.values[0], run.values[1], run.values[5], run.values[15]]).toEqual([0x000000, 0, 0x555555, 0xffffff]);
  expect(palette.run(0xffffff, 0x000000, 1 << 6).values[6]).toBe(0x666666);
});

test('an equal pen in a row is not computed again, another one is', () => {
  for (const chosen of [PARTS, DIRECT]) {
    const palette = new PixelPalette(chosen);
    const run = palette.run(0xffffff, 0x000000, ENDS | MIDDLE);
    expect(palette.run(0xffffff, 0x000000, MIDDLE)).toBe(run);
    expect(palette.run(0x555555, 0x000000, 1 << 15).values[15]).toBe(chosen === DIRECT ? 0x555555 : 1);
    expect(palette.run(0x555555, 0xffffff, 1).values[0]).toBe(chosen === DIRECT ? 0xffffff : 2);
    expect(palette.run(0xffffff, 0x000000, 1 << 15).values[15]).toBe(chosen === DIRECT ? 0xffffff : 2);
    if (chosen === PARTS) expect(palette.run(0xffffff, 0x000000, MIDDLE)).toBe(run);
  }
});

test('a colour is its index, or itself without a palette; one of a picture is looked up by its nearest', () => {
  expect(new PixelPalette(PARTS).value(0xffffff)).toBe(2);
  expect(new PixelPalette(PARTS).value(0x123456)).toBe(0);
  expect(new PixelPalette(DIRECT).value(0x123456)).toBe(0x123456);
  expect(new PixelPalette(PARTS).pictureValue(0x575354)).toBe(1);
  expect(new PixelPalette(DIRECT).pictureValue(0x575354)).toBe(0x555555);
});

test.each([
  ['its two ends', row(ENDS), 0b101],
  ['its background alone', row(1), 0b001],
  ['a level between them', row(MIDDLE), 0b010],
  ['a colour of its own', row(1, { plain: 0x555555 }), 0b011],
  ['a picture', row(1, { picture: 0xfdfeff }), 0b101],
])('a row has the indices of its colours: %s', (_, colors, indices) => {
  expect(new PixelPalette(PARTS).indicesOf(colors)?.[0]).toBe(indices);
});

test.each([
  ['a level', row(ENDS | (1 << 4)), PARTS],
  ['another level of a pen that has all or none', row(MIDDLE), WHOLE],
  ['a colour of its own', row(1, { plain: 0x555556 }), PARTS],
  ['a picture', row(1, { picture: 0x888888 }), PARTS],
])('a row has no indices if one colour is missing: %s', (_, colors, chosen) => {
  expect(new PixelPalette(chosen).indicesOf(colors)).toBeUndefined();
});

test('without a palette no index is needed and no colour is missing', () => {
  expect(unionSize([new PixelPalette(DIRECT).indicesOf(row(0xffff, { plain: 1 })) ?? new Uint32Array([1])])).toBe(0);
});

test('indices are counted once, of all 256', () => {
  const colors = Array.from({ length: 256 }, (_, at) => at * 3);
  const palette = new PixelPalette({ kind: PARTS.kind, colors });
  const setOf = (...indices: readonly number[]): Uint32Array => {
    const plain = new RowColors();
    for (const index of indices) plain.plain.add(index * 3);
    return palette.indicesOf(plain) ?? new Uint32Array(0);
  };
  expect(unionSize([])).toBe(0);
  expect(unionSize([setOf(0, 31, 32, 255), setOf(32, 33)])).toBe(5);
  expect(unionSize([setOf(...colors.keys())])).toBe(256);
});
