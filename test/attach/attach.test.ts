/** A person attaches to a terminal, in a terminal of the daemon's: keys, modes, the screen, and commands after Ctrl+B. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';
import { itNeeds, requireProgram } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { clientOfOwnDaemon } from '../support/launch.js';
import { launch } from '../../src/client/index.js';
import { attached, ATTACHED, attachWords, recorder } from './attached.js';
import { casesOf } from '../support/trial.js';

test('every byte of the keyboard reaches the program as it is, in its order', async () => {
  const file = tempDir().join('bytes');
  const { person, inner } = await attached({ inner: { cmd_args: recorder(file) } });
  await person.waitForText('ready');
  const keys = [
    '\x1b',
    '\x1b[A',
    '\x1bOA',
    '\x1b[1;5C',
    '\x1b[3~',
    '\x1bx',
    '\x03',
    '\x1a',
    '\x1c',
    '\x00',
    '\x7f',
    '\t',
    '\r',
    'é漢😀',
    '\x1b[200x',
    '\x1b[24;7~',
    'plain',
    '\xff\xfe',
  ];
  let sent = '';
  for (const key of keys) {
    const bytes = Buffer.from(key, key.startsWith('\xff') ? 'latin1' : 'utf8');
    sent += bytes.toString('latin1');
    await person.call('send', { input_base64: bytes.toString('base64') });
    await inner.waitForText(`got ${sent.length}.`);
  }
  expect(readFileSync(file, 'latin1')).toBe(sent);
});

test('a burst of every byte but the leader arrives whole', async () => {
  const file = tempDir().join('bytes');
  const { person, inner } = await attached({ inner: { cmd_args: recorder(file) } });
  await person.waitForText('ready');
  const once = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 2));
  const all = Buffer.concat(Array.from({ length: 400 }, () => once));
  await person.call('send', { input_base64: all.toString('base64') });
  await inner.waitForText(`got ${all.length}.`);
  expect(readFileSync(file).equals(all)).toBe(true);
});

test('keys are encoded by the modes that the program has set, and a paste has marks if it asked for them', async () => {
  const file = tempDir().join('bytes');
  const modes = '\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[3 q';
  const { person, inner } = await attached({ inner: { cmd_args: recorder(file, modes) } });
  await person.waitForText('ready');
  expect((await person.call('status', {})).modes).toMatchObject({
    application_cursor: true,
    application_keypad: true,
    focus_reporting: true,
    bracketed_paste: true,
  });
  await person.press('Up');
  await person.call('focus', { focused: true });
  // What is the leader as a key is none in a paste.
  await person.send('\x1b[200~a\x02db\x1b[201~');
  await inner.waitForText('got 22.');
  expect(readFileSync(file, 'latin1')).toBe('\x1bOA\x1b[I\x1b[200~a\x02db\x1b[201~');
});

test('a paste comes without marks where the program does not ask for them', async () => {
  const file = tempDir().join('bytes');
  const { person, inner } = await attached({ inner: { cmd_args: recorder(file) } });
  await person.waitForText('ready');
  await person.send('\x1b[200~a\x02db\x1b[201~');
  await inner.waitForText('got 4.');
  expect(readFileSync(file, 'latin1')).toBe('a\x02db');
});

test('the screen of the person is the screen of the program, with its cursor, above the status line', async () => {
  const { person, inner } = await attached({
    command: String.raw`printf '\033]2;a \033]2;title\007\033[31mred\033[0m plain\n漢字 e\314\201 x\n'; cat`,
  });
  await person.waitForText('plain');
  await person.type('typed');
  await person.waitForText('typed');
  await person.waitFor({ cursor: { row: 2, col: 5 } });
  const [first, second, third, ...rest] = (await person.text()).split('\n');
  expect([first, second, third].map((line) => line?.normalize().replace(/\s*│$/, ''))).toEqual([
    'red plain',
    '漢字 é x',
    'typed',
  ]);
  expect(rest.at(-1)).toMatch(/^ inner {2}.*80x24 │ \d\d:\d\d │ \^B \?$/);
  const [line] = (await person.call('text', { format: 'ansi', start: 25, end: 26 })).lines;
  expect(line?.replaceAll('\x1b', 'ESC')).toMatch(/ESC\[[\d;]*31m.*red/);
  expect(await inner.text()).toContain('typed');
});

test('the status line names no more than text: a hostile title does nothing', async () => {
  const { person } = await attached({
    command: String.raw`printf '\033]2;<\342\200\256evil>\007here'; cat`,
  });
  await person.waitForText('here');
  await person.waitForText('evil');
  const status = (await person.text()).split('\n').at(-1);
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  expect(status).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200e-\u202e]/);
  expect(status).toMatch(/^ inner .*<evil> .*\^B \?$/);
});

test('Ctrl+B ? lists the commands, Ctrl+B Ctrl+B sends itself, and an unknown key after it sends nothing', async () => {
  const file = tempDir().join('bytes');
  const { person, inner } = await attached({ inner: { cmd_args: recorder(file) } });
  await person.waitForText('ready');
  await person.press(['Ctrl+B', '?']);
  await person.waitForText('Ctrl+B d');
  await person.press('x');
  await person.waitFor({ gone: 'Ctrl+B d' });
  await person.press(['Ctrl+B', 'Z']);
  await person.waitForText('No such command');
  await person.press(['Ctrl+B', 'Ctrl+B', 'y']);
  await inner.waitForText('got 2.');
  expect(readFileSync(file, 'latin1')).toBe('\x02y');
});

test('c asks for a name and creates a terminal, n and p go by name, k ends it after a question', async () => {
  const { client, person } = await attached({ command: 'echo first; cat' });
  await person.waitForText('first');
  await person.press(['Ctrl+B', 'c']);
  await person.waitForText('Name of the new terminal:');
  await person.type('zoo');
  await person.press('Enter');
  await person.waitFor({ regex: '^ zoo  ' });
  expect(await client.call('status', { id: 'zoo' })).toMatchObject({ cols: 90, rows: 25 });
  await person.press(['Ctrl+B', 'n']);
  await person.waitForText('first');
  // Not the terminal of the person itself, which lies between them.
  await person.press(['Ctrl+B', 'p']);
  await person.waitFor({ regex: '^ zoo  ' });
  await person.press(['Ctrl+B', 'k']);
  await person.waitForText('Kill zoo?');
  await person.press('n');
  await person.waitFor({ gone: 'Kill zoo?' });
  await person.press(['Ctrl+B', 'k', 'y']);
  await person.waitForText('Killed zoo.');
  await person.waitForText('first');
  const { terminals } = await client.call('list');
  expect(terminals.map(({ id }) => id)).toEqual(['inner', 'person']);
});

test.each(['q', 'Enter'])('an ended terminal stays on the screen with its exit code until %s', async (key) => {
  const { person } = await attached({ command: 'echo last words; read -r _; exit 3' });
  await person.waitForText('last words');
  await person.press('Enter');
  await person.waitForText('inner has ended: exit code 3');
  expect(await person.text()).toContain('last words');
  await person.press('x');
  await person.press(key);
  await person.waitForText('status 0');
});

test('Ctrl+C overtakes input that the program does not read', async () => {
  const { person } = await attached({
    command: 'trap "echo interrupted" INT; stty -icanon -echo; echo ready; sleep 1000; echo over; cat',
  });
  await person.waitForText('ready');
  await person.send('x'.repeat(200_000));
  // Attach has read all of it once it shows the help.
  await person.press(['Ctrl+B', '?']);
  await person.waitForText('Commands');
  await person.press('x');
  await person.waitFor({ gone: 'Commands' });
  await person.press('Ctrl+C');
  await person.waitForText('over');
  expect(await person.text()).toContain('interrupted');
});

test('with --read-only no key reaches the program', async () => {
  const file = tempDir().join('bytes');
  const { person, inner } = await attached({
    inner: { cmd_args: recorder(file, '\x1b[?1h') },
    flags: ['--read-only'],
  });
  await person.waitForText('ready');
  expect((await person.call('status', {})).modes).toMatchObject({ application_cursor: false });
  await person.type('abc');
  await person.waitForText('Read only.');
  await person.press(['Ctrl+B', 'd']);
  await person.waitForText('status 0');
  expect(await inner.text()).not.toContain('got');
});

itNeeds('vim')('vim edits and saves through it', async () => {
  const file = tempDir().join('note.txt');
  const vim = [requireProgram('vim'), '-u', 'NONE', '-N', '-i', 'NONE', file];
  const { person, inner } = await attached({
    inner: { cmd_args: vim, env: { LC_ALL: 'C.UTF-8' } },
    person: { cols: 100, rows: 30 },
  });
  await person.waitForText('~');
  await person.type('iThe first line.\rThe second: 世界 🚀');
  await person.press('Escape');
  await person.press(['Up', 'Home', 'i']);
  await person.type('Really: ');
  await person.press('Escape');
  await person.waitForText('Really: The first line.');
  expect(
    (await person.text())
      .split('\n')
      .slice(0, 2)
      .map((line) => line.replace(/\s*│$/, '')),
  ).toEqual(['Really: The first line.', 'The second: 世界 🚀']);
  await person.type(':wq\r');
  await inner.waitForExit();
  expect(readFileSync(file, 'utf8')).toBe('Really: The first line.\nThe second: 世界 🚀\n');
});

test('a terminal is not attached from within itself, and the one that this runs in is never next', async () => {
  const client = await clientOfOwnDaemon();
  const words = attachWords(client).map((word) => `'${word}'`);
  const person = await launch({
    client,
    command: `${words.join(' ')} self; ${words.join(' ')}; echo over; cat`,
    name: 'self',
  });
  await person.waitForText('it would show itself');
  await person.waitForText('over');
  expect((await person.text()).match(/"self" is the terminal that this runs in/g)).toHaveLength(2);
});

test('without a terminal, a daemon or a terminal of that name it is an error', async () => {
  expect(await runCli(['attach'])).toMatchObject({ status: 2, stderr: expect.stringContaining('needs a terminal') });
  const client = await clientOfOwnDaemon();
  const words = attachWords(client, 'nothing').map((word) => `'${word}'`);
  const none = words.map((word) => word.replace(client.socketPath, `${client.socketPath}-none`));
  const command = `${words.join(' ')}; ${none.join(' ')}; ${words.join(' ')} | tail -n 1; TERM=dumb ${words.join(' ')}; cat`;
  const person = await launch({ client, command });
  await person.waitForText('$TERM is "dumb"');
  const text = (await person.text()).replaceAll('\n', '');
  expect(text).toContain('nothing');
  expect(text).toContain('attach needs a terminal to draw on');
  expect(text).toContain('No daemon listens on');
  expect(await person.call('status', {})).toMatchObject({ alt_screen: false, modes: { bracketed_paste: false } });
});

test('a smaller terminal is panned with the cursor, a larger one has a border', async () => {
  const { person, inner } = await attached({
    command: String.raw`seq 1 22; printf '%0100d%s' 7 end; cat`,
    // The size is changed by another.
    flags: ['--share'],
    inner: { cols: 200, rows: 30 },
    person: { cols: 40, rows: 10 },
  });
  await person.waitForText('end');
  // The cursor is placed once all is drawn.
  await person.waitFor({ cursor: { row: 8, col: 39 } });
  const small = (await person.text()).split('\n');
  expect(small).toHaveLength(10);
  expect(small[8]?.trimEnd()).toMatch(/^0+7end$/);
  await person.press('Enter');
  await person.waitFor({ cursor: { row: 8, col: 0 } });
  await inner.call('resize', { cols: 30, rows: 5 });
  await person.call('resize', { cols: 40, rows: 12 });
  // A frame of one new size alone has a border and a status line as well.
  const drawn = async (): Promise<readonly unknown[]> => {
    const large = (await person.text()).split('\n');
    return [large[0]?.[30], large[5], large[11]?.includes(ATTACHED.slice(0, 1))];
  };
  await expect.poll(drawn).toEqual(['│', `${'─'.repeat(30)}┘`, true]);
});

test.each(
  casesOf(
    [
      [
        { cols: 2, rows: 1 },
        { cols: 500, rows: 200 },
      ],
      [
        { cols: 500, rows: 200 },
        { cols: 2, rows: 1 },
      ],
      [
        { cols: 2, rows: 1 },
        { cols: 2, rows: 1 },
      ],
    ],
    ([, outside]) => outside.cols === 500,
  ),
)('terminals of any size: inside %j, outside %j', async (inside, outside) => {
  const { person, inner } = await attached({ command: 'cat', inner: inside, person: outside });
  await person.type('ab');
  await inner.waitForText('b');
  await person.waitForText('b');
  expect(await inner.call('status', {})).toMatchObject(inside);
  await person.call('resize', { cols: 80, rows: 24 });
  await person.waitForText(ATTACHED);
  await person.press(['Ctrl+B', 'd']);
  await person.waitForText('status 0');
});
