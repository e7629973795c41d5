/** The live view, watched through a terminal of the daemon's. */
import { expect, test } from 'vitest';
import { launch, type Terminal } from '../../src/client/index.js';
import { CLI, runCli } from '../support/cli.js';
import { clientOfOwnDaemon } from '../support/launch.js';

interface Viewed {
  readonly watched: Terminal;
  /** The terminal of the person who watches. */
  readonly person: Terminal;
}

async function viewed(command: string, person: { cols?: number; rows?: number } = {}): Promise<Viewed> {
  const client = await clientOfOwnDaemon();
  const watched = await launch({ client, command, name: 'watched' });
  const view = [process.execPath, CLI, '--socket', client.socketPath, 'view', 'watched'];
  const viewer = await launch({ client, cmd_args: view, name: 'person', ...person });
  return { watched, person: viewer };
}

test('the view shows the screen and its changes, with the cursor at its place', async () => {
  const { watched, person } = await viewed('echo first; read -r line; echo "third after $line"; cat');
  await person.waitForText('first');
  await watched.type('second', { submit: true });
  await person.waitForText('third after second');
  // The place at which the cursor stays: the view may skip those before.
  await watched.waitFor({ cursor: { row: 3, col: 0 } });
  await person.waitFor({ cursor: { row: 3, col: 0 } });
  expect((await person.text()).split('\n')).toEqual([
    'first',
    'second',
    'third after second',
    ...Array.from({ length: 20 }, () => ''),
    'watched  24 rows  q: leave',
  ]);
});

test('the view keeps colours', async () => {
  const { person } = await viewed(String.raw`printf '\033[31mred\033[0m plain'; cat`);
  await person.waitForText('red');
  const [line] = (await person.call('text', { format: 'ansi', start: 23, end: 24 })).lines;
  expect(line?.replaceAll('\x1b', 'ESC')).toMatch(/ESC\[[\d;]*31m.*red/);
  // Nor is any of it reversed.
  expect(line?.replaceAll('\x1b', 'ESC')).not.toMatch(/ESC\[(?:\d+;)*7[;m]/);
});

test('the view is cut to the size of the viewing terminal', async () => {
  const { person } = await viewed('seq 1 20; cat', { cols: 40, rows: 10 });
  await person.waitForText('q: leave');
  await person.waitForText('9');
  expect((await person.text()).split('\n').map((line) => line.trim())).toEqual([
    ...Array.from({ length: 9 }, (_, i) => String(i + 1)),
    'watched  24 rows  q: leave',
  ]);
});

test.each(['q', 'Escape', 'Ctrl+C'])('the key %s ends the view and restores the screen', async (key) => {
  const { person, watched } = await viewed('echo here; cat');
  await person.waitForText('here');
  await person.press(key);
  expect(await person.waitForExit()).toEqual({ exit_code: 0, signal: null });
  expect(await person.call('status', {})).toMatchObject({ alt_screen: false, cursor: { visible: true } });
  expect((await person.text()).trim()).toBe('');
  expect(await watched.text()).toContain('here');
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s ends the view and restores the screen', async (signal) => {
  const { person } = await viewed('echo here; cat');
  await person.waitForText('here');
  const { pid } = await person.call('status', {});
  process.kill(Number(pid), signal);
  expect(await person.waitForExit()).toEqual({ exit_code: 0, signal: null });
  expect(await person.call('status', {})).toMatchObject({ alt_screen: false, cursor: { visible: true } });
});

test('the view ends with the program, and reports its exit code', async () => {
  const { person, watched } = await viewed('read -r _; exit 3');
  await person.waitForText('q: leave');
  await watched.press('Enter');
  expect((await person.waitForExit()).exit_code).toBe(0);
  expect(await person.text()).toContain('has ended: exit code 3.');
});

test('the view ends with its terminal', async () => {
  const { person, watched } = await viewed('cat');
  await person.waitForText('q: leave');
  await watched.close();
  await person.waitForExit();
  expect(await person.text()).toMatch(/watched.* (is gone|has ended)/);
});

test('the view is refused without a terminal to draw on', async () => {
  const { status, stderr } = await runCli(['view']);
  expect(status).toBe(2);
  expect(stderr).toContain('view needs a terminal');
});
