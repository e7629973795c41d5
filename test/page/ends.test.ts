/** What a page says once its `t4a web` has ended. */
import { expect, onTestFinished, test } from 'vitest';
import { runCliHere } from '../support/cli-in-process.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { needs } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { freeAddress, served, servedFor } from '../web/served.js';
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

test('a page that no t4a web answers for minutes stops, and tries again at a click', async () => {
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
    await page.clock.runFor(5000);
    await page.evaluate('new Promise((resolve) => queueMicrotask(resolve))');
  }
  expect(attempts).toBeGreaterThanOrEqual(10);
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

test('a remembered browser goes on once its t4a web runs again', async () => {
  const env = { XDG_RUNTIME_DIR: tempDir().path, XDG_STATE_HOME: tempDir().path };
  const client = await clientOfOwnDaemon();
  await client.call('create', READY);
  const first = await servedFor(['--socket', client.socketPath, '--remember', '--listen', await freeAddress()], env);
  const { page } = await openedAt(first.link, DESK);
  await rowWith(page, 'ready').waitFor();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('remember');
  await page.getByRole('option', { name: /^Remember this browser/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(/^This browser is remembered for 30 days.*--forget "Chrome on Linux"$/).waitFor();
  await client.call('paste', { id: 'build', text: 'still here' });
  await rowWith(page, 'still here').waitFor();
  first.cli.process.kill('SIGTERM');
  await page.getByRole('heading', { name: 'This t4a web has ended' }).waitFor();
  await first.cli.ended();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('It does not run here yet.').waitFor();
  const { host } = new URL(first.origin);
  await servedFor(['--socket', client.socketPath, '--remember', '--listen', host], env);
  await page.getByRole('button', { name: 'Try again' }).click();
  await client.call('paste', { id: 'build', text: ', and again' });
  await rowWith(page, ', and again').waitFor();
  await page.reload();
  await rowWith(page, ', and again').waitFor();
});

test('a page of a link to one terminal shows that one, and lets nothing be typed', async () => {
  const env = { XDG_RUNTIME_DIR: tempDir().path };
  const client = await clientOfOwnDaemon();
  await client.call('create', READY);
  await client.call('create', { ...READY, name: 'other' });
  await servedFor(['--socket', client.socketPath], env);
  const { stdout } = await runCliHere(['web', '--link', '--read-only', 'build'], { env });
  const { page, complaints } = await openedAt(stdout.trim(), DESK);
  await rowWith(page, 'ready').waitFor();
  expect(await page.locator('.item').allInnerTexts()).toEqual([expect.stringContaining('build')]);
  // What is refused to its key is not offered.
  expect(await page.getByRole('button', { name: /Recordings|Health/ }).count()).toBe(0);
  await client.call('paste', { id: 'build', text: 'live' });
  await rowWith(page, 'live').waitFor();
  await client.call('kill', { id: 'build', force: true });
  await page.getByRole('heading', { name: 'The key of this page is over' }).waitFor();
  expect(complaints).toEqual([]);
});
