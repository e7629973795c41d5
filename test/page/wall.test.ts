/** All terminals at a glance. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { axe } from './axe.js';
import { browserOfFile, choose, DESK, opened, PHONE } from './browser.js';

needs('chromium');
browserOfFile();

/** Its program shows the text, and goes on or ends. */
function shows(client: Client, name: string, script: string): Promise<unknown> {
  return client.call('create', { name, cmd_args: ['sh', '-c', script], wait: { until: { text: 'shown' } } });
}

const BUSY = 'printf shown; exec sleep 600';

async function toWall(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'All terminals at a glance' }).click();
  await page.locator('.tile').first().waitFor();
}

function places(page: Page): Promise<(string | null)[]> {
  return page.locator('.tile').evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('data-place')));
}

/** Color of the middle of a picture. */
function middle(page: Page, place: string): Promise<string> {
  return page.locator(`[data-place="${place}"] canvas`).evaluate((element) => {
    const canvas = element as unknown as {
      width: number;
      height: number;
      getContext(kind: '2d'): { getImageData(...at: number[]): { data: Uint8Array } };
    };
    if (canvas.width === 0) return '';
    const { data } = canvas
      .getContext('2d')
      .getImageData(Math.floor(canvas.width / 2), Math.floor(canvas.height / 2), 1, 1);
    return data.slice(0, 3).join();
  });
}

test('those that ask are first, and a tap opens one', async () => {
  const { page, client, complaints } = await opened(DESK, async ({ client }) => {
    await shows(client, 'c-busy', BUSY);
    await shows(client, 'd-ended', 'printf shown');
    await shows(client, 'e-failed', 'printf shown; exit 3');
    await shows(client, 'f-asks', BUSY);
  });
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  await agent.call('ask', { id: 'f-asks', question: 'Go on?', kind: 'confirm', timeout_ms: 0 });
  await toWall(page);
  await expect.poll(() => places(page)).toEqual(['f-asks', 'c-busy', 'd-ended', 'e-failed']);
  await page.mouse.move(1, 1);
  await choose(page, page.locator('[data-place="c-busy"]'));
  await page.getByRole('heading', { name: 'c-busy' }).waitFor();
  await expect.poll(() => page.locator('.wall').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test.each([
  ['a laptop', 'light', DESK],
  ['a phone', 'dark', PHONE],
] as const)('on %s axe finds nothing serious on the wall in the %s theme', async (_name, colorScheme, size) => {
  const { page } = await opened({ ...size, colorScheme }, async ({ client }) => {
    await shows(client, 'busy', BUSY);
    await shows(client, 'failed', 'printf shown; exit 3');
  });
  await toWall(page);
  await expect.poll(() => page.locator('.tile').count()).toBe(2);
  expect(await axe(page)).toEqual([]);
});

test('its pictures are live', async () => {
  const { page, client } = await opened(DESK, async ({ client }) => {
    await client.call('create', {
      name: 'paint',
      cmd_args: ['sh', '-c', 'stty -echo; printf shown; while read -r c; do printf "\\033[4${c}m\\033[2J"; done'],
      wait: { until: { text: 'shown' } },
    });
  });
  await toWall(page);
  await client.call('send', { id: 'paint', input: '1\n' });
  await expect.poll(() => middle(page, 'paint')).toBe('247,118,142');
  await client.call('send', { id: 'paint', input: '2\n' });
  await expect.poll(() => middle(page, 'paint')).toBe('158,206,106');
});

test('its part of the program is loaded when it is meant', async () => {
  const { page } = await opened(DESK, ({ client }) => shows(client, 'one', BUSY));
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.locator('.row').first().waitFor();
  await page.reload();
  await page.locator('.row').first().waitFor();
  expect(loaded.filter((path) => path.startsWith('/wall-and-boards'))).toEqual([]);
  await toWall(page);
  expect(loaded.filter((path) => path.startsWith('/wall-and-boards'))).toHaveLength(1);
});

test('tiles under the mouse keep their places', async () => {
  const { page, client } = await opened(DESK, async ({ client }) => {
    await shows(client, 'a', BUSY);
    await shows(client, 'b', BUSY);
  });
  await toWall(page);
  await page.locator('[data-place="a"]').hover();
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  await agent.call('ask', { id: 'b', question: 'Go on?', kind: 'confirm', timeout_ms: 0 });
  await page.locator('[data-place="b"] .badge').waitFor();
  expect(await places(page)).toEqual(['a', 'b']);
  await page.mouse.move(1, 1);
  await expect.poll(() => places(page)).toEqual(['b', 'a']);
});

test('arrows walk over it, Enter opens, and the commands lead there', async () => {
  const { page } = await opened(DESK, async ({ client }) => {
    for (const name of ['a', 'b', 'c', 'd']) {
      await shows(client, name, BUSY);
      // A claim that stays: what works comes before what rests, and none changes its place.
      await client.call('report', { id: name, state: 'working' });
    }
  });
  await page.locator('.row').first().waitFor();
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').fill('at a glance');
  await page.keyboard.press('Enter');
  await page.locator('.tile:focus').waitFor();
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.dataset.place');
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toBe('b');
  await page.keyboard.press('ArrowDown');
  // The nearest one of the next row, which is not full.
  expect(await focused()).toBe('d');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('a');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('d');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'd', exact: true }).waitFor();
});

test('on a phone two stand side by side, and none is wider than the window', async () => {
  const { page } = await opened(PHONE, async ({ client }) => {
    for (const name of ['a', 'b', 'c']) await shows(client, name, BUSY);
  });
  await toWall(page);
  const tops = await page
    .locator('.tile')
    .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
  expect(tops[0]).toBe(tops[1]);
  expect(tops[2]).toBeGreaterThan(tops[1] as number);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.locator('[data-place="b"]').tap();
  await page.getByRole('heading', { name: 'b', exact: true }).waitFor();
});

test('its pictures have letters that can be read, and what rests or has ended has none', async () => {
  const { page, client } = await opened(DESK, async ({ client }) => {
    await shows(client, 'busy', BUSY);
    await client.call('create', { name: 'wide', cmd_args: ['sh', '-c', BUSY], cols: 240, rows: 60 });
    await shows(client, 'ended', 'printf shown; exit 3');
    await shows(client, 'rests', BUSY);
    await client.call('report', { id: 'rests', state: 'idle' });
    await client.call('report', { id: 'busy', state: 'working' });
  });
  await toWall(page);
  await page.mouse.move(1, 1);
  await page.locator('.is-strip [data-place="ended"]').waitFor();
  await page.locator('.is-strip [data-place="rests"]').waitFor();
  const inStrip = (): Promise<(string | null)[]> =>
    page.locator('.is-strip .tile').evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute('data-place')));
  await expect.poll(inStrip).toEqual(['rests', 'ended']);
  expect(await page.locator('.is-strip canvas').count()).toBe(0);
  const inked = (place: string): Promise<number> =>
    page.locator(`[data-place="${place}"] canvas`).evaluate((element) => {
      const canvas = element as unknown as {
        width: number;
        height: number;
        getContext(kind: '2d'): { getImageData(...at: number[]): { data: Uint8Array } };
      };
      if (canvas.width === 0) return 0;
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let right = 0;
      for (let i = 0; i < data.length; i += 4)
        if ((data[i] ?? 0) > 120) right = Math.max(right, (i / 4) % canvas.width);
      return right;
    });
  // "shown" is five cells of 5.4 pixels at least, also of a terminal that is three times as wide as its picture.
  for (const place of ['busy', 'wide']) {
    await expect.poll(() => inked(place)).toBeGreaterThan(4 * 5.4);
    expect(await inked(place)).toBeLessThan(5 * 6.6 + 1);
  }
  // Under a mouse none is unfolded.
  await page.locator('[data-place="rests"]').hover();
  await client.call('report', { id: 'rests', state: 'working' });
  await page.locator('[data-place="rests"] .chip', { hasText: 'working' }).waitFor();
  expect(await inStrip()).toEqual(['rests', 'ended']);
  await page.mouse.move(1, 1);
  await expect.poll(inStrip).toEqual(['ended']);
  await page.locator('[data-place="rests"] canvas').waitFor();
});
