/** What a person does on the page beside typing: secrets, the keyboard by request, the mouse, fingers. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { recorder } from '../attach/attached.js';
import { needs } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { browserOfFile, DESK, opened, PHONE, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

const SECRET = 'canary-0815';

async function started(client: Client, cmd_args: readonly string[]): Promise<void> {
  await client.call('create', { cmd_args: [...cmd_args], name: 'build', wait: { until: { text: 'ready' } } });
}

async function agentOf({ socketPath }: Client): Promise<Client> {
  const agent = await connect({ socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  return agent;
}

test('a secret is typed into the terminal, and neither shown nor sent to the agent', async () => {
  const script = 'stty -echo; printf ready; read -r x; stty echo; printf "[%s]" "${#x}"; cat';
  const { page, client } = await opened(DESK, ({ client }) => started(client, ['sh', '-c', script]));
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  const asked = agent.call('ask', { id: 'build', question: 'Password?', kind: 'secret' });
  const card = page.getByRole('article', { name: 'Question of claude-1' });
  const field = card.getByLabel('Secret, typed into the terminal');
  await field.fill(SECRET);
  expect(await field.getAttribute('type')).toBe('password');
  await card.getByRole('button', { name: 'Send' }).click();
  const reply = await asked;
  expect(reply).toMatchObject({ outcome: 'answered', by: 'ada' });
  await rowWith(page, `[${SECRET.length}]`).waitFor();
  expect(JSON.stringify(reply) + (await page.content())).not.toContain(SECRET);
});

test('a secret that the terminal would show is not typed, and the card has the command that insists', async () => {
  const { page, client } = await opened(DESK, ({ client }) =>
    started(client, ['sh', '-c', 'printf "ready "; exec cat']),
  );
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  const { ask } = await agent.call('ask', { id: 'build', question: 'Password?', kind: 'secret', timeout_ms: 0 });
  const card = page.getByRole('article', { name: 'Question of claude-1' });
  await card.getByLabel('Secret, typed into the terminal').fill(SECRET);
  await card.getByRole('button', { name: 'Send' }).click();
  await card.getByText(`t4a answer ${ask} --even-if-shown`).waitFor();
  expect(await client.call('status', { id: 'build' })).toMatchObject({ inputs: 0 });
  expect(await card.getByLabel('Secret, typed into the terminal').inputValue()).toBe('');
  await client.call('answer', { ask, text: SECRET, even_if_shown: true });
  await card.waitFor({ state: 'detached' });
  await rowWith(page, `ready ${SECRET}`).waitFor();
});

test('a request for the hands of a person is accepted by taking the keyboard, and answered by giving it back', async () => {
  const { page, client } = await opened(DESK, ({ client }) =>
    started(client, ['sh', '-c', 'stty raw -echo; printf ready; exec cat']),
  );
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  const asked = agent.call('ask', { id: 'build', question: 'Resolve it', kind: 'hand' });
  const card = page.getByRole('article', { name: 'Question of claude-1' });
  await card.getByRole('button', { name: 'Take the keyboard' }).click();
  const done = card.getByRole('button', { name: 'Done, give back' });
  await done.waitFor();
  await page.keyboard.type(' fixed');
  await rowWith(page, 'ready fixed').waitFor();
  await done.click();
  expect(await asked).toMatchObject({ outcome: 'answered', by: 'ada', changed: true });
  await card.waitFor({ state: 'detached' });
  expect(await client.call('control', { id: 'build', action: 'show' })).toMatchObject({ holder: null });
});

/** A program that listens to the mouse, in the form of SGR, and notes what it reads. */
async function listener(size: typeof DESK | typeof PHONE, modes: string): Promise<Listener> {
  const file = tempDir().join('read');
  const { page, client } = await opened(size, ({ client }) => started(client, recorder(file, modes)));
  await rowWith(page, 'ready').waitFor();
  return { page, client, read: () => readFileSync(file, 'utf8') };
}

interface Listener {
  readonly page: Page;
  readonly client: Client;
  readonly read: () => string;
}

/** CSS pixels of the middle of a cell, counted from 0. */
async function middleOf(page: Page, row: number, col: number): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.locator('.grid:not(.past) .row').nth(row).boundingBox();
  if (box === null) throw new Error('the row is not to be seen');
  return { x: box.x + ((col + 0.5) * box.width) / 80, y: box.y + box.height / 2 };
}

test('a program that listens to the mouse gets clicks, drags and the wheel; with Shift the browser has them', async () => {
  const { page, read } = await listener(DESK, '\x1b[?1002h\x1b[?1006h');
  const [from, to] = [await middleOf(page, 4, 9), await middleOf(page, 6, 19)];
  await page.mouse.click(from.x, from.y);
  await page.mouse.click(from.x, from.y, { button: 'right' });
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
  await page.mouse.wheel(0, 40);
  await page.mouse.wheel(0, -40);
  const words = [
    ['0;10;5M', '0;10;5m'],
    ['2;10;5M', '2;10;5m'],
    ['0;10;5M', '32;20;7M', '0;20;7m'],
    ['65;20;7M', '64;20;7M'],
  ].flat();
  await expect.poll(read).toBe(words.map((word) => `\x1b[<${word}`).join(''));
  await page.keyboard.down('Shift');
  await page.mouse.click(from.x, from.y);
  await page.keyboard.up('Shift');
  // A fence: had the click been sent, it would stand before.
  await page.keyboard.press('x');
  await expect.poll(read).toBe(`${words.map((word) => `\x1b[<${word}`).join('')}x`);
});

test('the wheel turns into arrows on the alternate screen, and scrolls the text otherwise', async () => {
  const { page, read, client } = await listener(DESK, '\x1b[?1049h');
  const { x, y } = await middleOf(page, 4, 9);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -40);
  await page.mouse.wheel(0, 40);
  await expect.poll(read).toBe('\x1b[A\x1b[A\x1b[B\x1b[B');
  await client.call('kill', { id: 'build' });
  await client.call('create', {
    cmd_args: ['sh', '-c', 'seq 1 300; printf long; exec cat'],
    name: 'long',
    wait: { until: { text: 'long' } },
  });
  // It has come to the place of the other one, and takes no click before a person can have seen it.
  const long = page.getByRole('button', { name: /^long/ });
  await expect.poll(() => long.click().then(() => long.getAttribute('aria-current'))).toBe('true');
  await rowWith(page, 'long').waitFor();
  await expect.poll(() => page.evaluate(`document.querySelector('.term').scrollTop`)).toBeGreaterThan(0);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -2000);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  expect(await client.call('status', { id: 'long' })).toMatchObject({ inputs: 0 });
});

test('a double tap magnifies the terminal, and a second one takes it back', async () => {
  const { page, client } = await listener(PHONE, '');
  const width = async (): Promise<number> => (await page.locator('.row').first().boundingBox())?.width ?? 0;
  const fitted = await width();
  expect(fitted).toBeLessThanOrEqual(PHONE.viewport.width);
  const { x, y } = await middleOf(page, 4, 9);
  const doubleTap = (): Promise<unknown> => Promise.all([page.touchscreen.tap(x, y), page.touchscreen.tap(x, y)]);
  await doubleTap();
  await expect.poll(width).toBeGreaterThan(1.8 * fitted);
  await doubleTap();
  await expect.poll(width).toBe(fitted);
  expect(await client.call('status', { id: 'build' })).toMatchObject({ inputs: 0 });
});

test('an answer that the agent has not read is taken back on its card, and one that it has read is not', async () => {
  const { page, client } = await opened(DESK, ({ client }) => started(client, ['sh', '-c', 'printf ready; exec cat']));
  const agent = await agentOf(client);
  const { ask } = await agent.call('ask', { question: 'Delete it?', kind: 'confirm', timeout_ms: 0 });
  const [yes, undo] = [
    page.getByRole('button', { name: 'Yes', disabled: false }),
    page.getByRole('button', { name: 'Undo' }),
  ];
  await yes.click();
  await undo.click();
  await yes.waitFor();
  expect((await client.call('asks')).asks.map((one) => one.ask)).toEqual([ask]);
  const waiting = agent.call('ask', { resume: ask });
  await page.getByRole('button', { name: 'No', disabled: false }).click();
  expect(await waiting).toMatchObject({ outcome: 'answered', answer: false, by: 'ada' });
  await page.getByText('Answered by ada.').waitFor();
  expect(await undo.count()).toBe(0);
});

test('a click that was meant for one question answers no other: cards keep their places, and a new one takes none', async () => {
  const { page, client } = await opened(DESK, ({ client }) => started(client, ['sh', '-c', 'printf ready; exec cat']));
  const [first, second] = [await agentOf(client), await agentOf(client)];
  const one = await first.call('ask', { question: 'Delete the test database?', kind: 'confirm', timeout_ms: 0 });
  const yes = page.getByRole('button', { name: 'Yes', disabled: false });
  await yes.waitFor();
  const place = await yes.boundingBox();
  if (place === null) throw new Error('no button');
  await page.mouse.move(place.x + 5, place.y + 5);
  const two = await second.call('ask', { question: 'Delete PRODUCTION?', kind: 'confirm', timeout_ms: 0 });
  await page.getByText('PRODUCTION').waitFor();
  await page.mouse.down();
  await page.mouse.up();
  const open = async (): Promise<number[]> => (await client.call('asks')).asks.map(({ ask }) => ask);
  await expect.poll(open).toEqual([two.ask]);
  expect(two.ask).toBeGreaterThan(one.ask);
  // The lower card is over, and stays while the mouse is there: the upper one does not slide below it.
  await page.getByText('Answered by ada.').waitFor();
  await page.mouse.down();
  await page.mouse.up();
  const three = await first.call('ask', { question: 'A third?', kind: 'confirm', timeout_ms: 0 });
  await page.getByText('A third?').waitFor();
  expect(await open()).toEqual([two.ask, three.ask]);
  await page.mouse.move(100, 100);
  await page.getByText('Answered by ada.').waitFor({ state: 'detached' });
});

test('what is typed into a card whose question has ended reaches no terminal, Enter included', async () => {
  const { page, client } = await opened(DESK, ({ client }) => started(client, ['sh', '-c', 'printf ready; exec cat']));
  await rowWith(page, 'ready').waitFor();
  const agent = await agentOf(client);
  const { ask } = await agent.call('ask', { question: 'Which branch?', timeout_ms: 0 });
  await page.getByLabel('Answer').click();
  await page.keyboard.type('ma');
  await agent.call('ask', { withdraw: ask });
  await page.getByText('Withdrawn: the agent does not ask any more.').waitFor();
  await page.keyboard.type('in');
  await page.keyboard.press('Enter');
  expect(await client.call('status', { id: 'build' })).toMatchObject({ inputs: 0 });
  await page.keyboard.press('Escape');
  await page.mouse.move(100, 100);
  await page.keyboard.type('typed');
  await rowWith(page, 'readytyped').waitFor();
  await page.getByText('Which branch?').waitFor({ state: 'detached' });
});
