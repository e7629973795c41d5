/** The shell of the crew in a terminal of a person, which is that of another daemon: canvas, tabs, viewport, palette, status line. */
import { chmodSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/client/index.js';
import { mirrorRow } from '../../src/mirror/mirror.js';
import { attachPid, recorder } from '../attach/attached.js';
import {
  agent,
  AT_REST,
  cellsFrom,
  choose,
  CTRL_K,
  note,
  rowsOf,
  SCREEN_COLS,
  shellOf,
  trusted,
  WAITS,
} from '../support/crew-shell.js';
import { agentsOfFile, FAKE_AGENT } from '../support/fake-agent.js';

const withAgent = agentsOfFile();

test('an empty canvas says what to do, and the palette starts an agent at the exact size of the viewport with its first prompt', async () => {
  const fake = await withAgent();
  const person = await shellOf(fake);
  await person.waitForText('Press Ctrl+K to start an agent or a process');
  await choose(person, 'spawn fake');
  await person.waitForText('First prompt of fake');
  await person.send('fix the tests\r');
  await person.waitForText('took: fix the tests');
  expect(fake.prompts()).toEqual(['fix the tests']);
  const { terminals } = await fake.client.call('list', {});
  expect(terminals).toMatchObject([
    { id: 'fake-1', cols: 60, rows: 22, parent: null, labels: { 'crew.kind': 'agent' } },
  ]);
  const rows = await rowsOf(person);
  expect(rows[0]).toMatch(/^ fake-1  \+ +│ Session$/);
  expect(rows[1]).toMatch(/^  fake agent +│ ▶ fake-1/);
  expect(rows[23]).toMatch(/^ fake-1 .*Ctrl\+K palette$/);
});

test('an agent that may lack its tools is named in the status line, and with the cure behind the shell', async () => {
  const fake = await withAgent();
  const env = { FAKE_AGENT_LOG: fake.dir.join('log') };
  fake.preset('agents', 'gemini.json', { name: 'gemini', argv: [process.execPath, FAKE_AGENT], rules: 'claude', env });
  await fake.run('crew', 'trust', 'gemini');
  // Only a file that root alone can change is read by gemini.
  mkdirSync(fake.dir.join('run', 't4a', 'crew'), { recursive: true });
  chmodSync(fake.dir.join('run', 't4a', 'crew'), 0o777);
  const person = await shellOf(fake, { cols: 200 });
  await choose(person, 'spawn gemini');
  await person.waitForText('First prompt of gemini');
  await person.send('\r');
  await person.waitForText(
    'gemini-1: "gemini" may have no tools of t4a: it reads a file only if root alone can change it',
  );
  await choose(person, 'leave');
  await person.waitForText('Leave?');
  await person.send('\r');
  await person.waitForText('status 0, same modes');
  const { lines } = await person.call('text', { join_wrapped: true });
  expect(lines.join('\n')).toMatch(/^t4a: gemini-1: "gemini" may have no tools .* Enter this once: gemini mcp add /m);
});

test('what is not trusted in the project is started after a yes alone', async () => {
  const fake = await withAgent();
  fake.preset('processes', 'wait.json', { name: 'wait', argv: WAITS });
  const person = await shellOf(fake);
  await choose(person, 'run wait');
  await person.waitForText('The preset "wait" is not trusted here:');
  await person.send('n');
  await person.waitForText('"wait" was not started.');
  expect((await fake.client.call('list', {})).terminals).toEqual([]);
  await choose(person, 'run wait');
  await person.waitForText('Trust it, and start it?');
  await person.send('y');
  await person.waitForText('here 42');
  expect((await fake.client.call('list', {})).terminals).toMatchObject([
    { id: 'wait-1', labels: { 'crew.kind': 'command', 'crew.preset': 'wait', 'crew.session': 'wait-1' } },
  ]);
});

test('Ctrl+K twice is one for the program, and all other keys reach it as they are', async () => {
  const fake = await withAgent();
  const file = fake.dir.join('bytes');
  await trusted(fake, 'record', recorder(file));
  const person = await shellOf(fake);
  await choose(person, 'run record');
  await person.waitForText('ready');
  const keys = ['\x02', '\x1b[A', '\x03', 'é', CTRL_K + CTRL_K, '\x04', 'plain\r'];
  let expected = '';
  for (const key of keys) {
    expected += key.replace(CTRL_K + CTRL_K, CTRL_K);
    await person.send(key);
    await person.waitForText(`got ${Buffer.byteLength(expected)}.`);
  }
  expect(readFileSync(file, 'utf8')).toBe(expected);
});

test('each terminal of the project has a tab, the palette goes to one, and closes one with its children', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  // It reads nothing: what reads its terminal for some seconds needs a person.
  await trusted(fake, 'two', ['sh', '-c', 'echo "sec"ond; exec sleep 1000']);
  // No room for a rail.
  const person = await shellOf(fake, { cols: 59 });
  await choose(person, 'run one');
  await person.waitForText('here 42');
  await choose(person, 'run two');
  await person.waitForText('second');
  // Another project's, and one of no crew, have none.
  await fake.client.call('create', {
    cmd_args: ['cat'],
    name: 'other',
    labels: { 'crew.session': 'other', 'crew.kind': 'agent', 'crew.project': '/' },
  });
  await fake.client.call('create', { cmd_args: ['cat'], name: 'bare' });
  await fake.client.call('create', {
    cmd_args: ['cat'],
    name: 'child',
    parent: 'one-1',
    labels: {
      'crew.session': 'one-1',
      'crew.kind': 'terminal',
      'crew.project': realpathSync(fake.project),
    },
  });
  await person.waitForText(' child ');
  expect((await rowsOf(person))[0]?.split(/ +/).filter(Boolean)).toEqual(['one-1', 'child', 'two-1', '+']);
  await choose(person, 'go to one');
  await person.waitForText('here 42');
  await choose(person, 'close one');
  await person.waitForText('End one-1 and all that it has started?');
  await person.send('y');
  await person.waitForText('Ended one-1.');
  const { terminals } = await fake.client.call('list', {});
  expect(terminals.map(({ id }) => id).toSorted()).toEqual(['bare', 'other', 'two-1']);
  // What was closed is not resumed.
  expect((await fake.run('crew', 'resume', '--list')).stdout).toMatch(/^two-1 {2}runs .*\n$/);
});

test('a hostile program changes no cell outside of the viewport, and no mode of the terminal of the person', async () => {
  const fake = await withAgent();
  const go = fake.dir.join('go');
  const attack = [
    '\x1b[2J\x1b[H\x1bc\x1b[r\x1b[1;1H\x1b[999;999H\x1b[J\x1b[1J\x1b[3J\x1b[?1049h\x1b[?1000h\x1b[?1006h\x1b[?1003h',
    '\x1b[8;5;5t\x1b[?6h\x1b[?69h\x1b[1;3s\x1b[?3h\x1b#8\x1b[20T\x1b[20S\x1bM\x1bM\x1b[99L\x1b[99M\x1b[1;1HXXXX',
    '\x1b]0;\x9b2J title\x07\x1b]52;c;aGk=\x07\x1bP1$r\x1b\\\x1b[41m漢字\u202e\u0300é👨‍👩‍👧‍👦\x1b[22;79H漢漢漢漢\x1b[22;80H\n\n\n\x0b\x0c\x85',
    `${'漢'.repeat(3000)}\x1b[?2004l\x1b[?25l\x1b[5i\x1b(0lqqqk\x0e\x9b1;1H\x1b[1;1H\x1b[?7lEDGE${'W'.repeat(300)}`,
  ].join('');
  const script = `
    const { existsSync } = require('node:fs');
    process.stdout.write('calm ');
    const timer = setInterval(() => {
      if (!existsSync(${JSON.stringify(go)})) return;
      clearInterval(timer);
      process.stdout.write(Buffer.from(${JSON.stringify(Buffer.from(attack, 'utf8').toString('base64'))}, 'base64'));
      process.stdout.write('\\x1b[?1000l\\x1b[?1003l\\x1b[?1006l\\x1b[0m\\x1b[10;1H\\x1b[2K\\x1b[?25hcalmed down\\x1b]2;\\x07');
    }, 20);
    process.stdin.resume();`;
  await trusted(fake, 'hostile', [process.execPath, '-e', script]);
  note(fake, 'plan.md', 'first line\nsecond');
  const person = await shellOf(fake);
  await choose(person, 'run hostile');
  await person.waitForText('calm ');
  await person.waitForText(AT_REST);
  const outside = async (): Promise<unknown> => {
    const { rows } = await person.call('text', { format: 'runs' });
    return rows?.map((row, i) => (i === 0 || i === 23 ? row : cellsFrom(mirrorRow(row), SCREEN_COLS)));
  };
  const modes = (await person.call('status', {})).modes;
  const before = await outside();
  const text = (await rowsOf(person)).join();
  for (const part of ['hostile-1', AT_REST, '│', 'Session', '▶', 'plan.md', 'first line']) expect(text).toContain(part);
  await fake.client.call('run', { cmd_args: ['touch', go] });
  await person.waitForText('calmed down');
  expect(await outside()).toEqual(before);
  expect((await person.call('status', {})).modes).toEqual(modes);
  // A toast over what it has left behind.
  await agent(fake, 'asker', ['ask']);
  await person.waitForText('! asker asks');
  const { rows = [] } = await person.call('text', { format: 'runs' });
  const toast = cellsFrom(mirrorRow(rows[1] ?? { runs: [] }), 20).slice(0, 40);
  expect(toast).toEqual(Array.from(' ! asker asks: Do you want to trust th… ', (cell) => [cell, '30;43']));
});

test('what has ended stays on the screen until Enter, so that no key reaches another program', async () => {
  const fake = await withAgent();
  const file = fake.dir.join('bytes');
  await trusted(fake, 'record', recorder(file));
  await trusted(fake, 'ends', ['sh', '-c', 'echo work""ing; read line; echo failed; exit 7']);
  const person = await shellOf(fake);
  await choose(person, 'run record');
  await person.waitForText('ready');
  await choose(person, 'run ends');
  await person.waitForText('working');
  await person.send('x\r');
  await person.waitForText('ends-1 has ended: exit code 7');
  await person.send('lost');
  await person.waitForText('failed');
  await person.send('\r');
  await person.waitForText('Press Ctrl+K to go to one of 1');
  expect((await rowsOf(person))[0]).toMatch(/^ record-1  \+ +│/);
  await choose(person, 'go to record');
  await person.waitForText('ready');
  await person.send('k');
  await person.waitForText('got 1.');
  expect(readFileSync(file, 'utf8')).toBe('k');
});

test('leaving keeps the crew or ends it, and restores the terminal of the person', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake);
  await choose(person, 'run one');
  await person.waitForText('here 42');
  await choose(person, 'leave');
  await person.waitForText('Leave? Enter: 1 goes on. e: end all. Esc: stay.');
  await person.send('\r');
  await person.waitForText('status 0, same modes');
  expect((await rowsOf(person))[0]).toBe('The crew goes on: 1. "t4a crew list" shows it.');
  expect((await person.call('status', {})).alt_screen).toBe(false);
  expect((await fake.client.call('list', {})).terminals).toMatchObject([{ id: 'one-1', alive: true }]);

  const again = await shellOf(fake);
  await again.waitForText('Press Ctrl+K to go to one of 1');
  await again.send('\x04');
  await again.waitForText('e: end all');
  await again.send('e');
  await again.waitForText('status 0, same modes');
  expect((await rowsOf(again))[0]).toBe('The crew has ended.');
  expect((await fake.client.call('list', {})).terminals).toEqual([]);
});

test('after a storm of resizes the terminal has the exact size, down to 20 columns and one row', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake);
  await choose(person, 'run one');
  await person.waitForText('here 42');
  for (let i = 0; i < 60; i++) await person.call('resize', { cols: 20 + ((i * 37) % 180), rows: 1 + ((i * 13) % 50) });
  for (const [cols, rows, inner] of [
    [20, 6, 4],
    [20, 2, 1],
    [20, 1, 1],
    [120, 40, 38],
  ] as const) {
    await person.call('resize', { cols, rows });
    // Beside the rail.
    const innerCols = cols === 120 ? 90 : cols;
    await expect
      .poll(async () => (await fake.client.call('status', { id: 'one-1' })) as object, { timeout: 10_000 })
      .toMatchObject({ cols: innerCols, rows: inner });
  }
  await person.waitForText(AT_REST);
  expect((await rowsOf(person))[0]).toMatch(/^ one-1  \+ +│ Session$/);
});

test('a terminal keeps its size while another name has control, and gets that of the viewport once it is given back', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake);
  await choose(person, 'run one');
  await person.waitForText('here 42');
  const agent = await connect({ socketPath: fake.socketPath, as: 'claude-9' });
  onTestFinished(() => agent.close());
  await agent.call('control', { id: 'one-1', action: 'take', reason: 'deploying' });
  await person.waitForText('claude-9 typing');
  await person.call('resize', { cols: 100, rows: 30 });
  await person.send('x');
  await person.waitForText('claude-9 has the keyboard (deploying): your keys were dropped.');
  expect(await fake.client.call('status', { id: 'one-1' })).toMatchObject({ cols: 60, rows: 22 });
  await agent.call('control', { id: 'one-1', action: 'release' });
  await expect
    .poll(async () => (await fake.client.call('status', { id: 'one-1' })) as object, { timeout: 10_000 })
    .toMatchObject({ cols: 75, rows: 28 });
});

test('a signal leaves the terminal of the person as it was, and the crew goes on', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake);
  await choose(person, 'run one');
  await person.waitForText('here 42');
  process.kill(await attachPid(person), 'SIGTERM');
  await person.waitForText('status 143, same modes');
  expect((await rowsOf(person))[0]).toBe('The crew goes on: 1. "t4a crew list" shows it.');
  expect((await fake.client.call('list', {})).terminals).toMatchObject([{ id: 'one-1', alive: true }]);
});

test('it needs a terminal, and takes no flags of its actions', async () => {
  const fake = await withAgent();
  expect(await fake.runBuilt('crew')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('crew needs a terminal') as string,
  });
  expect(await fake.run('crew', '--name', 'x')).toMatchObject({
    stderr: expect.stringContaining('"--name" does not go with "crew" alone') as string,
  });
  expect((await fake.client.call('list', {})).terminals).toEqual([]);
});

test('the rail has the tree with who asks first, spawns move nothing, and Ctrl+K Enter goes to the one who waits longest', async () => {
  const fake = await withAgent();
  const person = await shellOf(fake);
  await choose(person, 'spawn fake');
  await person.waitForText('First prompt of fake');
  await person.send('\r');
  await person.waitForText('fake agent');
  await agent(fake, 'calm', [], 'fake-1');
  await agent(fake, 'asker', ['ask'], 'fake-1');
  // Else the other may be the first to ask.
  await person.waitForText('! asker');
  await agent(fake, 'later', ['ask']);
  await person.waitForText('Wait for you: 2');
  await person.waitForText('2 wait for you');
  const right = async (): Promise<readonly string[]> =>
    (await rowsOf(person)).slice(0, 9).map((row) => row.slice(SCREEN_COLS).trimEnd());
  await expect
    .poll(right)
    .toEqual([
      '│ Wait for you: 2',
      '│ ! asker',
      '│   Do you want to …',
      '│ ! later',
      '│   Do you want to …',
      '│ Session',
      '│ ▶ fake-1',
      '│ ├─ ◉ calm',
      '│ └─ ! asker  asks',
    ]);
  expect((await rowsOf(person))[0]).toMatch(/^ fake-1 !  later !  \+ +│/);
  await person.send(CTRL_K);
  await person.waitForText('Do you want to trust this folder?');
  await person.send('\r');
  await person.waitForText('▶ asker');
  await person.waitForText('❯ 1. Yes');
  expect((await rowsOf(person))[1]).toMatch(/^  fake agent/);
});

test('a scratchpad is in the rail with its first lines, and the palette shows all of it, also without a rail', async () => {
  const fake = await withAgent();
  const person = await shellOf(fake);
  note(fake, 'plan.md', Array.from({ length: 60 }, (_, i) => `step ${i}\x1b[2J`).join('\n'));
  await person.waitForText('─ plan.md ─');
  expect((await rowsOf(person)).find((row) => row.includes('step 0'))).toMatch(/^ {60}│ step 0\[2J$/);
  for (const cols of [80, 50]) {
    await person.call('resize', { cols, rows: 20 });
    await choose(person, 'read plan');
    await person.waitForText('1-18/60');
    await person.send('\x1b[6~');
    await person.waitForText('19-36/60');
    expect((await rowsOf(person))[1]).toMatch(/^ step 18\[2J/);
    await person.send('q');
    await person.waitForText(AT_REST);
  }
});

test('30 agents that all draw, with names of control characters, leave a shell that answers and a rail that is whole', async () => {
  const fake = await withAgent();
  const person = await shellOf(fake, { cols: 120, rows: 30 });
  for (let i = 0; i < 30; i++) await agent(fake, `a${i}`, ['spin'], i === 0 ? undefined : 'a0');
  await fake.client.call('label', { id: 'a0', set: { 'crew.name': 'boss \u202e\u2066漢字 with a very long name' } });
  // The palette has those that the rail has.
  await person.waitForText('… 3 more');
  await choose(person, 'go to a29');
  await person.waitForText('▶ a29');
  for (let i = 0; i < 20; i++) await person.call('resize', { cols: 60 + ((i * 37) % 90), rows: 8 + ((i * 13) % 30) });
  await person.call('resize', { cols: 120, rows: 30 });
  // What stands there may be a drawing of an earlier size: it is looked at until the last one is whole.
  const edge = async (): Promise<readonly unknown[]> => {
    const { rows = [] } = await person.call('text', { format: 'runs' });
    return rows.slice(0, 28).map((row) => cellsFrom(mirrorRow(row), 90)[0]);
  };
  await expect.poll(edge).toEqual(Array.from({ length: 28 }, () => ['│', '2']));
  await expect.poll(async () => (await rowsOf(person)).join()).toMatch(/▶ a29.*… \d+ more/);
  await choose(person, 'leave');
  await person.waitForText('Leave? Enter: 30 go on.');
  await person.send('\r');
  await person.waitForText('status 0, same modes');
});
