/** Recordings played in a terminal of the daemon's, by its keys. */
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { launch, type Terminal } from '../../src/client/index.js';
import { castV3, type Line } from '../history/recording/recordings.js';
import { CLI, runCli } from '../support/cli.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { tempDir } from '../support/temp-dir.js';

/** Nothing moves by itself but the first second: keys go everywhere. */
const LINES: readonly Line[] = [
  [0, 'o', 'first\r\n'],
  [600_000, 'm', 'the middle'],
  [600_000, 'o', '\u001b[31msecond\u001b[m\r\n'],
  [1_200_000, 'o', '\u001b[2J\u001b[Hthird'],
  [1_200_000, 'x', '0'],
];

async function played(
  args: readonly string[] = [],
  { lines = LINES, person = {} }: { lines?: readonly Line[]; person?: { cols?: number; rows?: number } } = {},
): Promise<Terminal> {
  const dir = tempDir();
  writeFileSync(dir.join('a.cast'), castV3(lines));
  const client = await clientOfOwnDaemon();
  const command = [process.execPath, CLI, 'play', dir.join('a.cast'), ...args];
  return launch({ client, cmd_args: command, name: 'person', ...person });
}

const linesOf = async (person: Terminal): Promise<string[]> =>
  (await person.text()).split('\n').map((line) => line.trimEnd());

test('keys go to markers, back and to the end, and going back shows the same screen', async () => {
  const person = await played();
  await person.waitForText('playing');
  await person.press('Space');
  await person.waitForText('paused');
  expect((await linesOf(person)).slice(0, 2)).toEqual(['first', '']);
  await person.type(']');
  await person.waitForText('10:00.0 / 20:00.0');
  expect((await linesOf(person)).slice(0, 3)).toEqual(['first', 'second', '']);
  expect((await linesOf(person)).at(-1)).toBe('paused  10:00.0 / 20:00.0  x1  [the middle]  ?: keys  q: leave');
  await person.press('End');
  await person.waitForText('the end');
  expect((await linesOf(person)).slice(0, 2)).toEqual(['third', '']);
  await person.type('[');
  await person.waitForText('10:00.0 / 20:00.0');
  expect((await linesOf(person)).slice(0, 3)).toEqual(['first', 'second', '']);
  const { lines } = await person.call('text', { format: 'ansi', start: 22, end: 23 });
  expect(lines[0]?.replaceAll('\x1b', 'ESC')).toMatch(/ESC\[[\d;]*31m.*second/);
  await person.type(',');
  await person.waitFor({ gone: 'second' });
  expect((await linesOf(person)).slice(0, 2)).toEqual(['first', '']);
});

test('it plays by itself, at the speed, and stays at the end', async () => {
  const person = await played(['--speed', '8'], {
    lines: [
      [0, 'o', 'one '],
      [800, 'o', 'two '],
      [1600, 'o', 'three'],
    ],
  });
  await person.waitForText('the end');
  expect((await linesOf(person)).slice(0, 2)).toEqual(['one two three', '']);
});

test('pauses are shortened with --idle, and --from begins later', async () => {
  const person = await played(['--idle', '2s', '--from', 'marker:the middle']);
  await person.waitForText('/ 0:04.0');
  expect((await linesOf(person)).slice(0, 2)).toEqual(['first', 'second']);
});

test('the question mark shows the keys, and hides them again', async () => {
  const person = await played();
  await person.waitForText('playing');
  await person.press('Space');
  await person.type('?');
  await person.waitForText('previous marker or command');
  await person.type('?');
  await person.waitFor({ text: 'first' });
  expect(await person.text()).not.toContain('previous marker');
});

test('a recording that is larger than the terminal is cut', async () => {
  const wide: readonly Line[] = [[0, 'o', `${'x'.repeat(39)}\r\n${'1\r\n'.repeat(8)}last`]];
  const person = await played([], { lines: wide, person: { cols: 30, rows: 6 } });
  await person.waitForText('the end');
  expect((await linesOf(person)).slice(0, 5)).toEqual(['x'.repeat(30), '1', '1', '1', '1']);
});

test.each(['q', 'Escape', 'Ctrl+C'])('the key %s leaves, and restores the screen and the terminal', async (key) => {
  const person = await played();
  await person.waitForText('playing');
  await person.press(key);
  expect(await person.waitForExit()).toEqual({ exit_code: 0, signal: null });
  expect(await person.call('status', {})).toMatchObject({ alt_screen: false, cursor: { visible: true } });
  expect((await person.text()).trim()).toBe('');
});

test('without a terminal it is refused, and --plain prints the output as it is', async () => {
  const dir = tempDir();
  writeFileSync(dir.join('a.cast'), castV3(LINES));
  const refused = await runCli(['play', 'a.cast'], { cwd: dir.path });
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('play needs a terminal') });
  const plain = await runCli(['play', 'a.cast', '--plain'], { cwd: dir.path });
  expect(plain).toMatchObject({ status: 0, stdout: 'first\r\n\u001b[31msecond\u001b[m\r\n\u001b[2J\u001b[Hthird' });
});

test.each([
  ['a file that does not exist', ['play', 'none.cast', '--plain'], 1, 'cannot be read: ENOENT'],
  ['a file of something else', ['play', 'text', '--plain'], 2, 'is no recording'],
])('%s is refused', async (_name, args, status, message) => {
  const dir = tempDir();
  writeFileSync(dir.join('text'), 'hello\n');
  expect(await runCli(args, { cwd: dir.path })).toMatchObject({ status, stderr: expect.stringContaining(message) });
});
