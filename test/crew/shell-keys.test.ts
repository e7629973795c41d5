/** Keys of the shell of the crew beside those of its palette: along the rail, all to the program, and those that a person has set. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Terminal } from '../../src/client/index.js';
import { recorder } from '../attach/attached.js';
import {
  agent,
  AT_REST,
  choose,
  CTRL_K,
  note,
  rowsOf,
  SCREEN_COLS,
  shellOf,
  trusted,
  WAITS,
} from '../support/crew-shell.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';

const withAgent = agentsOfFile();

const UP = '\x1b[A';
const DOWN = '\x1b[B';
const RIGHT = '\x1b[C';

const settings = (fake: FakeAgents, text: string): void =>
  writeFileSync(`${fake.env['XDG_CONFIG_HOME'] ?? ''}/t4a/crew.json`, text, { mode: 0o600 });

const row = async (person: Terminal, at: number): Promise<string> => (await rowsOf(person)).at(at) ?? '';

test('arrows go along the rail, Enter goes to a terminal or reads a scratchpad, Escape stays', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  note(fake, 'plan.md', 'first\nsecond');
  const person = await shellOf(fake);
  await choose(person, 'run one');
  await person.waitForText('here 42');
  await agent(fake, 'child', [], 'one-1');
  await person.waitForText('└─ ◉ child');

  await person.send(`${CTRL_K}${RIGHT}`);
  await person.waitForText('Go to one-1');
  await person.send(DOWN);
  await person.waitForText('Go to child');
  await person.send('\x1b');
  await person.waitForText(AT_REST);
  expect((await rowsOf(person)).join('\n')).toContain('▶ one-1');

  await person.send(`${CTRL_K}${RIGHT}${DOWN}\r`);
  await person.waitForText('fake agent');
  await person.waitForText('└─ ▶ child');
  await person.send(`${CTRL_K}${RIGHT}`);
  await person.waitForText('Go to child');
  await person.send(`${DOWN}\r`);
  await person.waitForText('second');
  await person.send('q');
  await person.waitForText('fake agent');
});

test('on the empty canvas arrows alone go along the rail', async () => {
  const fake = await withAgent();
  await agent(fake, 'other');
  const person = await shellOf(fake);
  await person.waitForText('◉ other');
  await person.send(UP);
  await person.waitForText('Go to other');
  await person.send('\r');
  await person.waitForText('fake agent');
});

test('all keys go to the program, Ctrl+K too, until Ctrl+]', async () => {
  const fake = await withAgent();
  const file = fake.dir.join('bytes');
  await trusted(fake, 'record', recorder(file));
  const person = await shellOf(fake);
  await choose(person, 'run record');
  await person.waitForText('ready');
  await choose(person, 'pass all');
  await person.waitForText('all keys pass, Ctrl+] ends it');
  await person.send(`${CTRL_K}a${CTRL_K}${CTRL_K}`);
  await expect.poll(() => readFileSync(file, 'latin1')).toBe(`${CTRL_K}a${CTRL_K}${CTRL_K}`);
  await person.send('\x1d');
  await person.waitForText(AT_REST);
  await person.send(`${CTRL_K}${CTRL_K}\x1d`);
  await expect.poll(() => readFileSync(file, 'latin1')).toBe(`${CTRL_K}a${CTRL_K}${CTRL_K}${CTRL_K}\x1d`);
});

test('a click on the plus offers what can be started, and nothing else', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake);
  const at = (await row(person, 0)).indexOf('+');
  await person.send(`\x1b[<0;${at + 1};1M\x1b[<0;${at + 1};1m`);
  await person.waitForText('Start:');
  const offered = (await rowsOf(person)).join('\n');
  expect(offered).toContain('run one');
  expect(offered).not.toMatch(/leave|mouse|rail/);
  await person.send('run one\r');
  await person.waitForText('here 42');
});

test('the lines above are read by the wheel, a key or the palette, and a drag copies', async () => {
  const fake = await withAgent();
  await trusted(fake, 'count', ['sh', '-c', 'seq 1 100; exec cat']);
  const person = await shellOf(fake);
  await choose(person, 'run count');
  await person.waitForText(/^100 /m);
  const first = async (): Promise<string> => (await row(person, 1)).slice(0, SCREEN_COLS).trim();
  const live = await first();
  await person.send('\x1b[<64;5;6M\x1b[<64;5;6M');
  await person.waitForText('Scrollback:');
  await expect.poll(first).toBe(String(Number(live) - 6));
  expect((await rowsOf(person)).join('\n')).toContain('│ Session');
  await person.send('/42\r');
  await person.waitForText(/^42 /m);
  await person.send('q');
  await person.waitForText(AT_REST);
  expect(await first()).toBe(live);
  await person.send(`${CTRL_K}\x1b[5~`);
  await person.waitForText('Scrollback:');
  await person.send('q');
  await person.waitForText(AT_REST);
  await choose(person, 'scroll back');
  await person.waitForText('Scrollback:');
  await person.send('q');
  await person.waitForText(AT_REST);
  const copied = person.client.events({ terminal: person.id, types: ['clipboard'] });
  await copied.subscribed;
  // Pressed in the second row of the screen, moved, and let go over the rail.
  await person.send('\x1b[<0;1;3M\x1b[<32;9;4M\x1b[<0;70;4m');
  await person.waitForText('Copy ');
  await person.send('y');
  const { value } = await copied[Symbol.asyncIterator]().next();
  const from = Number(live) + 1;
  expect(value).toMatchObject({ text: `${from}\n${from + 1}` });
});

test('with --share a key takes the keyboard from no agent', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake, {}, { flags: ['--share'] });
  await choose(person, 'run one');
  await person.waitForText('here 42');
  await person.send('typed\r');
  await person.waitForText('typed');
  expect((await fake.client.call('status', { id: 'one-1' })).control).toBeNull();
  await choose(person, 'take the');
  await person.waitForText('With --share the keyboard is never taken.');
});

test('leader, rail and keys are those that the person has set', async () => {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  settings(fake, '{"leader": "ctrl-a", "rail_cols": 0, "bindings": {"o": "run one", "f2": "run none"}}');
  const person = await shellOf(fake, {}, { atRest: 'Ctrl+A palette' });
  await person.send('\x01o');
  await person.waitForText('here 42');
  expect((await rowsOf(person)).join('\n')).not.toContain('│ Session');
  await person.send('\x01\x1bOQ');
  await person.waitForText('The palette has no "run none" at this moment.');
  await person.send(`\x01`);
  await person.waitForText('Esc: cancel');
});

test.each([
  ['{"leader": "ctrl-c"}', 'line 1: "leader" of "crew" is "ctrl-c": ctrl-a to ctrl-z without'],
  ['{\n"rail_cols": 3}', 'line 2'],
  ['{\n"bindings": {"ctrl-k": "leave"}}', 'line 2: "bindings.ctrl-k" is the leader'],
  ['{\n"bindings": {"escape": "leave"}}', 'line 2'],
  ['{"limits": {"depth": 0}}', '"limits.depth"'],
  ['{"leder": "ctrl-a"}', 'leder'],
  ['[]', 'expected an object'],
  ['{', 'line 1'],
])('settings of a person that are broken are refused with file and line: %s', async (text, says) => {
  const fake = await withAgent();
  settings(fake, text);
  const { status, stderr } = await fake.run('crew', 'spawn', 'fake');
  expect(stderr).toContain('crew.json');
  expect(stderr).toContain(says);
  expect(status).not.toBe(0);
  expect((await fake.client.call('list')).terminals.filter(({ id }) => id.startsWith('fake'))).toEqual([]);
});
