/** Glyphs that bring their own colours: drawn in them, over the background of their cell. */
import { expect, test } from 'vitest';
import { Renderer } from '../../../src/render/renderer.js';
import { pixelsOf } from '../support/pixels.js';
import { rgb, rowOf, screenOf } from '../support/screen.js';
import { FONTS_DIR, OPTIONS } from '../support/test-renderer.js';

const BLUE = 0x0000ff;
const CELL = { cellWidth: 20, cellHeight: 40 };

test.each([
  ['😀', (red: number, green: number, blue: number) => red > 200 && green > 140 && blue < 120],
  ['💚', (red: number, green: number, blue: number) => green > red + 40 && green > blue + 40],
])('%s keeps its colours, and the cell around it keeps its own', async (emoji, isIts) => {
  const renderer = new Renderer({ fontsDir: FONTS_DIR });
  const screen = screenOf([rowOf(4, [[emoji, { bg: rgb(BLUE) }]])]);
  const pixels = await pixelsOf(renderer.render(screen, { ...OPTIONS, ...CELL, cursor: false }));
  let its = 0;
  for (let y = 10; y < 30; y++) {
    for (let x = 10; x < 30; x++) {
      const color = pixels.at(x, y);
      if (isIts(color >> 16, (color >> 8) & 0xff, color & 0xff)) its++;
    }
  }
  // Of 400 pixels in the middle: more than a third, since eyes and an open mouth are of other colours.
  expect(its).toBeGreaterThan(400 / 3);
  for (const [x, y] of [
    [0, 0],
    [39, 0],
    [0, 39],
    [39, 39],
  ] as const) {
    expect(pixels.at(x, y)).toBe(BLUE);
  }
});
