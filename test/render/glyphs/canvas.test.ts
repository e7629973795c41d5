/** Where the canvas puts text, by the box of its ink: rasterisers differ in their greys, not in places. */
import { describe, expect, test } from 'vitest';
import { canvasIsLoaded, TextCanvas, type TextDrawing } from '../../../src/render/glyphs/canvas.js';
import { type InkBox, inkBoxOf, type InkMask } from '../../../src/render/glyphs/ink-mask.js';
import { FONTS_DIR } from '../support/test-renderer.js';

const loadedAtFirst = canvasIsLoaded();
const canvas = new TextCanvas(FONTS_DIR);
const DRAWING: TextDrawing = {
  text: 'x',
  file: 'dejavu-sans-mono',
  emPixels: 20 / 0.602,
  slant: false,
  width: 20,
  height: 40,
  baseline: 30,
  shift: 0,
  stretch: 1,
  fit: false,
};

function drawn(more: Partial<TextDrawing> = {}, by: TextCanvas = canvas): InkMask {
  const drawing = { ...DRAWING, ...more };
  const rgba = by.drawMask(drawing);
  const { width, height } = drawing;
  expect(rgba).toHaveLength(4 * width * height);
  return { width, height, alpha: Uint8Array.from({ length: width * height }, (_, pixel) => rgba[4 * pixel]!) };
}

function box(more: Partial<TextDrawing> = {}): InkBox {
  const found = inkBoxOf(drawn(more));
  if (found === undefined) throw new Error('no ink');
  return found;
}

function near(actual: number, expected: number, by = 1): void {
  expect(Math.abs(actual - expected), `${actual}, where ${expected} was expected`).toBeLessThanOrEqual(by);
}

test('the first drawing loads the canvas', () => {
  expect(loadedAtFirst).toBe(false);
  box();
  expect(canvasIsLoaded()).toBe(true);
});

describe('text', () => {
  test('is on the baseline, in the middle of its box', () => {
    const { left, right, top, bottom } = box();
    near(bottom, 30);
    near(left, 20 - right);
    expect(right - left).toBeGreaterThan(14);
    expect(bottom - top).toBeGreaterThan(14);
    near(box({ baseline: 25 }).bottom, 25);
    const wide = box({ width: 28 });
    near(wide.left, left + 4);
    near(wide.right, right + 4);
  });

  test('moves to the right by its shift', () => {
    const [plain, moved] = [box({ width: 40 }), box({ width: 40, shift: 3 })];
    near(moved.left, plain.left + 3);
    near(moved.right, plain.right + 3);
  });

  test('is stretched upwards from its baseline', () => {
    const [plain, tall] = [box(), box({ stretch: 1.4 })];
    near(tall.bottom, plain.bottom);
    near(tall.bottom - tall.top, 1.4 * (plain.bottom - plain.top), 2);
    near(tall.right - tall.left, plain.right - plain.left);
  });

  test('is squeezed into its box if it is wider, and not widened if it is narrower', () => {
    const [one, two] = [box({ text: 'H', width: 40 }), box({ text: 'HH' })];
    near(two.bottom - two.top, one.bottom - one.top);
    expect(two.right - two.left).toBeGreaterThan(16);
    near(two.left, 20 - two.right);
    const legs = Array.from(drawn({ text: 'HH' }).alpha.subarray(27 * 20, 28 * 20), (ink) => (ink > 100 ? '#' : '.'));
    expect(legs.join('').match(/#+/g)).toHaveLength(4);
    near(box({ text: 'HH', width: 80 }).right - box({ text: 'HH', width: 80 }).left, 20 + one.right - one.left);
  });

  test('is slanted to the right, upwards from its baseline', () => {
    const middleOf = (slant: boolean, from: number, to: number): number => {
      const { alpha, width } = drawn({ text: '|', slant });
      const inks = Array.from(alpha.subarray(from * width, to * width));
      const sum = inks.reduce((total, ink) => total + ink, 0);
      return inks.reduce((total, ink, at) => total + ink * ((at % width) + 0.5), 0) / sum;
    };
    near(middleOf(true, 8, 12) - middleOf(false, 8, 12), 4, 0.5);
    near(middleOf(true, 28, 32) - middleOf(false, 28, 32), 0, 0.5);
    near(middleOf(false, 8, 12), middleOf(false, 28, 32), 0.1);
  });
});

describe('a symbol', () => {
  const fit = { fit: true, text: 'W' };

  test('that is too large shrinks into its box, and keeps its shape', () => {
    const { left, right, top, bottom } = box({ ...fit, emPixels: 60 });
    near(right - left, 20);
    near(bottom, 30);
    const free = box({ ...fit, emPixels: 60, width: 60, height: 80, baseline: 60 });
    near((bottom - top) / (right - left), (free.bottom - free.top) / (free.right - free.left), 0.1);
    const flat = box({ ...fit, emPixels: 60, width: 80, height: 12, baseline: 12 });
    near(flat.bottom - flat.top, 12);
    near(flat.left, 80 - flat.right);
    near((flat.bottom - flat.top) / (flat.right - flat.left), (free.bottom - free.top) / (free.right - free.left), 0.1);
  });

  test('is centred by its ink, not by its advance', () => {
    for (const text of '|).') {
      const { left, right } = box({ ...fit, text, emPixels: 60 });
      near(left, 20 - right);
    }
  });

  test('that is small keeps its size, centred, on its baseline', () => {
    const small = { ...fit, emPixels: 12 };
    const [{ left, right, top, bottom }, plain] = [box(small), box({ ...small, fit: false })];
    near(left, 20 - right);
    near(right - left, plain.right - plain.left);
    near(bottom, 30);
    near(top, plain.top);
  });

  test('is moved into its box if its baseline is outside', () => {
    expect(box({ ...fit, emPixels: 20, baseline: 4 }).top).toBeLessThanOrEqual(1);
    expect(drawn({ ...fit, emPixels: 20, baseline: 4 }).alpha.reduce((sum, ink) => sum + ink, 0)).toBeGreaterThan(
      0.97 * drawn({ ...fit, emPixels: 20 }).alpha.reduce((sum, ink) => sum + ink, 0),
    );
    const low = box({ ...fit, text: 'g', emPixels: 24, baseline: 40 });
    expect(low.bottom).toBeGreaterThanOrEqual(39);
    const whole = box({ ...fit, text: 'g', emPixels: 24, baseline: 24 });
    near(low.bottom - low.top, whole.bottom - whole.top);
  });
});

describe('a drawing', () => {
  test('shows nothing of earlier ones, larger or smaller', () => {
    const fresh = Array.from(drawn({ text: 'o' }, new TextCanvas(FONTS_DIR)).alpha);
    drawn({ text: '█', width: 200, height: 200, emPixels: 300, baseline: 150 });
    expect(Array.from(drawn({ text: 'o' }).alpha)).toEqual(fresh);
    expect(Math.max(...drawn({ text: ' ' }).alpha)).toBe(0);
    expect(Math.max(...canvas.drawColors({ ...DRAWING, text: ' ' }))).toBe(0);
  });

  test('has room beyond the first one, down and across', () => {
    const own = new TextCanvas(FONTS_DIR);
    drawn({}, own);
    expect(inkBoxOf(drawn({ height: 300, baseline: 290 }, own))?.bottom).toBeGreaterThan(280);
    const wide = inkBoxOf(drawn({ width: 300 }, own));
    near((wide?.left ?? 0) + (wide?.right ?? 0), 300);
  });

  test('of text is as strong as its ink, and opaque', () => {
    const rgba = canvas.drawMask({ ...DRAWING, text: '█' });
    const at = 4 * (20 * 20 + 10);
    expect([...rgba.subarray(at, at + 4)]).toEqual([255, 255, 255, 255]);
    expect([...rgba.subarray(0, 4)].at(-1)).toBe(255);
  });

  test('of a colour glyph has its colours, on a transparent ground', () => {
    const emoji = { ...DRAWING, file: 'twemoji', text: '🟥', fit: true, emPixels: 40, width: 40 };
    const rgba = canvas.drawColors(emoji);
    const [red = 0, green = 0, blue = 0, alpha] = rgba.subarray(4 * (20 * 40 + 20));
    expect(alpha).toBe(255);
    expect(Math.min(red - green, red - blue)).toBeGreaterThan(100);
    expect(rgba[4 * (39 * 40) + 3]).toBe(0);
  });

  test('needs its font, and names it in the error', () => {
    expect(() => drawn({ file: 'no-such-face' })).toThrow(/no-such-face\.ttf cannot be opened/);
    expect(() => drawn({}, new TextCanvas('/nonexistent'))).toThrow(/nonexistent.dejavu-sans-mono\.ttf/);
  });
});
