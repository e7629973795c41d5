/** What a page says once its `t4a web` has ended. */
import { expect, onTestFinished, test } from 'vitest';
import { needs } from '../support/programs.js';
import { served } from '../web/served.js';
import { browserOfFile, DESK, openedAt, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

const READY = { cmd_args: ['sh', '-c', 'printf ready; exec sleep 600'], name: 'build' };

test('a page whose t4a web has ended says so, and tries no more', async () => {
  const { client, cli, link } = await served();
  await client.call('create', READY);
  const { page } = await openedAt(link, DESK);
  await rowWith(page, 'ready').waitFor();
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  cli.process.kill('SIGTERM');
  await page.getByRole('heading', { name: 'This t4a web has ended' }).waitFor();
  expect(await cli.ended()).toMatchObject({ status: 0 });
  await page.clock.install();
  await page.clock.runFor(60_000);
  expect(sockets).toEqual([]);
  // A tab that is opened later needs a link: the key is forgotten.
  expect(await page.evaluate('Object.keys(localStorage).concat(Object.keys(sessionStorage))')).not.toContain('t4a-key');
});

test('a page that no t4a web answers for minutes stops, and tries again when it is told to', async () => {
  const { client, cli, link } = await served();
  await client.call('create', READY);
  const { page } = await openedAt(link, DESK);
  await rowWith(page, 'ready').waitFor();
  let attempts = 0;
  page.on('websocket', () => attempts++);
  await page.clock.install();
  cli.process.kill('SIGKILL');
  await cli.ended();
  const stopped = page.getByText('No t4a web answers here any more.');
  // Each attempt is refused before the time of the next one has come.
  while (!(await stopped.isVisible())) {
    await page.clock.runFor(1000);
    await page.evaluate('new Promise((resolve) => queueMicrotask(resolve))');
  }
  expect(attempts).toBeGreaterThan(10);
  await rowWith(page, 'ready').waitFor();
  const before = attempts;
  await page.clock.runFor(60_000);
  expect(attempts).toBe(before);
  const again = page.waitForEvent('websocket');
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.clock.runFor(1000);
  await again;
  onTestFinished(() => page.close());
});
