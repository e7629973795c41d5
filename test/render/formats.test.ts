import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { draw } from '../../src/render/draw.js';
import { fitCells } from '../../src/render/fit.js';
import { ATTR_BOLD, ATTR_INVERSE, ATTR_INVISIBLE } from '../../src/vt/snapshot.js';
import { itNeeds } from '../support/programs.js';
import { shownByChromium } from './support/chromium.js';
import { decoded, isSame, pixelsOf } from './support/pixels.js';
import { cursorAt, indexed, rgb, rowOf, type Run, screen, screenOf } from './support/screen.js';
import { newRenderer, OPTIONS } from './support/test-renderer.js';

const renderer = newRenderer();
const snapshot = screen(
  20,
  [
    [['<b>&"\'', { fg: indexed(1), attrs: ATTR_BOLD }], [' 漢😀 '], ['│█', { fg: rgb(0x00ff00) }]],
    [
      ['inverse', { attrs: ATTR_INVERSE }],
      ['secret', { attrs: ATTR_INVISIBLE }],
      ['wavy', { underline: 3 }],
    ],
    'bell\u0007 end',
  ],
  { cursor: cursorAt(1, 2), title: 'a < b' },
);

test('WebP has exactly the pixels of the PNG, JPEG nearly', async () => {
  const png = await pixelsOf(renderer.render(snapshot, OPTIONS));
  const webp = await draw(renderer, snapshot, OPTIONS, 'webp');
  expect(isSame(await decoded(Buffer.concat(webp.chunks)), png)).toBe(true);
  const jpeg = await draw(renderer, snapshot, OPTIONS, 'jpeg');
  const pixels = await decoded(Buffer.concat(jpeg.chunks));
  const worst = pixels.rgb.map((color, at) => Math.abs((color >> 16) - (png.rgb[at]! >> 16)));
  expect([jpeg.format, pixels.width, pixels.height]).toEqual(['jpeg', png.width, png.height]);
  expect(worst.reduce((a, b) => a + b) / worst.length).toBeLessThan(6);
});

test('a picture painted in slices equals one painted at once', async () => {
  const large = screenOf(
    Array.from({ length: 200 }, (_, y) => rowOf(500, [[`row ${y} `.repeat(60), { fg: indexed(y) }]])),
  );
  const sliced = await draw(renderer, large, OPTIONS);
  expect(Buffer.concat(sliced.chunks).equals(Buffer.concat(newRenderer().render(large, OPTIONS).chunks))).toBe(true);
});

test.each(['png', 'svg', 'html'] as const)('a large picture gives the loop its turns: %s', async (format) => {
  const large = screenOf(
    Array.from({ length: 200 }, (_, y) =>
      rowOf(
        500,
        Array.from({ length: 500 }, (_, x): Run => ['▀', { fg: indexed((x + y) % 200), bg: indexed((x * y) % 200) }]),
      ),
    ),
  );
  let done = false;
  let turns = 0;
  const turn = (): void => {
    turns++;
    if (!done) setImmediate(turn);
  };
  setImmediate(turn);
  await draw(newRenderer(), large, { ...OPTIONS, cellWidth: 10, cellHeight: 20 }, format);
  done = true;
  expect(turns).toBeGreaterThan(5);
});

test('pictures of one terminal requested at once do not disturb one another', async () => {
  const terminal = {};
  const screens = [0, 1, 2, 3].map((at) =>
    screenOf(Array.from({ length: 100 }, (_, y) => rowOf(200, [[`${at} ${y} `.repeat(20), { fg: indexed(at + 1) }]]))),
  );
  const drawn = await Promise.all(screens.map((each) => renderer.renderInSlices(each, OPTIONS, terminal)));
  for (const [at, each] of screens.entries()) {
    const alone = await pixelsOf(newRenderer().render(each, OPTIONS));
    expect(isSame(await pixelsOf(drawn[at]!), alone)).toBe(true);
  }
});

itNeeds('python3')(
  'SVG is well-formed, self-contained, keeps text as text and has the geometry of the PNG',
  async () => {
    const drawing = await draw(renderer, snapshot, { ...OPTIONS, pad: 4 }, 'svg');
    const svg = Buffer.concat(drawing.chunks).toString();
    expect(svg).toContain('&#60;b&#62;&#38;');
    expect(svg).toContain('漢');
    expect(svg).not.toContain('secret');
    expect(svg).not.toMatch(/href|url\(|@import/);
    expect(rootOf(svg)).toBe('svg');
    const { width, height } = await sharp(Buffer.from(svg)).metadata();
    expect([width, height]).toEqual([20 * 8 + 8, 3 * 16 + 8]);
  },
);

test('a rasterised SVG has the backgrounds, blocks and cursor of the PNG', async () => {
  const blocks = screen(
    4,
    [
      [
        ['▀▄', { fg: rgb(0xff0000), bg: rgb(0x0000ff) }],
        ['  ', { bg: rgb(0x00ff00) }],
      ],
    ],
    {
      cursor: cursorAt(0, 3, 'bar'),
    },
  );
  const { chunks } = await draw(renderer, blocks, OPTIONS, 'svg');
  const raster = await decoded(await sharp(Buffer.concat(chunks)).png().toBuffer());
  const png = await pixelsOf(renderer.render(blocks, OPTIONS));
  expect(isSame(raster, png)).toBe(true);
});

test('HTML is self-contained, escaped, and every run is as wide as its cells', async () => {
  const links = new Map([
    [0, 'https://example.org/?a=1&b=2'],
    [1, 'javascript:alert(1)'],
  ]);
  const linked = screenOf([{ ...rowOf(4, [['ab 漢']]), links }]);
  const html = Buffer.concat((await draw(renderer, linked, OPTIONS, 'html')).chunks).toString();
  expect(html).toContain('href="https://example.org/?a=1&#38;b=2"');
  expect(html).not.toContain('javascript:');
  const widths = [...html.matchAll(/<span style="width:(\d+)px/g)].map(([, width]) => Number(width));
  expect(widths.reduce((a, b) => a + b)).toBe(4 * 8);
  const whole = Buffer.concat((await draw(renderer, snapshot, OPTIONS, 'html')).chunks).toString();
  expect(whole).toContain('&#60;b&#62;&#38;&#34;&#39;');
  expect(whole).not.toMatch(/src=|<link|@import|secret/);
});

itNeeds('chromium')(
  'in a browser, box drawing, blocks and backgrounds of SVG and HTML have the pixels of the PNG with any font',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 't4a-vector-'));
    const lines = [
      '╭────┬────╮ ▏▎▍▌▋▊▉█▁▂▃▄▅',
      '│    │    │ ├── ░▒▓█ ⣿⣶⣤ ',
      [['╰═══╧════╯  '], ['▀▄▀▄', { fg: rgb(0xff0000), bg: rgb(0x0000ff) }], ['   ', { bg: indexed(2) }]],
    ] as const;
    const blocks = screen(25, lines, { cursor: cursorAt(2, 22, 'bar') });
    // Even, so that no browser rounds the middle of a cell another way.
    const options = { ...OPTIONS, cellWidth: 16, cellHeight: 32 };
    const png = await pixelsOf(renderer.render(blocks, options));
    try {
      for (const format of ['svg', 'html'] as const) {
        const drawing = await draw(renderer, blocks, options, format);
        const text = Buffer.concat(drawing.chunks)
          .toString()
          .replaceAll('monospace', 'serif')
          .replaceAll("'DejaVu", "'No");
        const shown = await decoded(await shownByChromium(text, format, drawing, directory));
        expect([shown.width, shown.height]).toEqual([png.width, png.height]);
        // The picture has sixteen levels of ink, the browser 256: half a level, and rounding.
        const far = [...png.rgb.keys()].filter((at) => channelDistance(shown.rgb[at]!, png.rgb[at]!) > 10);
        expect(
          far.map((at) => [at % png.width, Math.floor(at / png.width)]),
          format,
        ).toEqual([]);
      }
    } finally {
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  },
);

test('SVG puts every character into its cell, and HTML every run into its cells', async () => {
  const text = screen(9, ['ab  漢 d']);
  const svg = Buffer.concat((await draw(renderer, text, OPTIONS, 'svg')).chunks).toString();
  expect([...svg.matchAll(/<text [^>]*?x="([^"]*)"/g)].map(([, x]) => x)).toEqual(['0 8 16 24', '32', '48 56 64']);
});

test('the largest cell within a number of tokens and a model is chosen, or refused below 7x14', () => {
  expect(fitCells({ cols: 80, rows: 24, pad: 0, model: 'claude', maxTokens: 322 }).cellWidth).toBe(8);
  expect(fitCells({ cols: 80, rows: 24, pad: 0, model: 'claude', maxTokens: 321 }).cellWidth).toBe(7);
  expect(fitCells({ cols: 80, rows: 24, pad: 0, model: 'claude' }).cellWidth).toBe(19);
  expect(fitCells({ cols: 200, rows: 50, pad: 0, model: 'gemini', maxTokens: 1090, maxCellWidth: 20 }).cellWidth).toBe(
    15,
  );
  expect(() => fitCells({ cols: 80, rows: 24, pad: 0, model: 'gpt', maxTokens: 100 })).toThrow(/100 tokens/);
  expect(() => fitCells({ cols: 300, rows: 24, pad: 0, model: 'claude' })).toThrow(/1568 pixels a side/);
});

function channelDistance(a: number, b: number): number {
  return Math.max(...[16, 8, 0].map((shift) => Math.abs(((a >> shift) & 0xff) - ((b >> shift) & 0xff))));
}

/** Parsed by Python's expat: an XML reader that is not ours. */
function rootOf(xml: string): string {
  const directory = mkdtempSync(join(tmpdir(), 't4a-svg-'));
  try {
    const path = join(directory, 'picture.svg');
    writeFileSync(path, xml);
    const script = 'import sys, xml.etree.ElementTree as e; print(e.parse(sys.argv[1]).getroot().tag.split("}")[1])';
    return execFileSync('python3', ['-c', script, path], { encoding: 'utf8' }).trim();
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}
