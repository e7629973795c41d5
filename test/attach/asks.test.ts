/** An agent asks, and a person who has attached answers. */
import { onTestFinished, expect, test } from 'vitest';
import { connect, launch, type Client, type Terminal } from '../../src/client/index.js';
import type { ParamsInput } from '../../src/protocol/registry.js';
import { attached, ATTACHED, attachWords } from './attached.js';
import { notification } from '../../src/mirror/outer-sequences.js';

interface Asked {
  readonly client: Client;
  readonly agent: Client;
  readonly inner: Terminal;
  readonly person: Terminal;
  /** Asks about the terminal "inner". */
  readonly ask: (params: ParamsInput<'ask'>) => Promise<object>;
  /** Number of the test's nth question, from 1. */
  readonly number: (nth: number) => number;
}

/** The daemon of the file numbers the questions of all tests. */
let asked = 0;

async function adaAndAgent(command = 'stty -echo; echo ready; exec cat', flags: string[] = []): Promise<Asked> {
  const parts = await attached({ command, flags, person: { env: { T4A_AS: 'ada' } } });
  const agent = await connect({ socketPath: parts.client.socketPath, as: 'claude-1' });
  onTestFinished(() => agent.close());
  await parts.person.waitForText('ready');
  const before = asked;
  const ask: Asked['ask'] = (params) => {
    asked++;
    return agent.call('ask', { id: 'inner', timeout_ms: 60_000, ...params });
  };
  return { ...parts, agent, ask, number: (nth) => before + nth };
}

test('a question is shown and announced once, and a line answers it', async () => {
  const { client, person, inner, ask, number } = await adaAndAgent();
  const events = client.events({ terminal: 'person', types: ['notification', 'bell'] });
  onTestFinished(() => events.close());
  await events.subscribed;
  const seen = events[Symbol.asyncIterator]();
  const answered = ask({ question: 'Which\nbranch?' });
  await person.waitForText(`claude-1 asks #${number(1)}: Which branch?`);
  await person.waitForText('^B a answer │ ^B x decline │ ^B ?');
  expect((await seen.next()).value).toMatchObject({ event: 'bell', count: 1 });
  expect((await seen.next()).value).toMatchObject({
    event: 'notification',
    title: '',
    body: 't4a inner: claude-1 asks: Which branch?',
  });
  // Until the command, keys are for the program.
  await person.type('a key\r');
  await inner.waitForText('a key');
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('Answer to claude-1:');
  const card = (await person.text()).split('\n').slice(-5, -1);
  expect(card.map((line) => line.trimEnd())).toEqual([
    ' inner │ cat',
    ` question ${number(1)} (text) of claude-1:`,
    '   Which',
    '   branch?',
  ]);
  await person.type('main');
  await person.press('Backspace');
  await person.send('\x1b[200~n \x02d\n\x1b[201~');
  await person.press('Enter');
  expect(await answered).toMatchObject({ outcome: 'answered', answer: 'main d', by: 'ada' });
  await person.waitForText(`Question ${number(1)} is answered.`);
  expect((await inner.text()).trim()).toBe('ready\na key');
});

test('a key answers a choice, by its place, and another one cancels nothing', async () => {
  const { person, ask, number } = await adaAndAgent();
  const answered = ask({ question: 'Which?', kind: 'choice', choices: ['2', 'main', 'dev'] });
  await person.waitForText(`#${number(1)}: Which?`);
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('2  main');
  await person.press('7');
  await person.waitForText('expected one of 1');
  await person.press(['Ctrl+B', 'a', '2']);
  expect(await answered).toMatchObject({ outcome: 'answered', answer: 'main', by: 'ada' });
});

test('y and n answer a confirmation, and Escape leaves it open', async () => {
  const { person, ask, number } = await adaAndAgent();
  const first = ask({ question: 'Deploy?', kind: 'confirm' });
  await person.waitForText(`#${number(1)}: Deploy?`);
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('Yes or no');
  await person.press('Escape');
  await person.waitForText('^B a answer');
  await person.press(['Ctrl+B', 'a', 'z']);
  await person.waitForText('Not answered: y is yes, and n is no.');
  await person.press(['Ctrl+B', 'a', 'y']);
  expect(await first).toMatchObject({ outcome: 'answered', answer: true });
  const second = ask({ question: 'Really?', kind: 'confirm' });
  await person.press('Ctrl+B');
  await person.press('?');
  await person.waitForText('Commands');
  await person.press('x');
  await person.waitForText(`#${number(2)}: Really?`);
  await person.press(['Ctrl+B', 'a', 'n']);
  expect(await second).toMatchObject({ outcome: 'answered', answer: false });
});

test('x declines after a question, the oldest one first', async () => {
  const { person, ask, number } = await adaAndAgent();
  const first = ask({ question: 'One?' });
  await person.waitForText(`#${number(1)}: One?`);
  const second = ask({ question: 'Two?' });
  await person.waitForText(`#${number(1)} (and 1 more): One?`);
  await person.press(['Ctrl+B', 'x']);
  await person.waitForText(`Decline question ${number(1)} of claude-1? (y/n)`);
  await person.press('n');
  await person.waitForText(`#${number(1)} (and 1 more): One?`);
  await person.press(['Ctrl+B', 'x', 'y']);
  expect(await first).toMatchObject({ outcome: 'declined', by: 'ada' });
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText(`question ${number(2)} (text)`);
  await person.type('two\r');
  expect(await second).toMatchObject({ outcome: 'answered', answer: 'two' });
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('There is no question to answer.');
});

test('a secret is typed into the terminal that hides it, and is nowhere to be read', async () => {
  const { client, person, inner, ask, number } = await adaAndAgent(
    'printf "ready\\nPassword: "; stty -echo; read -r secret; stty echo; echo; echo "${#secret} characters"; cat',
  );
  const answered = ask({ question: 'Sign in, please', kind: 'secret' });
  await person.waitForText(`#${number(1)}: Sign in, please`);
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('Secret, typed into inner:');
  await person.type('hunter2');
  await person.waitForText('•••••••');
  await person.press('Enter');
  const reply = await answered;
  expect(reply).toMatchObject({ outcome: 'answered', by: 'ada' });
  expect(reply).not.toHaveProperty('answer');
  await inner.waitForText('7 characters');
  for (const id of ['inner', 'person']) {
    const { bytes } = await client.call('output', { id, since: 0, max_bytes: 1_000_000 });
    expect(Buffer.from(bytes ?? []).toString()).not.toContain('hunter2');
  }
});

test('a secret that the terminal would show is typed after a second question only', async () => {
  const { person, inner, ask, number } = await adaAndAgent('echo ready; exec cat');
  const answered = ask({ question: 'Key?', kind: 'secret' });
  await person.waitForText(`#${number(1)}: Key?`);
  await person.press(['Ctrl+B', 'a']);
  await person.type('hunter2\r');
  await person.waitForText('may show the secret. Type it all the same? (y/n)');
  await person.press('n');
  await person.waitForText('Not typed.');
  expect(await inner.text()).not.toContain('hunter2');
  await person.press(['Ctrl+B', 'a']);
  await person.type('hunter3\r');
  await person.waitForText('may show the secret');
  await person.press('y');
  expect(await answered).toMatchObject({ outcome: 'answered', by: 'ada' });
  await inner.waitForText('hunter3');
});

test('a hand takes the keyboard, and giving it back with a note is the answer', async () => {
  const { client, agent, person, inner, ask, number } = await adaAndAgent();
  await agent.call('control', { id: 'inner', action: 'take' });
  const answered = ask({ question: 'Resolve the conflict, please', kind: 'hand' });
  await person.waitForText(`#${number(1)}: Resolve the conflict, please`);
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('You have the keyboard of inner.');
  expect(await client.call('control', { id: 'inner', action: 'show' })).toMatchObject({
    holder: { as: 'ada', person: true },
    expires_in_ms: null,
  });
  await person.type('resolved\r');
  await inner.waitForText('resolved');
  await person.waitForText('^B g give back');
  await person.press(['Ctrl+B', 'g']);
  await person.waitForText('with a note');
  await person.type('both sides kept\r');
  expect(await answered).toMatchObject({ outcome: 'answered', by: 'ada', note: 'both sides kept' });
  await agent.call('type', { id: 'inner', text: 'thanks', submit: true });
  await person.waitForText('thanks');
});

test('the first key accepts a hand, too, and a pause does not give it back', async () => {
  const { client, person, inner, ask, number } = await adaAndAgent();
  const answered = ask({ question: 'Look, please', kind: 'hand' });
  await person.waitForText(`#${number(1)}: Look, please`);
  await person.type('looked\r');
  await inner.waitForText('looked');
  expect(await client.call('control', { id: 'inner', action: 'show' })).toMatchObject({
    holder: { as: 'ada' },
    expires_in_ms: null,
  });
  await person.press(['Ctrl+B', 'g', 'Enter']);
  expect(await answered).toMatchObject({ outcome: 'answered', by: 'ada' });
});

test('a hand that is asked for while the person types keeps the keyboard until it is given back', async () => {
  const { client, person, inner, ask } = await adaAndAgent();
  await person.type('typing\r');
  await inner.waitForText('typing');
  const lease = await client.call('control', { id: 'inner', action: 'show' });
  expect(lease.expires_in_ms).not.toBe(null);
  const answered = ask({ question: 'Stay, please', kind: 'hand' });
  await person.waitForText('^B g give back');
  // Keys wait until the keyboard is kept.
  await person.press(['Ctrl+B', '?']);
  await person.waitForText('Commands');
  expect(await client.call('control', { id: 'inner', action: 'show' })).toMatchObject({
    holder: { as: 'ada' },
    expires_in_ms: null,
  });
  await person.press(['x', 'Ctrl+B', 'g', 'Enter']);
  expect(await answered).toMatchObject({ outcome: 'answered', by: 'ada' });
});

test('a question that ends while it is being answered keeps the keys', async () => {
  const { agent, person, inner, ask, number } = await adaAndAgent();
  const asked = ask({ question: 'Gone soon?', kind: 'text' });
  await person.waitForText(`#${number(1)}: Gone soon?`);
  await person.press(['Ctrl+B', 'a']);
  await person.type('half ');
  await person.waitForText('half');
  await agent.call('ask', { withdraw: number(1) });
  expect(await asked).toMatchObject({ outcome: 'withdrawn' });
  await person.type('an answer\r');
  await person.waitForText(`Question ${number(1)} was withdrawn`);
  expect((await inner.text()).trim()).toBe('ready');
});

test('with --read-only a question is shown, and not answered', async () => {
  const { agent, person, ask, number } = await adaAndAgent(undefined, ['--read-only']);
  const asked = ask({ question: 'Who looks?' });
  await person.waitForText(`#${number(1)}: Who looks?`);
  expect(await person.text()).not.toContain('^B a');
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('Read only.');
  await agent.call('ask', { withdraw: number(1) });
  expect(await asked).toMatchObject({ outcome: 'withdrawn' });
  await person.press(['Ctrl+B', '?', 'x']);
  await person.waitFor({ gone: `#${number(1)}` });
});

test('hostile words of an asker and of a program are text', async () => {
  const { client, agent, person, ask, number } = await adaAndAgent(
    String.raw`printf '\033]2;t\302\205\033\\\033[2Jtitle\007ready\n'; stty -echo; cat`,
  );
  await agent.call('control', { id: 'inner', action: 'take', reason: 'r\u001b]0;evil\u0007\u202e' });
  const hostile = `\u001b]0;evil\u0007\u001b[2J\u009b31m\u202egpj\u0000\r9;4;1;50 ${'x'.repeat(4000)}`;
  const asked = ask({ question: hostile, kind: 'choice', choices: [hostile.slice(0, 60), 'b\u001bc'] });
  await person.waitForText(`asks #${number(1)}`);
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText(`question ${number(1)} (choice)`);
  await person.press('2');
  expect(await asked).toMatchObject({ outcome: 'answered' });
  await person.waitForText(`Question ${number(1)} is answered.`);
  const { bytes } = await client.call('output', { id: 'person', since: 0, max_bytes: 1_000_000 });
  const output = Buffer.from(bytes ?? []).toString('utf8');
  /* oxlint-disable no-control-regex -- they are what is looked for */
  const notifications = output.match(/\u001b\][^\u0007]*\u0007/g) ?? [];
  expect(notifications).toHaveLength(1);
  expect(notifications[0]).toMatch(/^\u001b\]9;t4a inner: claude-1 asks: [^\u0000-\u001f\u007f-\u009f\u202e]*\u0007$/);
  expect(notifications[0]?.length).toBeLessThanOrEqual(205);
  expect(output).not.toMatch(/[\u0000\u0080-\u009f\u200e\u200f\u202a-\u202e]|\u001b[\]P_^X](?!9;t4a inner)/);
  /* oxlint-enable no-control-regex */
  // Nor where the daemon has let them through.
  expect(notification(hostile, 200).slice('\u001b]9;'.length, -1)).not.toMatch(/[\p{Cc}\u202e]/u);
  // No title was set: it is the name of the program.
  expect((await person.call('status', {})).title).toBe('sh');
});

test('two persons and an agent use one shell, and each line is whole', async () => {
  const { client, agent, person, inner } = await adaAndAgent('stty -echo; echo ready; exec cat');
  const bob = await launch({
    client,
    cmd_args: attachWords(client, 'inner'),
    name: 'bob',
    env: { T4A_AS: 'bob' },
    cols: 90,
    rows: 26,
  });
  await bob.waitForText(ATTACHED);
  const lines: string[] = [];
  const typeLine = async (who: Terminal, line: string): Promise<void> => {
    await who.type(`${line}\r`);
    await inner.waitForText(line);
    await who.press(['Ctrl+B', 'g', 'Enter']);
    await who.waitForText('is given back');
  };
  for (let i = 0; i < 3; i++) {
    lines.push(`agent ${i}`, `ada ${i}`, `bob ${i}`);
    await agent.call('type', { id: 'inner', text: `agent ${i}`, submit: true });
    await typeLine(person, `ada ${i}`);
    await typeLine(bob, `bob ${i}`);
  }
  expect((await inner.text()).trim().split('\n')).toEqual(['ready', ...lines]);
});

test('questions about other terminals and about none are counted, rung for once, marked in the list, and answered', async () => {
  const { client, agent, person, ask, number } = await adaAndAgent();
  await launch({ client, command: 'stty -echo; echo other; cat', name: 'other' });
  const first = ask({ question: 'Which\nbranch?', id: 'other' });
  await person.waitForText('1 question elsewhere, ^B a');
  const second = ask({ question: 'Deploy?', kind: 'confirm', id: undefined });
  await person.waitForText('2 questions elsewhere, ^B a');
  const { bytes } = await client.call('output', { id: 'person', since: 0, max_bytes: 1_000_000 });
  const output = Buffer.from(bytes ?? []).toString();
  expect(output.split('t4a other: claude-1 asks: Which branch?')).toHaveLength(2);
  expect(output.split('t4a: claude-1 asks: Deploy?')).toHaveLength(2);
  await person.press(['Ctrl+B', 'w']);
  await person.waitForText('? claude-1: Which branch?');
  await person.press(['Escape', 'Ctrl+B', 'a']);
  await person.waitForText(`question ${number(1)} (text) of claude-1:`);
  expect(await person.text()).toContain(' other │ ');
  await person.type('main\r');
  expect(await first).toMatchObject({ outcome: 'answered', answer: 'main', by: 'ada' });
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText(`question ${number(2)} (confirm) of claude-1:`);
  await person.press('y');
  expect(await second).toMatchObject({ outcome: 'answered', answer: true, by: 'ada' });
  const third = ask({ question: 'Really?', id: 'other' });
  await person.press(['Ctrl+B', '?', 'x']);
  await person.waitForText('1 question elsewhere');
  await agent.call('ask', { withdraw: number(3) });
  expect(await third).toMatchObject({ outcome: 'withdrawn' });
  await person.waitFor({ gone: 'elsewhere' });
});

test('a hand for another terminal shows that terminal, and the next command takes its keyboard', async () => {
  const { client, person, ask, number } = await adaAndAgent();
  await launch({ client, command: 'stty -echo; echo other; cat', name: 'other' });
  const answered = ask({ question: 'Log in, please', kind: 'hand', id: 'other' });
  await person.waitForText('1 question elsewhere');
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText(`other  claude-1 asks #${number(1)}: Log in, please`);
  await person.press(['Ctrl+B', 'a']);
  await person.waitForText('You have the keyboard of other.');
  await person.press(['Ctrl+B', 'g', 'Enter']);
  expect(await answered).toMatchObject({ outcome: 'answered', by: 'ada' });
});
