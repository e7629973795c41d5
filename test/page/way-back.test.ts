/** The browser's Back, and addresses that name a terminal. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, choose, DESK, opened, PHONE, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

async function three({ client }: { readonly client: Client }): Promise<void> {
  for (const name of ['ann', 'bob', 'cid'])
    await client.call('create', {
      cmd_args: ['sh', '-c', `echo "of ${name}"; exec cat`],
      name,
      wait: { until: { text: 'of' } },
    });
}

const headline = (page: Page): ReturnType<Page['locator']> => page.locator('.bar-name h1');
const item = (page: Page, name: string): ReturnType<Page['locator']> =>
  page.locator('.item', { hasText: name }).first();

test('Back closes what is open, and goes to the terminal that was in front before', async () => {
  const { page, complaints } = await opened(DESK, three);
  await rowWith(page, 'of ann').waitFor();
  await choose(page, item(page, 'bob'));
  await rowWith(page, 'of bob').waitFor();
  await page.getByRole('button', { name: 'All terminals at a glance' }).click();
  await page.locator('.tile').first().waitFor();
  await page.goBack();
  await rowWith(page, 'of bob').waitFor();
  await page.getByRole('button', { name: 'The past' }).click();
  await page.getByRole('button', { name: 'The past', pressed: true }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'The past', pressed: false }).waitFor();
  expect(await headline(page).textContent()).toBe('bob');
  await page.keyboard.press('Control+Shift+P');
  await page.locator('dialog[open]').waitFor();
  await page.goBack();
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  // What was closed by hand takes no step of Back.
  await page.keyboard.press('Control+Shift+P');
  await page.locator('dialog[open]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog[open]').waitFor({ state: 'detached' });
  await page.goBack();
  await rowWith(page, 'of ann').waitFor();
  await page.goForward();
  await rowWith(page, 'of bob').waitFor();
  expect(complaints).toEqual([]);
});

test('on a phone Back closes the list of terminals', async () => {
  const { page } = await opened(PHONE, three);
  await rowWith(page, 'of ann').waitFor();
  await page.getByRole('button', { name: 'List of terminals' }).click();
  await page.locator('.tree.is-open').waitFor();
  await page.goBack();
  await page.locator('.tree.is-open').waitFor({ state: 'detached' });
  expect(await headline(page).textContent()).toBe('ann');
});

test('an address names a terminal, on a page that is loaded by it and on one that is there', async () => {
  const { page, origin } = await opened(DESK, three);
  await rowWith(page, 'of ann').waitFor();
  await expect.poll(() => page.url()).toBe(`${origin}/#/ann`);
  await page.goto('about:blank');
  await page.goto(`${origin}/#/cid`);
  await rowWith(page, 'of cid').waitFor();
  await page.evaluate(`location.hash = '#/bob'`);
  await rowWith(page, 'of bob').waitFor();
  await page.reload();
  await rowWith(page, 'of bob').waitFor();
  await page.evaluate(`location.hash = '#/none'`);
  await page.getByText('There is no terminal none.').waitFor();
  expect(await headline(page).textContent()).toBe('bob');
});

const WALL = ['All terminals at a glance', 'Back to the terminal', '.wall'] as const;
const PAST = ['The past', 'The past', '.scrub'] as const;
const FEED = ['What happened', 'Close what happened', '.feed'] as const;
const SEARCH = ['Search', 'Search', '.search'] as const;
const END = ['End the program', 'Keep it', 'dialog'] as const;
const LIST = ['List of terminals', 'Close the list', '.tree.is-open'] as const;
type Control = readonly [opens: string, closes: string, shows: string];

async function open(page: Page, [opens, , shows]: Control): Promise<void> {
  await page.getByRole('button', { name: opens, exact: true }).click();
  await page.locator(shows).waitFor();
}

async function close(page: Page, [, closes, shows]: Control): Promise<void> {
  await page.getByRole('button', { name: closes, exact: true }).click();
  await page.locator(shows).waitFor({ state: 'detached' });
}

async function toBob(page: Page): Promise<void> {
  await rowWith(page, 'of ann').waitFor();
  await page.evaluate(`location.hash = '#/bob'`);
  await rowWith(page, 'of bob').waitFor();
}

test.each([
  ['a laptop', DESK, [WALL, PAST, FEED, SEARCH, END]],
  ['a phone', PHONE, [WALL, PAST, FEED, LIST]],
] as const)(
  'on %s Back closes each thing that is open, and what was closed by hand is no step of it',
  async (_name, size, all) => {
    const { page, complaints } = await opened(size, three);
    await toBob(page);
    for (const one of all) {
      await open(page, one);
      await page.goBack();
      await page.locator(one[2]).waitFor({ state: 'detached' });
      expect(await headline(page).textContent()).toBe('bob');
      await open(page, one);
      await close(page, one);
    }
    // One in front of the other.
    for (const [behind, front] of [
      [PAST, WALL],
      [FEED, PAST],
      [FEED, WALL],
    ] as const) {
      await open(page, behind);
      await open(page, front);
      await close(page, front);
      await close(page, behind);
    }
    await page.goBack();
    await rowWith(page, 'of ann').waitFor();
    expect(await page.locator(all.map(([, , shows]) => shows).join()).count()).toBe(0);
    await page.goForward();
    await rowWith(page, 'of bob').waitFor();
    expect(complaints).toEqual([]);
  },
);

test('Back closes what was opened after a Back that had nothing to close', async () => {
  const { page } = await opened(DESK, three);
  await toBob(page);
  await open(page, WALL);
  await close(page, WALL);
  await page.goBack();
  await rowWith(page, 'of ann').waitFor();
  await open(page, FEED);
  await close(page, FEED);
  await open(page, PAST);
  await page.goBack();
  await page.locator(PAST[2]).waitFor({ state: 'detached' });
  expect(await headline(page).textContent()).toBe('ann');
});

test('an address that is entered is one step of Back, also if it names none', async () => {
  const { page } = await opened(DESK, three);
  await toBob(page);
  await page.evaluate(`location.hash = '#/none'`);
  await page.getByText('There is no terminal none.').waitFor();
  await page.evaluate(`location.hash = '#/cid'`);
  await rowWith(page, 'of cid').waitFor();
  await page.goBack();
  await rowWith(page, 'of bob').waitFor();
  await page.goBack();
  await rowWith(page, 'of ann').waitFor();
});

test('Back leaves the page from its first entry alone', async () => {
  const { page, origin } = await opened(DESK, three);
  await page.goto('about:blank');
  await page.goto(`${origin}/#/ann`);
  await rowWith(page, 'of ann').waitFor();
  const depth = (): Promise<unknown> => page.evaluate('history.state?.depth');
  await expect.poll(depth).toBe(0);
  // The entry of the wall shows what the first one shows.
  await open(page, WALL);
  await close(page, WALL);
  expect(await depth()).toBe(1);
  await page.goBack();
  await expect.poll(depth).toBe(0);
  expect(page.url()).toBe(`${origin}/#/ann`);
  await open(page, PAST);
  await page.goBack();
  await page.locator(PAST[2]).waitFor({ state: 'detached' });
  expect(await depth()).toBe(0);
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});

test.each([
  ['at once', undefined],
  ['within a turn of the browser', 0],
  ['within a frame', 12],
  ['while the page passes over an entry', 40],
] as const)('two and three Backs %s go as far as slow ones', async (_name, gapMs) => {
  const { page } = await opened(DESK, async (server) => {
    await three(server);
    await server.client.call('create', { cmd_args: ['sh', '-c', 'echo of dan; exec cat'], name: 'dan' });
  });
  const back = gapMs === undefined ? 'history.back();' : `setTimeout(() => history.back(), gap += ${gapMs});`;
  for (const [backs, right] of [
    [2, 'bob'],
    [3, 'ann'],
  ] as const) {
    // What was closed by hand leaves entries that the page passes over by steps of its own.
    for (const [id, closed] of [
      ['ann', []],
      ['bob', [WALL]],
      ['cid', [PAST, FEED]],
      ['dan', [WALL]],
    ] as const) {
      await page.evaluate(`location.hash = '#/${id}'`);
      await rowWith(page, `of ${id}`).waitFor();
      for (const one of closed) {
        await open(page, one);
        await close(page, one);
      }
    }
    await page.evaluate(`{ let gap = 0; ${back.repeat(backs)} }`);
    await rowWith(page, `of ${right}`).waitFor();
    // Steps that are still under way come before these.
    await open(page, WALL);
    await page.goBack();
    await page.locator(WALL[2]).waitFor({ state: 'detached' });
    expect(await headline(page).textContent()).toBe(right);
  }
});
