/** The page with the daemons of several hosts, as hosts.json lists them. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.js';
import { Assets } from '../../src/web/assets.js';
import type { KeyGrant } from '../../src/page/greeting.js';
import { Keys } from '../../src/web/keys.js';
import { WebServer } from '../../src/web/server.js';
import { runCli } from '../support/cli.js';
import { testFleet } from '../support/fleet.js';
import { addHostileHost } from '../support/hostile-host.js';
import { needs } from '../support/programs.js';
import { enter, servedFor, TestSocket } from '../web/served.js';
import { browserOfFile, choose, DESK, openedAt, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

test('every host of hosts.json is in the list, and one that is down comes back by itself', async () => {
  const { dir, env, t4a, output, daemon, standIn } = testFleet();
  standIn('ssh', await daemon('near.sock'));
  await output('hosts', 'add', 'near', 'ssh://near');
  await output('hosts', 'add', 'far', `unix:${dir.join('far.sock')}`);
  await output('create', '--on', 'near', '--name', 'build', '--', 'sh', '-c', 'echo of near; exec cat');
  await output('create', '--name', 'own', '--', 'cat');
  const { link, cli } = await servedFor([], { ...env, XDG_RUNTIME_DIR: dir.path });
  const { page, complaints } = await openedAt(link, DESK);
  const group = (name: string): ReturnType<typeof page.locator> =>
    page.locator('.group', { has: page.locator('.group-name', { hasText: new RegExp(`^${name}$`) }) });
  await group('local').getByRole('button', { name: /own/ }).waitFor();
  await group('far').getByText('down', { exact: true }).waitFor();
  await group('far').getByText('The host "far" cannot be reached').waitFor();
  await choose(page, group('near').getByRole('button', { name: /build/ }));
  await rowWith(page, 'of near').waitFor();
  await page.keyboard.type('typed');
  await rowWith(page, 'typed').waitFor();
  await expect.poll(() => page.locator('.group-name').allTextContents()).toEqual(['local', 'near', 'far']);

  await daemon('far.sock');
  await runCli(['create', '--name', 'late', '--', 'cat'], { socketPath: dir.join('far.sock') });
  await group('far').getByRole('button', { name: /late/ }).waitFor();
  await output('shutdown', '--on', 'far');
  await group('far').getByText('down', { exact: true }).waitFor();
  expect(await group('local').getByText('down', { exact: true }).count()).toBe(0);

  // No reload.
  await output('hosts', 'add', 'new', `unix:${await daemon('new.sock')}`);
  await output('hosts', 'rm', 'far');
  await group('new').getByText('No terminal yet.').waitFor();
  await expect.poll(() => page.locator('.group-name').allTextContents()).toEqual(['local', 'near', 'new']);
  expect(complaints).toEqual([]);

  await t4a(['web', '--revoke'], { env: { XDG_RUNTIME_DIR: dir.path } });
  await page.getByRole('heading', { name: 'The key of this page was revoked' }).waitFor();
  cli.process.kill('SIGTERM');
  expect(await cli.ended()).toMatchObject({ status: 0 });
});

test('a name of a daemon finds all that it has, and the list and the wall may show one daemon alone', async () => {
  const { dir, env, output, daemon } = testFleet();
  await output('hosts', 'add', 'near', `unix:${await daemon('near.sock')}`);
  await output('create', '--on', 'near', '--name', 'build', '--', 'sleep', '600');
  await output('create', '--name', 'own', '--', 'sleep', '600');
  const { link } = await servedFor([], { ...env, XDG_RUNTIME_DIR: dir.path });
  const { page } = await openedAt(link, DESK);
  const names = (selector: string): Promise<string[]> => page.locator(`${selector} .item-name`).allTextContents();
  await expect.poll(() => names('.item')).toEqual(['own', 'build']);
  await page.getByRole('searchbox', { name: 'Find a terminal' }).fill('NEAR');
  await expect.poll(() => names('.item')).toEqual(['build']);
  await page.getByRole('searchbox', { name: 'Find a terminal' }).fill('');
  await page.getByRole('button', { name: 'All terminals at a glance' }).click();
  await expect.poll(() => names('.tile')).toEqual(['local / own', 'near / build']);
  await page.getByRole('combobox', { name: 'Daemons shown' }).selectOption('near');
  await expect.poll(() => names('.tile')).toEqual(['near / build']);
  expect(await names('.item')).toEqual(['build']);
});

test('a page that is loaded again shows the host and the terminal that were chosen, or says that it is gone', async () => {
  const { dir, env, output, daemon } = testFleet();
  await output('hosts', 'add', 'near', `unix:${await daemon('near.sock')}`);
  for (const name of ['first', 'build'])
    await output('create', '--on', 'near', '--name', name, '--', 'sh', '-c', `echo of ${name}; exec cat`);
  await output('create', '--name', 'own', '--', 'sh', '-c', 'echo of own; exec cat');
  const { link } = await servedFor([], { ...env, XDG_RUNTIME_DIR: dir.path });
  const { page } = await openedAt(link, DESK);
  const chosen = page.locator('.item.is-chosen');
  await choose(page, page.locator('.item', { hasText: 'build' }));
  await rowWith(page, 'of build').waitFor();
  await page.getByRole('combobox', { name: 'Daemons shown' }).selectOption('near');
  await page.reload();
  await rowWith(page, 'of build').waitFor();
  await chosen.filter({ hasText: 'build' }).waitFor();
  await expect.poll(() => page.getByRole('combobox', { name: 'Daemons shown' }).inputValue()).toBe('near');
  await page.keyboard.type('typed');
  await rowWith(page, 'typed').waitFor();

  await output('kill', '--on', 'near', 'build');
  await page.reload();
  await page.getByText('The terminal build of near is gone.').waitFor();
  await rowWith(page, 'of first').waitFor();

  await output('shutdown', '--on', 'near');
  await page.reload();
  await page.locator('.group', { hasText: 'near' }).getByText('down', { exact: true }).waitFor();
  await page.getByText('Connecting to near.').waitFor();
  await page.getByRole('combobox', { name: 'Daemons shown' }).selectOption('');
  await choose(page, page.locator('.item', { hasText: 'own' }));
  await rowWith(page, 'of own').waitFor();
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

test('a far list that was cut, or is none, says so beside the terminals that are whole', async () => {
  const fleet = testFleet();
  const whole = { id: 'a', alive: true, cols: 80, rows: 24, idle_ms: 1, title: '', cwd: '/', cmd: ['cat'] };
  const restrict = { ok: true, reach: 'create', person: true };
  await addHostileHost(fleet, { restrict, list: { ok: true, terminals: [7, {}, { ...whole, labels: {} }] } });
  const { link } = await servedFor([], fleet.env);
  const { page } = await openedAt(link, DESK);
  const group = page.locator('.group', { hasText: 'box' });
  await group.getByText('Its list is not whole: 2 of 3 terminals are malformed, and left out.').waitFor();
  await group.getByRole('button', { name: 'a' }).waitFor();
});

test('a page beyond the most sockets says why it is not let in', async () => {
  const { output, env } = testFleet();
  await output('create', '--', 'cat');
  const keys = new Keys(systemClock);
  const daemons = new Map([['local', { socketPath: env['T4A_SOCKET'] ?? '' }]]);
  const options = { keys, daemons: () => daemons, isReadOnly: true, person: 'ada', version: '0', onFlood: () => {} };
  const server = new WebServer(new Assets(new URL('../../', import.meta.url)), options, 1);
  onTestFinished(() => server.close());
  const { origin } = await server.listen({ host: '127.0.0.1', port: 0 }, []);
  const coming = new TestSocket(origin);
  await coming.say({ code: keys.newCode() });
  const grant = await coming.next<KeyGrant>();
  await coming.closed();
  const [first] = await enter(origin, grant);
  const { page } = await openedAt(`${origin}/#${keys.newCode()}`, DESK);
  await page.getByText('This t4a web has 1 sockets, its most: close a page.').waitFor();
  first.socket.close();
  await page.locator('.row').first().waitFor();
});
