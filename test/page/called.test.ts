/** How a browser keeps its way in, and how the person is called while the page is not looked at. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, openedByLink, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

/** Notifications as the page makes them, kept in its window; the person looks elsewhere once they say so. */
const NOTED = `
  window.noted = [];
  window.asked = 0;
  window.Notification = class {
    static permission = window.permissionFirst ?? 'granted';
    static async requestPermission() { window.asked++; return (window.Notification.permission = 'granted'); }
    constructor(title, options) { this.note = { title, ...options, closed: false }; window.noted.push(this.note); }
    close() { this.note.closed = true; }
  };
  window.away = true;
  document.hasFocus = () => !window.away;
`;

async function agentOf({ socketPath }: Client): Promise<Client> {
  const agent = await connect({ socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  return agent;
}

interface Noted {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly closed: boolean;
}

function noted(page: Page): Promise<Noted[]> {
  return page.evaluate('window.noted');
}

async function reloaded(context: BrowserContext, page: Page, before = ''): Promise<void> {
  // A page that is loaded again before its link has become a key has none.
  await page.locator('.item').first().waitFor();
  await context.addInitScript(before + NOTED);
  await page.reload();
  await page.locator('.item').first().waitFor();
}

const BUILD = {
  cmd_args: ['sh', '-c', 'stty -echo; printf ready; exec sleep 600'],
  name: 'build',
  wait: { until: { text: 'ready' } },
};

test('a new tab gets in by the address of the page, until its key is over', async () => {
  const { context, page, origin } = await openedByLink(DESK, ({ client }) => client.call('create', BUILD));
  await rowWith(page, 'ready').waitFor();
  const other = await context.newPage();
  await other.goto(origin);
  await rowWith(other, 'ready').waitFor();
  // The key of a link that is over: the tab says so, and the browser forgets it.
  await other.evaluate(
    `localStorage.setItem('t4a-key', JSON.stringify({ ...JSON.parse(localStorage.getItem('t4a-key')), key: '00' }))`,
  );
  const third = await context.newPage();
  await third.goto(origin);
  await third.getByRole('heading', { name: 'The key of this page is over' }).waitFor();
  await third.reload();
  await third.getByRole('heading', { name: 'This page needs a link' }).waitFor();
  // The first one has its own.
  await page.reload();
  await rowWith(page, 'ready').waitFor();
});

test('a question calls the person who looks elsewhere, by the name of the terminal and no word of it', async () => {
  const { context, page, client } = await openedByLink(DESK, ({ client }) => client.call('create', BUILD));
  await reloaded(context, page);
  const agent = await agentOf(client);
  const { ask } = await agent.call('ask', { id: 'build', question: 'Drop canary-77?', kind: 'confirm', timeout_ms: 0 });
  await expect.poll(() => page.evaluate('window.noted.length > 0')).toBe(true);
  const [note] = await noted(page);
  expect(note).toMatchObject({
    title: 'build asks you',
    tag: expect.stringContaining('build') as string,
    closed: false,
  });
  expect(JSON.stringify(note)).not.toContain('canary');
  await client.call('answer', { ask, text: 'yes' });
  await expect.poll(() => page.evaluate('window.noted[0].closed')).toBe(true);
});

test('a hostile title puts no word into a notification, and the tabs of a browser share one for each terminal', async () => {
  const hostile = `printf '\\033]2;canary-title <b>\\007ready'; exec sleep 600`;
  const { context, page, client } = await openedByLink(DESK, ({ client }) =>
    client.call('create', { ...BUILD, cmd_args: ['sh', '-c', hostile] }),
  );
  await reloaded(context, page);
  const other = await context.newPage();
  await other.goto(page.url());
  const tabs = [page, other];
  for (const tab of tabs) await tab.getByText('canary-title').first().waitFor();
  const agent = await agentOf(client);
  await agent.call('ask', { id: 'build', question: 'Go on?', kind: 'confirm', timeout_ms: 0 });
  for (const tab of tabs) await expect.poll(() => tab.evaluate('window.noted.length > 0')).toBe(true);
  const notes = (await Promise.all(tabs.map((tab) => noted(tab)))).flat();
  // The browser shows one of those that have the same tag.
  expect(notes.map(({ title }) => title)).toEqual(['build asks you', 'build asks you']);
  expect(new Set(notes.map(({ tag }) => tag)).size).toBe(1);
  expect(JSON.stringify(notes)).not.toContain('canary');
});

test('nothing calls a person who looks at the page', async () => {
  const { context, page, client } = await openedByLink(DESK, ({ client }) => client.call('create', BUILD));
  await reloaded(context, page);
  await page.evaluate('window.away = false');
  const agent = await agentOf(client);
  await agent.call('ask', { id: 'build', question: 'First?', kind: 'confirm', timeout_ms: 0 });
  await page.getByRole('article', { name: 'Question of claude-1' }).waitFor();
  await page.evaluate('window.away = true');
  await agent.call('ask', { question: 'Second?', kind: 'confirm', timeout_ms: 0 });
  await expect.poll(() => page.evaluate('window.noted.length > 0')).toBe(true);
  expect((await noted(page)).map(({ title }) => title)).toEqual(['An agent asks you']);
});

test('the page asks once, in words, whether it may call', async () => {
  const { context, page, client } = await openedByLink(DESK, ({ client }) => client.call('create', BUILD));
  await reloaded(context, page, `window.permissionFirst = 'default';`);
  const offer = page.getByText('An agent may wait while you look elsewhere.');
  await expect.poll(() => page.evaluate('document.querySelector(".item") !== null')).toBe(true);
  expect(await offer.count()).toBe(0);
  const agent = await agentOf(client);
  await agent.call('ask', { question: 'Deploy?', kind: 'confirm', timeout_ms: 0 });
  await offer.waitFor();
  expect(await page.evaluate('window.asked')).toBe(0);
  await page.getByRole('button', { name: 'Not now' }).click();
  await offer.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('article', { name: 'Question of claude-1' }).waitFor();
  expect(await offer.count()).toBe(0);
  await page.keyboard.press('Control+Shift+P');
  await page.getByRole('combobox').fill('call me');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('window.asked === 1')).toBe(true);
});

test('a browser may install the page', async () => {
  const { page, origin, complaints } = await openedByLink(DESK, ({ client }) => client.call('create', BUILD));
  const session = await page.context().newCDPSession(page);
  const { url, errors } = await session.send('Page.getAppManifest');
  expect([url, errors]).toEqual([`${origin}/manifest.webmanifest`, []]);
  expect(complaints).toEqual([]);
});
