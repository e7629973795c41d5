/** A page that stays open all day: its connection lasts while a person goes to and fro. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, rowWith } from './browser.js';
import { slowProxy } from './slow-proxy.js';

needs('chromium');
browserOfFile();

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six'];

/** Programs that print nothing more. */
async function idle({ client }: { readonly client: Client }): Promise<void> {
  for (const name of NAMES) {
    const script = `stty -echo; printf 'ready ${name}'; exec cat`;
    await client.call('create', { name, cmd_args: ['sh', '-c', script], wait: { until: { text: 'ready' } } });
  }
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
    await item(page, name).click();
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
    await item(page, name).click();
    await rowWith(page, `ready ${name}`).waitFor();
    await page.keyboard.press('Control+Shift+H');
    await page.getByRole('region', { name: `The past of ${name}` }).waitFor();
    await page.keyboard.press('Control+Shift+H');
  }
  await rowWith(page, 'ready six').waitFor();
  await echoes(page, client, 'six');
  expect(sockets).toEqual([]);
});
