/** Who types where several may: persons who have attached, and an agent. */
import { readFileSync } from 'node:fs';
import { onTestFinished, expect, test } from 'vitest';
import { connect, launch, type Client, type Terminal } from '../../src/client/index.js';
import { tempDir } from '../support/temp-dir.js';
import {
  attached,
  ATTACHED,
  attachPid,
  attachWords,
  recorder,
  type Attached,
  type AttachedOptions,
} from './attached.js';

const asAda = { env: { T4A_AS: 'ada' } };

/** Ada has attached to the terminal "inner"; an agent has a connection of its own. */
async function adaAndAgent(options: AttachedOptions = {}): Promise<Attached & { agent: Client }> {
  const parts = await attached({
    ...(options.inner === undefined ? { command: 'stty -echo; echo ready; cat' } : {}),
    ...options,
    person: { ...asAda },
  });
  const agent = await connect({ socketPath: parts.client.socketPath, as: 'claude-1' });
  onTestFinished(() => agent.close());
  await parts.person.waitForText('ready');
  return { ...parts, agent };
}

/** Another person attaches to a terminal. */
async function another(
  client: Client,
  as: string,
  { id = 'inner', flags = [] }: { id?: string; flags?: string[] } = {},
): Promise<Terminal> {
  const words = attachWords(client, id, ...flags).map((word) => `'${word}'`);
  const command = `${words.join(' ')}; echo "status $?"; cat`;
  const person = await launch({ client, command, name: as, env: { T4A_AS: as }, cols: 90, rows: 26 });
  await person.waitForText(ATTACHED);
  return person;
}

async function holderOf(client: Client, id = 'inner'): Promise<string | undefined> {
  const { holder } = await client.call('control', { id, action: 'show' });
  return holder?.as;
}

test('the first key takes the keyboard for a while, and others are refused', async () => {
  const { client, agent, inner, person } = await adaAndAgent();
  expect(await holderOf(client)).toBe(undefined);
  await agent.call('type', { id: 'inner', text: 'by the agent', submit: true });
  await person.waitForText('by the agent');
  await person.type('by ada\r');
  await inner.waitForText('by ada');
  const shown = await client.call('control', { id: 'inner', action: 'show' });
  expect(shown.holder).toMatchObject({ as: 'ada', person: true });
  expect(shown.expires_in_ms).toBeGreaterThan(0);
  expect(shown.expires_in_ms).toBeLessThanOrEqual(15_000);
  await person.waitForText('● you hold 0:');
  await expect(agent.call('type', { id: 'inner', text: 'not this' })).rejects.toMatchObject({ code: 'control_held' });
  const bob = await another(client, 'bob');
  await bob.waitForText('ada typing │ 2 watch');
  await bob.type('nor this');
  await bob.waitForText('ada has the keyboard: your keys were dropped.');
  await person.type('end\r');
  await inner.waitForText('end');
  expect((await inner.text()).trim()).toBe('ready\nby the agent\nby ada\nend');
});

test('g gives the keyboard back with a note, t keeps it and gives it back the second time', async () => {
  const { client, person } = await adaAndAgent();
  const events = client.events({ terminal: 'inner', types: ['control'] });
  onTestFinished(() => events.close());
  await events.subscribed;
  const seen = events[Symbol.asyncIterator]();
  const next = async (): Promise<object> => (await seen.next()).value as object;
  await person.press(['Ctrl+B', 'g']);
  await person.waitForText('You do not have the keyboard.');
  await person.press(['Ctrl+B', 't']);
  await person.waitForText('You have the keyboard of inner.');
  expect(await client.call('control', { id: 'inner', action: 'show' })).toMatchObject({
    holder: { as: 'ada', person: true },
    expires_in_ms: null,
  });
  expect(await next()).toMatchObject({ holder: 'ada', cause: 'taken' });
  await person.press(['Ctrl+B', 't']);
  await person.waitForText('The keyboard of inner is given back.');
  expect(await next()).toMatchObject({ holder: null, was: 'ada', cause: 'released' });
  await person.type('a line\r');
  expect(await next()).toMatchObject({ holder: 'ada', cause: 'taken' });
  await person.press(['Ctrl+B', 'g']);
  await person.waitForText('with a note');
  await person.type('logged in\r');
  expect(await next()).toMatchObject({ holder: null, was: 'ada', cause: 'released', note: 'logged in' });
});

test('g gives back what the key right before it has taken', async () => {
  const { client, inner, person } = await adaAndAgent();
  await person.send('a line\r\x02gdone\r');
  await person.waitForText('The keyboard of inner is given back.');
  await inner.waitForText('a line');
  expect(await holderOf(client)).toBe(undefined);
  expect((await inner.text()).trim()).toBe('ready\na line');
});

test('who detaches, or shows another terminal, gives the keyboard back', async () => {
  const { client, agent, person } = await adaAndAgent();
  await launch({ client, command: 'stty -echo; echo other; cat', name: 'other' });
  await person.press(['Ctrl+B', 't']);
  await person.waitForText('You have the keyboard');
  await person.press(['Ctrl+B', 'n']);
  await person.waitForText('other');
  expect(await holderOf(client)).toBe(undefined);
  // One read: what is typed last is sent before the keyboard is given back.
  await person.send('typed and left\r\x02d');
  await person.waitForText('status 0');
  expect(await holderOf(client, 'other')).toBe(undefined);
  await agent.call('wait', { id: 'other', until: { text: 'typed and left' } });
  await agent.call('type', { id: 'other', text: 'then the agent', submit: true });
});

test('a person takes from an agent by the first key, and the agent is refused from then on', async () => {
  const { agent, inner, person } = await adaAndAgent();
  await agent.call('control', { id: 'inner', action: 'take' });
  await person.waitForText('claude-1 typing');
  await agent.call('type', { id: 'inner', text: 'a line of the agent', submit: true });
  await person.waitForText('a line of the agent');
  await person.type('mine\r');
  await inner.waitForText('mine');
  await expect(agent.call('press', { id: 'inner', keys: ['Enter'] })).rejects.toMatchObject({ code: 'control_held' });
  await person.press(['Ctrl+B', 'g', 'Enter']);
  await person.waitForText('is given back');
  await agent.call('type', { id: 'inner', text: 'again', submit: true });
  await inner.waitForText('again');
});

test('a key takes nothing from an agent that gave a reason: it is dropped, and a command takes the keyboard', async () => {
  const { client, agent, inner, person } = await adaAndAgent();
  await agent.call('control', { id: 'inner', action: 'take', reason: 'migration' });
  await person.waitForText('claude-1 typing');
  await person.type('stray\r');
  await person.waitForText('claude-1 has the keyboard (migration): your keys were dropped. Ctrl+B t takes it.');
  await person.send('\x1b[200~pasted\x1b[201~');
  await person.press(['Ctrl+B', '?', 'x']);
  expect(await holderOf(client)).toBe('claude-1');
  await agent.call('type', { id: 'inner', text: 'still the agent', submit: true });
  await inner.waitForText('still the agent');
  await person.press(['Ctrl+B', 't']);
  await person.waitForText('You have the keyboard of inner.');
  await person.type('mine\r');
  await inner.waitForText('mine');
  expect((await inner.text()).trim()).toBe('ready\nstill the agent\nmine');
});

test('from another person it is taken after a question only', async () => {
  const { client, inner, person } = await adaAndAgent();
  await person.press(['Ctrl+B', 't']);
  await person.waitForText('You have the keyboard');
  const bob = await another(client, 'bob');
  await bob.press(['Ctrl+B', 't']);
  await bob.waitForText('ada has the keyboard. Take it? (y/n)');
  await bob.press('n');
  await bob.waitFor({ gone: 'Take it?' });
  expect(await holderOf(client)).toBe('ada');
  await bob.press(['Ctrl+B', 't']);
  await bob.waitForText('Take it?');
  await bob.press('y');
  await person.waitForText('bob has taken the keyboard.');
  await person.type('not this\r');
  await person.waitForText('bob has the keyboard: your keys were dropped.');
  await bob.type('of bob\r');
  await inner.waitForText('of bob');
  expect((await inner.text()).trim()).toBe('ready\nof bob');
});

test('of two who have attached under one name one types, and the other is refused until they take it', async () => {
  const { client, inner, person } = await adaAndAgent();
  await person.type('first\r');
  await inner.waitForText('first');
  const second = await another(client, 'ada');
  await second.waitForText('ada typing');
  await second.type('not this');
  await second.waitForText('ada has the keyboard: your keys were dropped.');
  await second.press(['Ctrl+B', 't']);
  await second.waitForText('Take it? (y/n)');
  await second.type('y');
  await second.waitForText('● you hold');
  await second.type('second\r');
  await inner.waitForText('second');
  await person.waitForText('ada has taken the keyboard.');
  await person.type('nor this');
  await person.waitForText('ada has the keyboard: your keys were dropped.');
  expect((await inner.text()).trim()).toBe('ready\nfirst\nsecond');
});

test('with --read-only and with --share nothing is taken', async () => {
  const { client, agent, inner } = await adaAndAgent();
  const bob = await another(client, 'bob', { flags: ['--share'] });
  await bob.type('shared\r');
  await inner.waitForText('shared');
  await bob.press(['Ctrl+B', 't']);
  await bob.waitForText('With --share the keyboard is never taken.');
  const carol = await another(client, 'carol', { flags: ['--read-only'] });
  await carol.type('x');
  await carol.waitForText('Read only.');
  await carol.press(['Ctrl+B', 't']);
  await carol.waitForText('Read only: the keyboard is never taken.');
  expect(await holderOf(client)).toBe(undefined);
  await agent.call('control', { id: 'inner', action: 'take' });
  await bob.type('not this\r');
  await bob.waitForText('claude-1 has the keyboard: your keys were dropped.');
  expect(await inner.text()).not.toContain('not');
});

test('f holds the keyboard while the terminal is fitted, and gives the size back first', async () => {
  const { client, agent, person } = await adaAndAgent();
  await person.press(['Ctrl+B', 'f']);
  await person.waitForText('90x25 fitted');
  expect(await client.call('control', { id: 'inner', action: 'show' })).toMatchObject({
    holder: { as: 'ada' },
    expires_in_ms: null,
  });
  await expect(agent.call('resize', { id: 'inner', cols: 100, rows: 30 })).rejects.toMatchObject({
    code: 'control_held',
  });
  await person.press(['Ctrl+B', 'f']);
  await person.waitForText('80x24 ');
  await agent.call('wait', { id: 'inner', until: { control: 'free' } });
  // Whoever only looks changes no size.
  await agent.call('control', { id: 'inner', action: 'take' });
  const bob = await another(client, 'bob', { flags: ['--read-only'] });
  await bob.press(['Ctrl+B', 'f']);
  await bob.waitForText('the terminal keeps its size');
  expect(await client.call('status', { id: 'inner' })).toMatchObject({ cols: 80, rows: 24 });
});

test('a report of the focus, or of a mouse that only moves, takes nothing, and is dropped while another has the keyboard', async () => {
  const file = tempDir().join('bytes');
  const { client, agent, inner, person } = await adaAndAgent({
    inner: { cmd_args: recorder(file, '\x1b[?1004h\x1b[?1003h\x1b[?1006h') },
  });
  await person.call('focus', { focused: true });
  await inner.waitForText('got 3.');
  await person.call('mouse', { action: 'move', row: 1, col: 1 });
  await inner.waitForText('got 13.');
  expect(await holderOf(client)).toBe(undefined);
  await agent.call('control', { id: 'inner', action: 'take' });
  await person.waitForText('claude-1 typing');
  await person.call('focus', { focused: false });
  await person.call('mouse', { action: 'move', row: 2, col: 2 });
  await person.call('mouse', { action: 'click', row: 3, col: 3 });
  await inner.waitForText('got 41.');
  expect(await holderOf(client)).toBe('ada');
  // The pointer comes to the cell of the click, and from none of the cells between.
  expect(readFileSync(file, 'latin1')).toBe('\x1b[I\x1b[<35;2;2M\x1b[<35;4;4M\x1b[<0;4;4M\x1b[<0;4;4m');
});

test('a paste that is refused at its beginning is refused whole, and its leader is text', async () => {
  const file = tempDir().join('bytes');
  const { client, inner, person } = await adaAndAgent({ inner: { cmd_args: recorder(file, '\x1b[?2004h') } });
  const bob = await another(client, 'bob');
  await bob.press(['Ctrl+B', 't']);
  await person.waitForText('bob typing');
  await person.send('\x1b[200~first\x02d');
  await person.waitForText('bob has the keyboard');
  await bob.press(['Ctrl+B', 'g', 'Enter']);
  await person.press(['Ctrl+B', '?']);
  await bob.waitForText('is given back');
  await person.send('rest\x1b[201~typed');
  await inner.waitForText('got 5.');
  expect(readFileSync(file, 'latin1')).toBe('typed');
});

test('who is ended by a signal gives the keyboard back', async () => {
  const { client, person } = await adaAndAgent();
  await person.press(['Ctrl+B', 't']);
  await person.waitForText('You have the keyboard');
  process.kill(await attachPid(person), 'SIGTERM');
  await person.waitForText('status 143');
  expect(await holderOf(client)).toBe(undefined);
});

test('of two who take at once one has the keyboard, and the other is asked', async () => {
  const { client, agent, inner, person } = await adaAndAgent();
  const bob = await another(client, 'bob');
  await Promise.all([person, bob].map((who) => who.press(['Ctrl+B', 't'])));
  await agent.call('wait', { id: 'inner', until: { control: 'lost' } });
  const first = (await holderOf(client)) === 'ada' ? person : bob;
  const second = first === person ? bob : person;
  await first.waitForText('You have the keyboard');
  await second.waitForText('has the keyboard. Take it? (y/n)');
  await second.press('n');
  await first.type('first\r');
  await inner.waitForText('first');
  await second.type('second\r');
  await second.waitForText('your keys were dropped');
  expect((await inner.text()).trim()).toBe('ready\nfirst');
});

test('a lease ends by itself, also in a line that is left, but not in a paste; that of the dead ends, too', async () => {
  // With echo: at a prompt that hides what is typed no lease ends.
  const { client, agent, person } = await adaAndAgent({ command: 'echo ready; cat' });
  await launch({ client, command: 'echo line; cat', name: 'line' });
  await launch({ client, cmd_args: recorder(tempDir().join('bytes'), '\x1b[?2004h'), name: 'paste' });
  const bob = await another(client, 'bob', { id: 'line' });
  const carol = await another(client, 'carol', { id: 'paste' });
  await bob.type('an unfinished line');
  await bob.waitForText('● you hold');
  await carol.send('\x1b[200~an open paste\r');
  await carol.waitForText('● you hold');
  // Without a chance to give back.
  await launch({ client, command: 'stty -echo; echo dead; cat', name: 'dead' });
  const dave = await another(client, 'dave', { id: 'dead' });
  await dave.press(['Ctrl+B', 't']);
  await dave.waitForText('You have the keyboard');
  process.kill(await attachPid(dave), 'SIGKILL');
  await person.type('a whole line\r');
  await person.waitForText('● you hold');
  const free = await agent.call('wait', { id: 'inner', until: { control: 'free' }, timeout_ms: 60_000 });
  expect(free).toMatchObject({ outcome: 'matched' });
  const dead = await agent.call('wait', { id: 'dead', until: { control: 'free' }, timeout_ms: 60_000 });
  expect(dead).toMatchObject({ outcome: 'matched' });
  const line = await agent.call('wait', { id: 'line', until: { control: 'free' }, timeout_ms: 60_000 });
  expect(line).toMatchObject({ outcome: 'matched' });
  expect(await client.call('control', { id: 'paste', action: 'show' })).toMatchObject({
    holder: { as: 'carol' },
    expires_in_ms: 0,
  });
});

test('k asks once more where an agent has the keyboard, and kills all the same', async () => {
  const { client, person } = await adaAndAgent();
  await client.call('control', { id: 'inner', action: 'take', as: 'claude-1' } as never);
  await person.waitForText('claude-1');
  await person.press(['Ctrl+B', 'k']);
  await person.waitForText('claude-1 has the keyboard. Kill inner? (y/n)');
  await person.press('y');
  await person.waitFor({ gone: 'has the keyboard. Kill inner?' });
  await expect.poll(async () => (await client.call('list')).terminals.map(({ id }) => id)).not.toContain('inner');
});
