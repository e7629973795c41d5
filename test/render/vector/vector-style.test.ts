/** What SVG and HTML say of a run of text: its colours, its weight and its lines, and nothing where there is nothing to say. */
import { expect, test } from 'vitest';
import { draw } from '../../../src/render/draw.js';
import type { PictureOptions } from '../../../src/render/renderer.js';
import { contrastRatio } from '../../../src/render/color.js';
import { ATTR_BOLD, ATTR_DIM, ATTR_ITALIC, ATTR_OVERLINE, ATTR_STRIKETHROUGH } from '../../../src/vt/snapshot.js';
import { indexed, type Pen, rgb, screen } from '../support/screen.js';
import { newRenderer, OPTIONS } from '../support/test-renderer.js';

const renderer = newRenderer();

async function html(pen: Pen, options: PictureOptions = OPTIONS): Promise<string> {
  const { chunks } = await draw(renderer, screen(1, [[['a', pen]]]), options, 'html');
  return Buffer.concat(chunks).toString();
}

/** The style of the only run, as pairs. */
async function styleOf(pen: Pen, options?: PictureOptions): Promise<Record<string, string>> {
  const [, style = ''] = /<span style="([^"]*)">a</.exec(await html(pen, options)) ?? [];
  return Object.fromEntries(style.split(';').map((pair) => pair.split(':') as [string, string]));
}

const PLAIN = { width: '8px', color: '#e5e5e5' };

test.each<[string, Pen, Record<string, string>]>([
  ['plain text', {}, {}],
  ['bold text', { attrs: ATTR_BOLD }, { 'font-weight': 'bold' }],
  ['italic text', { attrs: ATTR_ITALIC }, { 'font-style': 'italic' }],
  ['a background of its own', { bg: rgb(0x000080) }, { background: '#000080' }],
  ['an overline', { attrs: ATTR_OVERLINE }, { 'text-decoration': 'overline  #e5e5e5' }],
  ['text that is struck through', { attrs: ATTR_STRIKETHROUGH }, { 'text-decoration': 'line-through  #e5e5e5' }],
  ['an underline', { underline: 1 }, { 'text-decoration': 'underline solid #e5e5e5' }],
  ['a double underline', { underline: 2 }, { 'text-decoration': 'underline double #e5e5e5' }],
  [
    'a curly underline',
    { underline: 3, underlineColor: rgb(0xff0000) },
    { 'text-decoration': 'underline wavy #ff0000' },
  ],
  ['a dotted underline', { underline: 4 }, { 'text-decoration': 'underline dotted #e5e5e5' }],
  ['a dashed underline', { underline: 5 }, { 'text-decoration': 'underline dashed #e5e5e5' }],
  [
    'all lines at once',
    { underline: 1, attrs: ATTR_OVERLINE | ATTR_STRIKETHROUGH },
    { 'text-decoration': 'underline line-through overline solid #e5e5e5' },
  ],
])('%s', async (_, pen, expected) => {
  expect(await styleOf(pen)).toEqual({ ...PLAIN, ...expected });
});

const BLACK = 0x000000;
const NAVY = { fg: rgb(0x000040) };

async function inkOf(pen: Pen, options: PictureOptions): Promise<number> {
  return Number.parseInt((await styleOf(pen, options))['color']?.slice(1) ?? '', 16);
}

test('text reaches a contrast of 4.5 by default, dim text of 3', async () => {
  const { minimumContrast: _, ...unsaid } = { ...OPTIONS, minimumContrast: 1 };
  const ink = await inkOf(NAVY, unsaid);
  expect(contrastRatio(ink, BLACK)).toBeGreaterThanOrEqual(4.5);
  expect(contrastRatio(ink, BLACK)).toBeLessThan(4.7);
  expect(await inkOf(NAVY, { ...unsaid, minimumContrast: 4.5 })).toBe(ink);
  expect(await inkOf(NAVY, { ...unsaid, minimumContrast: 1 })).toBe(0x000040);
  const dim = await inkOf({ ...NAVY, attrs: ATTR_DIM }, unsaid);
  expect(contrastRatio(dim, BLACK)).toBeGreaterThanOrEqual(3);
  expect(contrastRatio(dim, BLACK)).toBeLessThan(3.2);
});

test('bold text keeps its colour by default', async () => {
  const pen = { fg: indexed(2), attrs: ATTR_BOLD };
  const plain = await inkOf({ fg: indexed(2) }, OPTIONS);
  expect(await inkOf(pen, OPTIONS)).toBe(plain);
  expect(await inkOf(pen, { ...OPTIONS, boldAsBright: true })).toBe(await inkOf({ fg: indexed(10) }, OPTIONS));
});
