/** Boxes at every zoom, emoji of several characters, lines over and under text, and plain text that is a link. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, PHONE, pixelsOf, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

async function launched(client: Client, text: string): Promise<void> {
  const cmd_args = ['sh', '-c', `stty raw -echo; printf "$1\\007"; exec cat`, 'sh', text];
  await client.call('create', { cmd_args, name: 'build', wait: { until: { event: 'bell' } } });
}

const STEPS = [0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3];

test('a column of blocks has no gap at the steps of a zoom, nor when the pixel ratio alone changes', async () => {
  const text = `${'  █\\r\\n'.repeat(10)}end`;
  const { page, context } = await opened(DESK, ({ client }) => launched(client, text));
  await rowWith(page, 'end').waitFor();
  const session = await context.newCDPSession(page);
  const zoomed = STEPS.map((ratio) => ({ ratio, width: Math.round(1280 / ratio) }));
  for (const { ratio, width } of [...zoomed, ...[0.67, 1.1].map((ratio) => ({ ratio, width: 1280 }))]) {
    const metrics = { width, height: 800, deviceScaleFactor: ratio, mobile: false };
    await session.send('Emulation.setDeviceMetricsOverride', metrics);
    await expect
      .poll(() => page.evaluate('[innerWidth, Math.round(100 * devicePixelRatio) / 100]'))
      .toEqual([width, ratio]);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    const box = await page.locator('.row').first().boundingBox();
    if (box === null) throw new Error('the row is not to be seen');
    // The middle of the third cell, of ten rows but for their ends.
    const clip = { x: box.x + 1.25 * box.height, y: box.y + 2, width: 2, height: 10 * box.height - 4 };
    const pixels = await pixelsOf(session, clip);
    // Places of layout are 64ths of a pixel: an edge may be blended by as much, which nobody sees.
    const blue = Array.from({ length: pixels.height - 2 }, (_, y) => Number(pixels.at(0, y + 1).split(',')[2]));
    expect(Math.min(...blue), `at ${ratio}, ${width} wide`).toBeGreaterThan(235);
    expect(Math.max(...blue), `at ${ratio}, ${width} wide`).toBeLessThanOrEqual(245);
  }
  await session.detach();
});

test.each([
  ['a laptop', DESK],
  ['a phone', PHONE],
])('on %s emoji of several characters are one picture in their cells, and text as they came', async (_name, size) => {
  const emoji = ['👩‍💻', '👨‍👩‍👧', '❤️', '1️⃣', '#️⃣', '🇩🇪', '👍🏽', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '✅'];
  const { page } = await opened(size, ({ client }) => launched(client, `${emoji.join(' ')} end`));
  await rowWith(page, 'end').waitFor();
  await page.evaluate('document.fonts.ready.then(() => {})');
  expect(await rowWith(page, 'end').textContent()).toBe(`${emoji.join(' ')} end`);
  await expect.poll(() => widths(page)).toEqual(emoji.map(() => true));
});

/** Whether the glyphs of a box fit it. */
function widths(page: Page): Promise<boolean[]> {
  return page.evaluate(`[...document.querySelectorAll('.row .c2')].map((box) => {
    if (box.dataset.key !== undefined) return true;
    const range = document.createRange();
    range.selectNodeContents(box);
    return range.getBoundingClientRect().width <= box.getBoundingClientRect().width + 1;
  })`);
}

test('the keys that the page draws are those of the emoji face', () => {
  const lines = readFileSync('fonts/twemoji.sequences.txt', 'utf8').split('\n');
  const keys = Array.from('#*0123456789', (one) => `${one.charCodeAt(0).toString(16)}-20e3`);
  expect(keys.map((key) => lines.indexOf(key))).toEqual([0x8c6, ...Array.from({ length: 11 }, (_, i) => 0x8f8 + i)]);
});

test('a line over text and a curly one below it are seen', async () => {
  const text = '\\033[53mMMMM\\033[0m \\033[4:3mMMMM\\033[0m MMMM end';
  const { page, context } = await opened({ ...DESK, deviceScaleFactor: 2 }, ({ client }) => launched(client, text));
  const row = rowWith(page, 'end');
  await row.waitFor();
  const session = await context.newCDPSession(page);
  const ink = async (cell: number, from: number, to: number): Promise<number> => {
    const box = await row.boundingBox();
    if (box === null) throw new Error('the row is not to be seen');
    const pixels = await pixelsOf(session, box);
    const cells = pixels.width / 80;
    let count = 0;
    for (let x = Math.ceil(cell * cells); x < (cell + 4) * cells; x++)
      for (let y = Math.floor(from * pixels.height); y < to * pixels.height; y++)
        if (pixels.at(x, y) !== '26,27,38') count++;
    return count;
  };
  // Of capitals, neither the first rows of pixels nor the last have ink.
  await expect.poll(() => ink(0, 0, 0.08)).toBeGreaterThan(30);
  await expect.poll(() => ink(5, 0.85, 1)).toBeGreaterThan(30);
  expect([await ink(10, 0, 0.08), await ink(10, 0.85, 1)]).toEqual([0, 0]);
});

test('plain addresses and places in files are links in all colors, and over the end of a row', async () => {
  const long = `https://example.com/${'a'.repeat(90)}?b=1`;
  const text = [
    '(see https://example.com/a_(b)?c=1#d.) next',
    '\\033[31mhttps://exa\\033[32mmple.org/x\\033[0m, end',
    long,
    'src/page/seat.ts:12:3: error, ./a.c:7 and 12:30:45 or v1.2:3',
    'javascript:alert(1) ftp://example.com/ http://',
    '\\033]8;;https://example.net/own\\033\\\\https://example.com/shown\\033]8;;\\033\\\\ last',
  ].join('\\r\\n');
  const { page, context, complaints } = await opened(DESK, ({ client }) => launched(client, text));
  await rowWith(page, 'last').waitFor();
  const links = await page.evaluate(`Array.from(document.querySelectorAll('.row a[href]'), (a) => a.href)`);
  expect(links).toEqual([
    'https://example.com/a_(b)?c=1#d',
    'https://example.org/x',
    // In each of its rows.
    long,
    long,
    'https://example.net/own',
  ]);
  const files = await page.evaluate(`Array.from(document.querySelectorAll('.row a.file'), (a) => a.textContent)`);
  expect(files).toEqual(['src/page/seat.ts:12:3', './a.c:7']);
  // Whole for each button, and for the menu that copies it.
  const cut = page.getByText(/^https:\/\/example.com\/aaa/);
  await cut.hover();
  expect(await cut.getAttribute('href')).toBe(long);
  await context.route('https://example.com/**', (route) => route.fulfill({ body: 'there' }));
  const [other] = await Promise.all([context.waitForEvent('page'), cut.click()]);
  await other.waitForURL(long);
  await other.close();
  await context.unroute('https://example.com/**');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('a.file').first().click();
  await page.getByText('Copied src/page/seat.ts:12:3').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('src/page/seat.ts:12:3');
  expect(complaints).toEqual([]);
});
