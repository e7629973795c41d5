/** Questions and dialogues in the shell of the crew: shown, announced, answered from there, by keys and by the mouse. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Terminal } from '../../src/client/index.js';
import { recorder } from '../attach/attached.js';
import {
  agent,
  AT_REST,
  choose,
  CTRL_K,
  logOf,
  rowsOf,
  SCREEN_COLS,
  shellOf,
  trusted,
  WAITS,
} from '../support/crew-shell.js';
import { agentsOfFile, type FakeAgents } from '../support/fake-agent.js';

const withAgent = agentsOfFile();

/** At 80 by 24, with a program on the screen. */
async function atWork(): Promise<{ fake: FakeAgents; person: Terminal }> {
  const fake = await withAgent();
  await trusted(fake, 'one', WAITS);
  const person = await shellOf(fake);
  await choose(person, 'run one');
  await person.waitForText('here 42');
  return { fake, person };
}

const pidOf = (fake: FakeAgents, id: string): number =>
  logOf(fake, id).flatMap(({ started }) => (started === undefined ? [] : [started.pid]))[0] ?? 0;

const approvals = (fake: FakeAgents, id: string): number =>
  logOf(fake, id).filter(({ approved }) => approved === true).length;

test('a request for permission is answered from elsewhere by one key, once', async () => {
  const { fake, person } = await atWork();
  await agent(fake, 'asker', ['ask']);
  await person.waitForText('! asker asks: Do you want to trust');
  await person.waitForText('1 waits for you');
  await choose(person, 'answer asker');
  await person.waitForText('One key for asker, if it still asks this:');
  const card = (await rowsOf(person)).map((row) => row.slice(0, SCREEN_COLS).trim());
  expect(card).toEqual(
    expect.arrayContaining(['asker asks:', 'Do you want to trust this folder?', '❯ 1. Yes', '2. No']),
  );
  await person.send('\r');
  await person.waitForText('Enter was pressed in asker.');
  await expect.poll(() => approvals(fake, 'asker')).toBe(1);
  await expect.poll(async () => (await rowsOf(person)).join()).not.toContain('Do you want');
  expect((await rowsOf(person))[1]).toMatch(/^here 42 +│/);
});

test('a question that has changed between look and key gets no key, and neither does an agent that has ended', async () => {
  const { fake, person } = await atWork();
  await agent(fake, 'asker', ['ask']);
  await person.waitForText('! asker asks');
  await choose(person, 'answer asker');
  await person.waitForText('One key for asker');
  process.kill(pidOf(fake, 'asker'), 'SIGUSR1');
  await fake.client.call('wait', { id: 'asker', until: { text: 'run command 1?' } });
  await person.send('\r');
  await person.waitForText('Nothing was sent: asker asks this no longer.');
  expect(approvals(fake, 'asker')).toBe(0);
  await choose(person, 'answer asker');
  await person.waitForText('Do you want to run command 1?');
  await fake.client.call('kill', { id: 'asker' });
  await person.send('\r');
  await person.waitForText(/Nothing was sent: asker (has ended|is gone)\./);
  expect(approvals(fake, 'asker')).toBe(0);
});

test('keys that come before the question is on the screen answer nothing', async () => {
  const { fake, person } = await atWork();
  await agent(fake, 'asker', ['ask']);
  await person.waitForText('! asker asks');
  await person.send(`${CTRL_K}answer asker\r\r\r1`);
  await person.waitForText('One key for asker');
  await person.send('\x1b');
  await person.waitForText(AT_REST);
  expect(approvals(fake, 'asker')).toBe(0);
});

test('a question of an agent is shown, and a person answers it from the shell', async () => {
  const { fake, person } = await atWork();
  await agent(fake, 'claude-9');
  const asker = await connect({ socketPath: fake.socketPath, as: 'claude-9' });
  onTestFinished(() => asker.close());
  const asked = asker.call('ask', { kind: 'confirm', question: 'Deploy?\x1b[2J', id: 'claude-9' });
  await person.waitForText('! claude-9 asks: Deploy?');
  await choose(person, 'answer claude');
  await person.waitForText('Yes or no, to claude-9? (y/n)');
  await person.send('y');
  expect(await asked).toMatchObject({ outcome: 'answered', answer: true, by: 'ada' });
  await person.waitForText('is answered.');
});

test('an agent that proposes a terminal moves nothing while the person types, and a click on the toast goes there', async () => {
  const { fake, person } = await atWork();
  await agent(fake, 'claude-9');
  await person.send('x');
  const data = JSON.stringify({ process_id: 'claude-9' });
  await fake.client.call('publish', { name: 'crew.select', data: '{"process_id":7}' });
  await fake.client.call('publish', { name: 'crew.select', data: 'no JSON' });
  await fake.client.call('publish', { name: 'crew.select', data });
  const toast = ' test proposes to look at claude-9 ';
  await person.waitForText(toast);
  const row = (await rowsOf(person))[1] ?? '';
  expect(row.indexOf(toast)).toBe(SCREEN_COLS - toast.length);
  await person.send(click(SCREEN_COLS - 3, 1));
  await person.waitForText('fake agent');
  expect((await rowsOf(person)).join()).not.toContain(toast);
});

/** @param col and row from 0 */
function click(col: number, row: number): string {
  return `\x1b[<0;${col + 1};${row + 1}M\x1b[<0;${col + 1};${row + 1}m`;
}

test('a click goes to a tab, and to a terminal of the rail', async () => {
  const { fake, person } = await atWork();
  await agent(fake, 'other');
  await person.waitForText(' other ');
  const tabs = (await rowsOf(person))[0] ?? '';
  await person.send(click(tabs.indexOf('other'), 0));
  await person.waitForText('fake agent');
  await person.send(click(tabs.indexOf('one-1'), 0));
  await person.waitForText('here 42');
  await agent(fake, 'child', [], 'one-1');
  await person.waitForText('└─ ◉ child');
  const row = (await rowsOf(person)).findIndex((line) => line.includes('└─ ◉ child'));
  await person.send(click(SCREEN_COLS + 8, row));
  await person.waitForText('└─ ▶ child');
  await person.waitForText('fake agent');
  // Beside everything nothing happens.
  await person.send(click(SCREEN_COLS + 8, 20) + click(3, 23));
  await choose(person, 'mouse');
  await person.waitForText('The mouse is left to your own terminal.');
  expect(Object.entries((await person.call('status', {})).modes)).toContainEqual(['mouse_tracking', 'none']);
});

test('a program that listens has the mouse over its own cells, and no other', async () => {
  const fake = await withAgent();
  const file = fake.dir.join('bytes');
  await trusted(fake, 'record', recorder(file, '\x1b[?1000h\x1b[?1006h'));
  const person = await shellOf(fake);
  await choose(person, 'run record');
  await person.waitForText('ready');
  await person.send(click(SCREEN_COLS + 2, 3) + click(10, 23));
  await person.send(click(4, 6));
  await expect.poll(() => readFileSync(file, 'latin1')).toBe('\x1b[<0;5;6M\x1b[<0;5;6m');
});
