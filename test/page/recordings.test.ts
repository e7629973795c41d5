/** Recordings, listed, opened, played and kept from the page. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, openedByLink, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

const HEADER = { version: 2, width: 40, height: 8, timestamp: 1_700_000_000 };

/** Three screens, a second each. */
const CAST = `${JSON.stringify(HEADER)}
[0.1,"o","\\u001b[2J\\u001b[Hfirst"]
[1.0,"o","\\u001b[2J\\u001b[Hsecond"]
[2.0,"o","\\u001b[2J\\u001b[Hthird"]
`;

const text = (page: Page) => page.locator('.grid[role="document"]').innerText();
const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' });

async function recorded(client: Client): Promise<void> {
  await client.call('create', {
    name: 'build',
    cmd_args: ['sh', '-c', 'printf made; exec sleep 600'],
    wait: { until: { text: 'made' } },
  });
}

/** As if it were dropped from the folders of the person. */
async function drop(page: Page, name: string, content: string, bytes?: number): Promise<void> {
  const transfer = await page.evaluateHandle(
    ({ name, content, bytes }) => {
      const { DataTransfer, File } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: object): void } };
        File: new (parts: unknown[], name: string) => object;
      };
      const made = new DataTransfer();
      made.items.add(new File([bytes === undefined ? content : new Uint8Array(bytes)], name));
      return made;
    },
    { name, content, bytes },
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
}

test('a cast that is dropped on the page plays, pauses, and is sought', async () => {
  const { page, client, complaints } = await opened(DESK, ({ client }) => recorded(client));
  await rowWith(page, 'made').waitFor();
  await drop(page, 'demo.cast', CAST);
  await page.getByRole('heading', { name: 'demo.cast' }).waitFor();
  await expect.poll(() => text(page)).toContain('third');
  await slider(page).focus();
  await page.keyboard.press('Home');
  await expect.poll(() => text(page)).not.toContain('third');
  const box = await slider(page).boundingBox();
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) * 0.6, (box?.y ?? 0) + 20);
  await expect.poll(() => text(page)).toContain('second');
  const { terminals } = await client.call('list', { recordings: true });
  expect(terminals.filter(({ alive }) => !alive)).toHaveLength(1);
  await page.getByRole('button', { name: 'Close the recording' }).click();
  await rowWith(page, 'made').waitFor();
  await expect.poll(async () => (await client.call('list', { recordings: true })).terminals.length).toBe(1);
  expect(complaints).toEqual([]);
});

test('a recording of the daemon is listed, played, and downloaded as cast, GIF and picture', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-page-'));
  const file = path.join(dir, 'kept.cast');
  writeFileSync(file, CAST);
  const { page } = await opened(DESK, async ({ client }) => {
    await recorded(client);
    await client.call('open', { path: file, name: 'kept' });
    onTestFinished(() => client.call('kill', { id: 'kept' }).then(() => {}));
  });
  await rowWith(page, 'made').waitFor();
  await page.getByRole('button', { name: 'Recordings' }).click();
  await page.locator('.board-item', { hasText: 'kept.cast' }).click();
  await expect.poll(() => text(page)).toContain('third');
  for (const [name, begin] of [
    ['Picture', '\x89PNG'],
    ['Cast', '{"version":3'],
    ['GIF', 'GIF89a'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name, exact: true }).click(),
    ]);
    expect(
      readFileSync(await download.path())
        .toString('latin1')
        .slice(0, begin.length),
    ).toBe(begin);
  }
});

test.each([
  ['what is no cast', 'notes.txt', 'hello', undefined, 'is no asciicast'],
  ['a picture in place of a cast', 'a.cast', '\x89PNG\r\n\x1a\n', undefined, 'is no asciicast'],
  ['an empty file', 'a.cast', '', undefined, 'is empty'],
  ['a file of 100 MB', 'a.cast', '', 100_000_000, 'a page plays files up to 16'],
  ['a screen of 100,000 columns', 'a.cast', CAST.replace('40', '100000'), undefined, '100000'],
  ['a broken header', 'a.cast', '{"version":2,"wid', undefined, 'a.cast'],
])('%s that is dropped is refused in a sentence', async (_, name, content, bytes, words) => {
  const { page, client } = await opened(DESK, ({ client }) => recorded(client));
  await rowWith(page, 'made').waitFor();
  await drop(page, name, content, bytes);
  await page.locator('.notice', { hasText: words }).waitFor();
  expect(await page.locator('.notice').first().innerText()).not.toContain('/tmp');
  expect((await client.call('list', { recordings: true })).terminals).toHaveLength(1);
});

test('a torn cast plays as far as it is whole, and says so', async () => {
  const { page } = await opened(DESK, ({ client }) => recorded(client));
  await rowWith(page, 'made').waitFor();
  await drop(page, 'torn.cast', CAST.slice(0, -12));
  await page.getByText('The file was cut off.').waitFor();
  await expect.poll(() => text(page)).toContain('second');
});

test('a page that only looks plays recordings of the daemon, and sends no file', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 't4a-page-'));
  const file = path.join(dir, 'kept.cast');
  writeFileSync(file, CAST);
  const prepare = async ({ client }: { client: Client }): Promise<void> => {
    await recorded(client);
    await client.call('open', { path: file, name: 'kept' });
  };
  const { page } = await openedByLink(DESK, prepare, ['--read-only']);
  await rowWith(page, 'made').waitFor();
  await drop(page, 'demo.cast', CAST);
  await page.getByText('sends no files').waitFor();
  await page.getByRole('button', { name: 'Recordings' }).click();
  await page.locator('.board-item', { hasText: 'kept.cast' }).click();
  await expect.poll(() => text(page)).toContain('third');
});
