/** A page that stays open all day: a person goes to and fro, looks elsewhere, and loses the network. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, choose, DESK, opened, openedByLink, PHONE, rowWith } from './browser.js';
import { slowProxy } from './slow-proxy.js';

needs('chromium');
browserOfFile();

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Programs that print nothing more. */
async function idle({ client }: { readonly client: Client }): Promise<void> {
  for (const name of NAMES) await idleOf(client, name);
}

function idleOf(client: Client, name: string): Promise<unknown> {
  const script = `stty -echo; printf 'ready ${name}'; exec cat`;
  return client.call('create', { name, cmd_args: ['sh', '-c', script], wait: { until: { text: 'ready' } } });
}

/** Sockets that the page opens from now on. */
function socketsOf(page: Page): string[] {
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  return sockets;
}

function item(page: Page, name: string): ReturnType<Page['locator']> {
  return page.locator('.item', { hasText: name }).first();
}

/** What is typed comes back: the connection is there, and the frames of the terminal follow. */
async function echoes(page: Page, client: Client, id: string): Promise<void> {
  await client.call('paste', { id, text: `typed into ${id}\n` });
  await rowWith(page, `typed into ${id}`).waitFor();
}

test('one connection lasts while idle terminals are chosen one after another, as fast as one clicks', async () => {
  const { page, client, complaints } = await opened(DESK, idle);
  await rowWith(page, 'ready one').waitFor();
  const sockets = socketsOf(page);
  for (const name of NAMES) {
    await choose(page, item(page, name));
    await rowWith(page, `ready ${name}`).waitFor();
  }
  for (const name of [...NAMES, ...NAMES.toReversed()]) await item(page, name).click({ noWaitAfter: true });
  await rowWith(page, 'ready one').waitFor();
  await echoes(page, client, 'one');
  expect([sockets, complaints]).toEqual([[], []]);
  // What was left is asked for no more.
  await expect.poll(async () => (await client.call('status', { id: 'six' })).watchers).toBe(0);
});

test('one connection lasts over a slow way, between terminals, the wall and the past', async () => {
  const { server } = await slowProxy(150);
  // Otherwise Chromium connects to this machine past its proxy.
  const proxy = { server, bypass: '<-loopback>' };
  const { page, client } = await opened({ ...DESK, proxy }, idle);
  await rowWith(page, 'ready one').waitFor();
  const sockets = socketsOf(page);
  const wall = page.getByRole('button', { name: 'All terminals at a glance' });
  for (const name of NAMES) {
    await wall.click();
    await page.locator('.tile').first().waitFor();
    await choose(page, item(page, name));
    await rowWith(page, `ready ${name}`).waitFor();
    await page.keyboard.press('Control+Shift+H');
    await page.getByRole('region', { name: `The past of ${name}` }).waitFor();
    await page.keyboard.press('Control+Shift+H');
  }
  await rowWith(page, 'ready six').waitFor();
  await echoes(page, client, 'six');
  expect(sockets).toEqual([]);
});

async function agentOf({ socketPath }: Client): Promise<Client> {
  const agent = await connect({ socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  return agent;
}

const LOST = 'The connection was lost, and the answer may not have arrived.';

test('an answer that a phone has sent into a lost network is said to be doubtful, kept in its field, and given once', async () => {
  const proxy = await slowProxy(0);
  const { page, client } = await opened({ ...PHONE, proxy: { server: proxy.server, bypass: '<-loopback>' } }, idle);
  const agent = await agentOf(client);
  const asked = agent.call('ask', { id: 'one', question: 'Which branch?' });
  const field = page.getByRole('textbox', { name: 'Answer' });
  await field.fill('main');
  proxy.hold('requests');
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  proxy.cut();
  await page.getByText(LOST).waitFor();
  expect(await field.inputValue()).toBe('main');
  expect((await client.call('asks')).asks).toHaveLength(1);
  proxy.mend();
  await expect.poll(() => page.locator('.stage.is-stale').count()).toBe(0);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  expect(await asked).toMatchObject({ answer: 'main', by: 'ada' });
  await field.waitFor({ state: 'detached' });
});

test('an answer that has arrived although its reply was lost is gone from the page once the network is back', async () => {
  const proxy = await slowProxy(0);
  const { page, client } = await opened({ ...PHONE, proxy: { server: proxy.server, bypass: '<-loopback>' } }, idle);
  const agent = await agentOf(client);
  const asked = agent.call('ask', { id: 'one', question: 'Deploy?', kind: 'confirm' });
  const yes = page.getByRole('button', { name: 'Yes' });
  await yes.waitFor();
  proxy.hold('replies');
  await yes.tap();
  expect(await asked).toMatchObject({ answer: true, by: 'ada' });
  proxy.cut();
  await page.getByText(LOST).waitFor();
  expect(await yes.count()).toBe(1);
  proxy.mend();
  await yes.waitFor({ state: 'detached' });
});

/**
 * Clicks on an item, or on a tile, in the turn in which what a selector names comes. Returned when the page observes; what
 * comes before that would never be seen. @returns what asks for the headline a picture after the click
 */
async function clickAsItComes(
  page: Page,
  selector: string,
  name: string,
  list = '.item',
): Promise<() => Promise<unknown>> {
  // Not awaited by the page: the promise is its `inFront`.
  await page.evaluate(`void (window.inFront = new Promise((done) => new MutationObserver((_, observer) => {
    if (document.querySelector('${selector}') === null) return;
    observer.disconnect();
    const item = [...document.querySelectorAll('${list}')].find((one) => one.querySelector('.item-name').textContent === '${name}');
    item.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }));
    requestAnimationFrame(() => setTimeout(() => done(document.querySelector('.bar-name h1').textContent)));
  }).observe(document.body, { childList: true, subtree: true })))`);
  return () => page.evaluate('window.inFront');
}

test('an item that a line above it has moved takes no click for half a second', async () => {
  const { page, client } = await openedByLink(DESK, idle);
  await rowWith(page, 'ready one').waitFor();
  const inFront = await clickAsItComes(page, '.tree .empty-group', 'two');
  await client.call('shutdown');
  expect(await inFront()).toBe('one');
  await page.getByText('Something else stood there a moment ago: the click was dropped.').waitFor();
  await choose(page, item(page, 'two'));
  expect(await page.locator('.bar-name h1').textContent()).toBe('two');
});

test.each([
  ['an item of the list', '.item', 'one', () => Promise.resolve()],
  [
    'a tile of the wall',
    '.tile',
    'All terminals',
    async (page: Page) => {
      await page.getByRole('button', { name: 'All terminals at a glance' }).click();
      await page.locator('.tile').nth(1).waitFor();
    },
  ],
])(
  '%s that has just come where nothing stood takes no click for half a second',
  async (_name, list, headline, open) => {
    const { page, client } = await opened(DESK, async ({ client }) => {
      for (const name of ['one', 'two']) await idleOf(client, name);
    });
    await rowWith(page, 'ready one').waitFor();
    await open(page);
    const inFront = await clickAsItComes(page, `li:nth-child(3) ${list}`, 'zed', list);
    await idleOf(client, 'zed');
    expect(await inFront()).toBe(headline);
    await page.getByText('Something else stood there a moment ago: the click was dropped.').waitFor();
    await page.locator('.notice').click();
    await choose(page, page.locator(list, { hasText: 'zed' }));
    await rowWith(page, 'ready zed').waitFor();
  },
);

/** What a browser does to a tab in the background: nothing is drawn, and the page hears so. */
function setHidden(page: Page, isHidden: boolean): Promise<void> {
  return page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
    window.drawn ??= window.requestAnimationFrame;
    window.requestAnimationFrame = ${isHidden} ? () => 0 : window.drawn;
    document.dispatchEvent(new Event('visibilitychange'));
  `);
}

test('a page that was a day in the background has asked for little, keeps no more than before, and is right', async () => {
  const { page, client } = await openedByLink(DESK, idle);
  // Its link is of one use: a page that is loaded again before it has its key is shut out.
  await rowWith(page, 'ready one').waitFor();
  const sent: string[] = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  await page.clock.install();
  await page.reload();
  await rowWith(page, 'ready one').waitFor();
  const session = await page.context().newCDPSession(page);
  const nodes = async (): Promise<number> => {
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Memory.getDOMCounters')).nodes;
  };
  const before = await nodes();
  await setHidden(page, true);
  sent.length = 0;
  const agent = await agentOf(client);
  for (let hour = 1; hour <= 24; hour++) {
    await client.call('paste', { id: 'one', text: `hour ${hour}\n` });
    const { ask } = await agent.call('ask', { question: `Hour ${hour}?`, kind: 'confirm', timeout_ms: 0 });
    await client.call('create', { name: 'hourly', cmd_args: ['true'], wait: { until: { exit: true } } });
    await client.call('answer', { ask, text: 'yes' });
    await client.call('kill', { id: 'hourly', force: true });
    await page.clock.runFor(5000);
    await page.clock.fastForward('59:55');
  }
  // Each hour has a few events, and each asks for a list or a frame at most.
  expect(sent.length).toBeLessThan(24 * 20);
  const last = await agent.call('ask', { question: 'Still there?', kind: 'confirm', timeout_ms: 0 });
  await setHidden(page, false);
  await page.clock.runFor(2000);
  await rowWith(page, 'hour 24').waitFor();
  await expect.poll(() => page.locator('.item').count()).toBe(NAMES.length);
  await expect.poll(() => page.locator('.ask').count()).toBe(1);
  await client.call('answer', { ask: last.ask, text: 'yes' });
  expect(await page.locator('.notice').count()).toBe(0);
  await page.clock.runFor(2000);
  await expect.poll(() => page.locator('.ask').count()).toBe(0);
  expect(await nodes()).toBeLessThan(2 * before);
});
