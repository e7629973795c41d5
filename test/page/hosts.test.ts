/** The page with the daemons of several hosts, as hosts.json lists them. */
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { testFleet } from '../support/fleet.js';
import { needs } from '../support/programs.js';
import { servedFor } from '../web/served.js';
import { browserOfFile, DESK, openedAt, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

test('every host of hosts.json is in the list, and one that is down comes back by itself', async () => {
  const { dir, env, output, daemon, standIn } = testFleet();
  standIn('ssh', await daemon('near.sock'));
  await output('hosts', 'add', 'near', 'ssh://near');
  await output('hosts', 'add', 'far', `unix:${dir.join('far.sock')}`);
  await output('create', '--on', 'near', '--name', 'build', '--', 'sh', '-c', 'echo of near; exec cat');
  await output('create', '--name', 'own', '--', 'cat');
  const { link, cli } = await servedFor([], env);
  const { page, complaints } = await openedAt(link, DESK);
  const group = (name: string): ReturnType<typeof page.locator> =>
    page.locator('.group', { has: page.locator('.group-name', { hasText: new RegExp(`^${name}$`) }) });
  await group('local').getByRole('button', { name: /own/ }).waitFor();
  await group('far').getByText('down', { exact: true }).waitFor();
  await group('far').getByText('The host "far" cannot be reached').waitFor();
  await group('near').getByRole('button', { name: /build/ }).click();
  await rowWith(page, 'of near').waitFor();
  await page.keyboard.type('typed');
  await rowWith(page, 'typed').waitFor();
  expect(await page.locator('.group-name').allTextContents()).toEqual(['local', 'near', 'far']);

  await daemon('far.sock');
  await runCli(['create', '--name', 'late', '--', 'cat'], { socketPath: dir.join('far.sock') });
  await group('far').getByRole('button', { name: /late/ }).waitFor();
  await output('shutdown', '--on', 'far');
  await group('far').getByText('down', { exact: true }).waitFor();
  expect(await group('local').getByText('down', { exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  cli.process.kill('SIGTERM');
  expect(await cli.ended()).toMatchObject({ status: 0 });
});

test('a page that is opened while the first daemon is down shows the others', async () => {
  const { env, output, daemon } = testFleet();
  await output('hosts', 'add', 'near', `unix:${await daemon('near.sock')}`);
  await output('create', '--on', 'near', '--name', 'build', '--', 'sh', '-c', 'echo of near; exec cat');
  const { link } = await servedFor([], env);
  await output('shutdown');
  const { page } = await openedAt(link, DESK);
  await rowWith(page, 'of near').waitFor();
  await page.locator('.group', { hasText: 'local' }).getByText('down', { exact: true }).waitFor();
});
