/** One picture in every format, with its facts. */
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { draw, DRAWN_FORMATS } from '../../src/render/draw.js';
import { rgb, screen } from './support/screen.js';
import { newRenderer, OPTIONS } from './support/test-renderer.js';

const renderer = newRenderer();
const snapshot = screen(3, [[['a█', { fg: rgb(0xff0000) }]], 'é漢']);
const options = { ...OPTIONS, pad: 2 };

test.each(DRAWN_FORMATS)('a picture in %s reports its format, its size and its bytes', async (format) => {
  const drawing = await draw(renderer, snapshot, options, format);
  expect([drawing.format, drawing.width, drawing.height]).toEqual([format, 28, 36]);
  const bytes = Buffer.concat(drawing.chunks);
  expect(drawing.byteLength).toBe(bytes.length);
  if (format === 'html') expect(bytes.toString()).toMatch(/^<!doctype html>[^]*<\/html>\n$/);
  else expect(await sharp(bytes).metadata()).toMatchObject({ format, width: 28, height: 36 });
});

test('a picture is a PNG by default', async () => {
  expect((await draw(renderer, snapshot, options)).format).toBe('png');
});

test('text formats come row by row, and are whole files', async () => {
  const svg = await draw(renderer, snapshot, options, 'svg');
  expect(svg.chunks).toHaveLength(4);
  expect(Buffer.concat(svg.chunks).toString()).toMatch(/^<svg [^]*<\/svg>\n$/);
  expect((await draw(renderer, snapshot, options, 'html')).chunks).toHaveLength(4);
});

test('a JPEG has the colours of every pixel', async () => {
  const { chunks } = await draw(renderer, snapshot, options, 'jpeg');
  expect((await sharp(Buffer.concat(chunks)).metadata()).chromaSubsampling).toBe('4:4:4');
});

test.each(DRAWN_FORMATS)('a picture in %s with invalid cells is refused', async (format) => {
  await expect(draw(renderer, snapshot, { ...options, cellWidth: 100, cellHeight: 200 }, format)).rejects.toThrow(
    RangeError,
  );
});
