import { expect, test } from 'vitest';
import type { PictureFormat } from '../../src/render/draw.js';
import { drawingBytes } from '../../src/render/costs.js';
import { checkCellSize } from '../../src/render/cell-size.js';
import { PixelArena } from '../../src/render/raster/blit.js';
import { OPTIONS } from './support/test-renderer.js';

const MEGABYTE = 1e6;

test.each<[PictureFormat, number]>([
  ['png', 117],
  ['webp', 2250],
  ['jpeg', 1020],
  ['svg', 35],
  ['html', 30],
])('a large %s takes at most a little more than measured', (format, measured) => {
  const expected = drawingBytes(format, { width: 10_040, height: 8040 }, 500 * 200) / MEGABYTE;
  expect(expected).toBeGreaterThan(measured * 0.99);
  expect(expected).toBeLessThan(measured * 1.4);
});

test('more cells take more memory, and so do more pixels in pixel formats', () => {
  const size = { width: 800, height: 400 };
  for (const format of ['png', 'webp', 'jpeg', 'svg', 'html'] as const) {
    expect(drawingBytes(format, size, 2000)).toBeGreaterThan(drawingBytes(format, size, 1000));
    const larger = drawingBytes(format, { width: 800, height: 401 }, 1000) - drawingBytes(format, size, 1000);
    if (format === 'svg' || format === 'html') expect(larger).toBe(0);
    else expect(larger).toBeGreaterThanOrEqual(800);
  }
});

test.each([
  ['a pad below zero', { pad: -1 }],
  ['half a pixel of pad', { pad: 0.5 }],
  ['a pad that is no number', { pad: Number.NaN }],
  ['a cell that is not twice as high as wide', { cellHeight: 15 }],
  ['a cell that is too small', { cellWidth: 2, cellHeight: 4 }],
])('%s is refused', (_, more) => {
  expect(() => checkCellSize({ ...OPTIONS, ...more })).toThrow(RangeError);
});

test('any whole pad is drawn', () => {
  for (const pad of [0, 1, 40]) expect(() => checkCellSize({ ...OPTIONS, pad })).not.toThrow();
});

test('an arena returns blank bytes and words of one value, in reused memory', () => {
  const arena = new PixelArena();
  const bytes = arena.bytes(100).fill(7);
  expect(arena.bytes(40)).toEqual(new Uint8Array(40));
  expect(arena.bytes(100).buffer).toBe(bytes.buffer);
  expect(arena.bytes(101)).toHaveLength(101);
  const words = arena.words(50, 0xabcdef);
  expect(words).toEqual(new Uint32Array(50).fill(0xabcdef));
  expect(arena.words(50, 1).buffer).toBe(words.buffer);
  expect(arena.words(30, 2)).toEqual(new Uint32Array(30).fill(2));
  expect(arena.words(51, 3)).toHaveLength(51);
});

test('an arena keeps up to 1 MiB of either', () => {
  const arena = new PixelArena();
  const [bytes, words] = [arena.bytes(1 << 20).buffer, arena.words(1 << 18, 0).buffer];
  arena.trim();
  expect(arena.bytes(1).buffer).toBe(bytes);
  expect(arena.words(1, 0).buffer).toBe(words);
  arena.bytes((1 << 20) + 1);
  arena.words((1 << 18) + 1, 0);
  arena.trim();
  expect(arena.bytes(1).buffer.byteLength).toBe(1);
  expect(arena.words(1, 0).buffer.byteLength).toBe(4);
});
