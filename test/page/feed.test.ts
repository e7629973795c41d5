/** What happened in a terminal, beside it. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';
import { axe, isSampled } from './axe.js';
import { browserOfFile, choose, DESK, opened, openedByLink, PHONE, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

/** Prints the text, and then the files that it is typed. */
async function prints(client: Client, text: string, rules = 'generic'): Promise<void> {
  await client.call('create', {
    name: 'build',
    rules,
    cmd_args: ['sh', '-c', `stty -echo; cat ${fileOf(text)}; printf shown; while read -r f; do cat "$f"; done`],
    wait: { until: { text: 'shown' } },
  });
}

async function printsMore(client: Client, text: string): Promise<void> {
  await client.call('send', { id: 'build', input: `${fileOf(text)}\n` });
}

function fileOf(text: string): string {
  const { path } = tempDir();
  writeFileSync(`${path}/text`, text);
  return `${path}/text`;
}

function fault(line: number, words = 'undeclared'): string {
  return `a.c:${line}:9: error: ${words}\r\n`;
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i}\r\n`).join('');
}

async function toFeed(page: Page, row = 'shown'): Promise<ReturnType<Page['locator']>> {
  await rowWith(page, row).waitFor();
  await page.getByRole('button', { name: 'What happened', exact: true }).click();
  return page.getByRole('complementary', { name: 'What happened' });
}

test('entries stand beside the terminal, the newest at the end, and new ones follow', async () => {
  const { page, client, complaints } = await opened(DESK, ({ client }) => prints(client, fault(1) + fault(2)));
  const feed = await toFeed(page);
  const entries = feed.locator('.entry');
  await expect.poll(() => entries.count()).toBe(2);
  expect(await entries.first().textContent()).toContain('diagnostic');
  expect(await entries.last().textContent()).toContain('a.c:2:9: error: undeclared');
  await printsMore(client, Array.from({ length: 40 }, (_, i) => fault(10 + i)).join(''));
  await expect.poll(() => entries.last().textContent()).toContain('a.c:49:9');
  await expect.poll(() => entries.last().isVisible()).toBe(true);
  const [last, list] = await Promise.all([entries.last().boundingBox(), feed.locator('.entries').boundingBox()]);
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual((list?.y ?? 0) + (list?.height ?? 0));
  expect(complaints).toEqual([]);
});

test('the text keeps its size while what happened stands beside it', async () => {
  const { page } = await opened(DESK, ({ client }) => prints(client, fault(1)));
  const row = rowWith(page, 'a.c:1:9');
  await row.waitFor();
  const height = (): Promise<number | undefined> => row.boundingBox().then((box) => box?.height);
  const before = await height();
  expect(before).toBeGreaterThan(10);
  const feed = await toFeed(page);
  await feed.locator('.entry').waitFor();
  // The terminal is narrower than it was.
  const [stage, beside] = [await page.locator('.stage').boundingBox(), await feed.boundingBox()];
  expect((stage?.x ?? 0) + (stage?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
  expect(await height()).toBe(before);
});

test('a kind shows its entries alone, until it is pressed again', async () => {
  const { page } = await opened(DESK, ({ client }) =>
    prints(client, `${fault(1)}Local: http://localhost:5173/\r\n${fault(2)}`),
  );
  const feed = await toFeed(page);
  await feed.getByRole('button', { name: 'url 1', exact: true }).click();
  await expect.poll(() => feed.locator('.entry').count()).toBe(1);
  await feed.getByRole('button', { name: 'url 1', exact: true }).click();
  await expect.poll(() => feed.locator('.entry').count()).toBe(3);
});

test('an entry leads to its lines in the scrollback, and marks them', async () => {
  const { page } = await opened(DESK, ({ client }) => prints(client, lines(100) + fault(7) + lines(300)));
  const feed = await toFeed(page);
  await feed.locator('.entry').click();
  const row = rowWith(page, 'a.c:7:9: error');
  await row.waitFor();
  const place = (): Promise<[number | undefined, number | undefined]> =>
    Promise.all([
      row.boundingBox().then((box) => box?.y),
      page
        .locator('.entry-rows')
        .boundingBox()
        .then((box) => box?.y),
    ]);
  await expect
    .poll(async () => {
      const [one, other] = await place();
      return Math.abs((one ?? 0) - (other ?? 1000));
    })
    .toBeLessThan(2);
});

test('an entry whose lines are gone shows the screen of its moment', async () => {
  const { page, client } = await opened(DESK, ({ client }) => prints(client, fault(7)));
  const feed = await toFeed(page);
  await feed.locator('.entry').waitFor();
  await printsMore(client, '\u001b[H\u001b[2J\u001b[3Jother\r\n\u001b[?1049hfull screen');
  await rowWith(page, 'full screen').waitFor();
  await feed.locator('.entry').click();
  const then = feed.locator('.then');
  await then.waitFor();
  expect(await then.textContent()).toContain('a.c:7:9: error: undeclared');
  expect(await then.locator('.is-meant').textContent()).toContain('a.c:7:9');
});

test('a terminal without rules says in one line how to get entries, and shows the first of them', async () => {
  const { page, client } = await opened(DESK, ({ client }) => prints(client, fault(1), 'none'));
  const feed = await toFeed(page);
  await feed.getByText('t4a rules set --terminal build --profile generic').waitFor();
  await client.call('rules', { action: 'set', terminal: 'build', profile: 'generic' });
  await expect.poll(() => feed.locator('.entry').count()).toBe(1);
});

test('by the keyboard alone: it opens, walks, leads to the lines and back to the terminal', async () => {
  const { page } = await opened(DESK, ({ client }) => prints(client, fault(1) + fault(2)));
  await rowWith(page, 'shown').waitFor();
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').fill('what happened');
  await page.keyboard.press('Enter');
  await page.locator('.feed').waitFor();
  await page.locator('.entry').last().waitFor();
  await page.locator('.entries').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.entry').first().getAttribute('aria-pressed')).toBe('true');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('hands');
});

test('words of a program are text, without the characters that turn it around, and cut', async () => {
  const words = `<img src=x onerror=alert(1)> \u202Etxt ${'z'.repeat(900)}`;
  const { page, complaints } = await opened(DESK, ({ client }) => prints(client, fault(1, words)));
  const feed = await toFeed(page);
  const text = (await feed.locator('.entry-words').textContent()) ?? '';
  expect(text).toContain('<img src=x onerror=alert(1)> txt z');
  expect(text.length).toBeLessThan(320);
  expect(await feed.locator('img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('of 10,000 entries the last 500 stay, and the page goes on', async () => {
  const { page, client } = await opened(DESK, ({ client }) => prints(client, fault(1)));
  const feed = await toFeed(page);
  const all = Array.from({ length: 10_000 }, (_, i) => fault(i)).join('');
  await printsMore(client, `${all}done`);
  await rowWith(page, 'done').waitFor();
  await expect.poll(() => feed.locator('.entry').count()).toBe(500);
});

test('an ended program keeps them, and one that begins anew has those that the daemon has', async () => {
  const { page, client } = await opened(DESK, ({ client }) => prints(client, fault(1)));
  const feed = await toFeed(page);
  await printsMore(client, fault(2));
  await expect.poll(() => feed.locator('.entry').count()).toBe(2);
  await client.call('send', { id: 'build', input: '\u0004' });
  await page.getByText('The program has ended.').waitFor();
  expect(await feed.locator('.entry').count()).toBe(2);
  await client.call('restart', { id: 'build' });
  await client.call('wait', { id: 'build', until: { text: 'shown' } });
  await printsMore(client, fault(3));
  await expect.poll(() => feed.locator('.entry').last().textContent()).toContain('a.c:3:9');
  const { entries } = await client.call('entries', { id: 'build' });
  expect(await feed.locator('.entry').count()).toBe(entries.length);
});

test.each(
  casesOf(
    [
      ['laptop', 'dark', DESK],
      ['laptop', 'light', DESK],
      ['phone', 'dark', PHONE],
      ['phone', 'light', PHONE],
    ] as const,
    isSampled,
  ),
)('on a %s axe finds nothing serious in the %s theme while it is open', async (_name, colorScheme, size) => {
  const { page } = await opened({ ...size, colorScheme }, ({ client }) =>
    prints(client, `${fault(1)}Local: http://localhost:5173/\r\nOverwrite? [y/N] `),
  );
  const feed = await toFeed(page);
  await expect.poll(() => feed.locator('.entry').count()).toBeGreaterThan(1);
  await feed.locator('.entry').first().click();
  expect(await axe(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test('its part of the program is loaded when it is meant', async () => {
  // A browser that has seen other terminals asks at once for what is new.
  const { page } = await openedByLink(DESK, ({ client }) => prints(client, fault(1)));
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await rowWith(page, 'shown').waitFor();
  expect(loaded.filter((path) => path.startsWith('/beside'))).toEqual([]);
  const feed = await toFeed(page);
  await feed.locator('.entry').waitFor();
  expect(loaded.filter((path) => path.startsWith('/beside'))).toHaveLength(1);
});

/** Tells the page that its tab is in the background, or in front again. */
function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

async function untilEntries(client: Client, count: number): Promise<void> {
  await expect.poll(async () => (await client.call('entries', { id: 'build' })).entries.length).toBe(count);
}

test('who comes back finds one line of what happened in each terminal, and it opens the past at that moment', async () => {
  const { page, client, complaints } = await openedByLink(DESK, async ({ client }) => {
    await prints(client, fault(1));
    await client.call('create', { name: 'other', cmd_args: ['sh', '-c', 'echo of other; exec cat'] });
  });
  const away = page.locator('.away');
  let asked = 0;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => void (asked += /"skipped_lines":/.test(String(payload)) ? 1 : 0)),
  );
  /** Replies for both terminals have come, and are drawn where they may be. */
  const untilAsked = async (before: number): Promise<void> => {
    await expect.poll(() => asked).toBe(before + 2);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
  };
  await rowWith(page, 'shown').waitFor();
  await page.reload();
  const item = (name: string): ReturnType<Page['locator']> => page.locator('.item', { hasText: name });
  await untilAsked(0);
  expect(await away.count()).toBe(0);
  await choose(page, item('other'));
  await rowWith(page, 'of other').waitFor();
  await setHidden(page, true);
  await printsMore(client, fault(2));
  await untilEntries(client, 2);
  await printsMore(client, `${fault(3)}Local: http://localhost:5173/\r\n`);
  await untilEntries(client, 4);

  // Under the mouse nothing moves. The part of the program that reads entries is there already.
  await toFeed(page, 'of other');
  await page.getByText('No rules read this terminal.').waitFor();
  await page.getByRole('button', { name: 'Close what happened' }).click();
  await item('build').hover();
  const before = asked;
  await setHidden(page, false);
  await untilAsked(before);
  expect(await away.count()).toBe(0);
  await page.mouse.move(900, 400);
  await expect.poll(() => away.allInnerTexts()).toEqual([expect.stringMatching(/a\.c:3:9: error.*\d\d:\d\d · \+2$/s)]);

  // What was not looked at is there again.
  await page.reload();
  await rowWith(page, 'of other').waitFor();
  await expect.poll(() => away.count()).toBe(1);
  await printsMore(client, '\x1b[2J\x1b[Hcleared');
  await choose(page, away);
  await page.getByRole('region', { name: 'The past of build' }).waitFor();
  await page.getByText('This is the past. Nothing is typed.').waitFor();
  await rowWith(page, 'a.c:3:9: error').waitFor();
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await rowWith(page, 'cleared').waitFor();
  await page.mouse.move(900, 400);
  await choose(page, item('other'));
  await rowWith(page, 'of other').waitFor();
  await page.mouse.move(900, 400);
  await away.waitFor({ state: 'detached' });
  const last = asked;
  await page.reload();
  await untilAsked(last);
  expect(await away.count()).toBe(0);
  expect(complaints).toEqual([]);
});
