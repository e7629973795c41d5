/** The page without a mouse: the search, the commands, the list, input methods, and one page that writes. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, openedByLink, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

async function launched(client: Client, name: string, script: string): Promise<void> {
  // The bell is a fence: all of the text is on the screen.
  const cmd_args = ['sh', '-c', `stty raw -echo; ${script}; printf '\\007'; exec cat`];
  await client.call('create', { cmd_args, name, wait: { until: { event: 'bell' } } });
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(`(document.activeElement.ariaLabel ?? document.activeElement.textContent).replaceAll(/\\s+/g, ' ')`);

const numbered = `i=0; while [ $i -lt 600 ]; do i=$((i+1)); printf 'line %s.\\r\\n' $i; done`;

/** Texts that are marked, of the match that is shown with a "!". */
const marked = (page: Page): Promise<string[]> =>
  page.evaluate(`[...CSS.highlights].flatMap(([name, ranges]) =>
    Array.from(ranges, (range) => range.toString() + (name.endsWith('now') ? '!' : '')))`);

test('the search finds as one types, marks its matches, and leaves the view and the keyboard to the terminal at Escape', async () => {
  const { page, client } = await opened(DESK, ({ client }) => launched(client, 'build', numbered));
  await rowWith(page, 'line 600.').waitFor();
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('LINE 51');
  await page.getByText('11 of 11').waitFor();
  await page.locator('.past .row', { hasText: 'line 519.' }).waitFor();
  await expect.poll(() => marked(page)).toContain('line 51!');
  expect((await marked(page)).filter((one) => one === 'line 51').length).toBeGreaterThanOrEqual(9);
  await page.keyboard.type('2.');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  expect(await marked(page)).toEqual(['line 512.!']);
  expect(await page.locator('.row[data-found]').textContent()).toBe('line 512.');
  const place = await page.evaluate(`document.querySelector('.term').scrollTop`);
  await page.keyboard.press('Escape');
  await page.getByRole('search').waitFor({ state: 'detached' });
  expect(await page.evaluate(`document.querySelector('.term').scrollTop`)).toBe(place);
  expect(await focused(page)).toBe('Keyboard of build');
  expect(await marked(page)).toEqual([]);
  expect(await client.call('status', { id: 'build' })).toMatchObject({ inputs: 0 });
  await page.keyboard.type('typed');
  await rowWith(page, 'typed').waitFor();
  await page.getByRole('button', { name: 'To the end' }).waitFor({ state: 'detached' });
});

test('Enter goes to the matches before, with Shift to the next ones, and an answer to older words is dropped', async () => {
  const { page } = await opened(DESK, ({ client }) => launched(client, 'build', numbered));
  await rowWith(page, 'line 600.').waitFor();
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('0.');
  await page.getByText('60 of 60').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('59 of 60').waitFor();
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.press('Shift+Enter');
  await page.getByText('1 of 60', { exact: true }).waitFor();
  await page.locator('.past .row[data-found]', { hasText: /^line 10\.$/ }).waitFor();
  await page.getByLabel('Search in the text').fill('nowhere');
  await page.getByText('none').waitFor();
  expect(await marked(page)).toEqual([]);
  await page.getByLabel('Search in the text').fill('');
  await page.getByText('none').waitFor({ state: 'detached' });
});

test('a match in a line of several rows is marked where it is, also across their ends', async () => {
  const { page } = await opened(DESK, ({ client }) =>
    launched(client, 'build', `printf '%0500d' 7; printf 'abcdefgh%0200d\\r\\nend' 8`),
  );
  await rowWith(page, 'end').waitFor();
  await page.keyboard.press('Control+Shift+F');
  await page.keyboard.type('7ABCD');
  await page.getByText('1 of 1', { exact: true }).waitFor();
  await expect.poll(() => marked(page)).toEqual(['7abcd!']);
  await page.getByLabel('Search in the text').fill('0007abcdefgh000');
  await expect.poll(() => marked(page)).toEqual(['0007abcdefgh000!']);
});

async function twoTerminals({ client }: { readonly client: Client }): Promise<void> {
  await launched(client, 'first', 'printf one');
  await launched(client, 'second', 'printf two');
}

test.each(['Control+Shift+P', 'Shift+F1'])(
  '%s leaves the terminal for the commands, and Escape goes back to it',
  async (key) => {
    const { page, client, complaints } = await opened(DESK, twoTerminals);
    await rowWith(page, 'one').waitFor();
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    expect(await focused(page)).toBe('Find a command or a terminal');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Keyboard of first');
    await page.keyboard.press(key);
    await page.keyboard.type('next');
    await page.keyboard.press('Enter');
    await rowWith(page, 'two').waitFor();
    await expect.poll(() => focused(page)).toBe('Keyboard of second');
    await page.keyboard.press(key);
    await page.keyboard.type('go first');
    await page.keyboard.press('Enter');
    await rowWith(page, 'one').waitFor();
    expect(await client.call('status', { id: 'first' })).toMatchObject({ inputs: 0 });
    expect(complaints).toEqual([]);
  },
);

test('the commands take the keyboard, fit, search, and lead to a question', async () => {
  const { page, client } = await opened(DESK, twoTerminals);
  await rowWith(page, 'one').waitFor();
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  const run = async (words: string): Promise<void> => {
    await page.keyboard.press('Control+Shift+P');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await run('take');
  await page.getByRole('button', { name: 'Give back' }).waitFor();
  await run('give back');
  await page.getByRole('button', { name: 'Take', exact: true }).waitFor();
  await run('fit');
  await page.getByText(/^1\d\d × \d\d$/).waitFor();
  await run('own size');
  await page.getByText('80 × 24').waitFor();
  const asked = agent.call('ask', { id: 'second', question: 'Which branch?' });
  await page.getByRole('article').waitFor();
  await run('answer which');
  await expect.poll(() => focused(page)).toBe('Answer');
  await rowWith(page, 'two').waitFor();
  await page.keyboard.type('main');
  await page.keyboard.press('Enter');
  expect(await asked).toMatchObject({ answer: 'main' });
  await run('search');
  await expect.poll(() => focused(page)).toBe('Search in the text');
});

test('among the commands those that lead to who needs a person are first', async () => {
  const { page, client } = await opened(DESK, twoTerminals);
  await rowWith(page, 'one').waitFor();
  await client.call('report', { id: 'second', state: 'blocked', kind: 'permission' });
  await page.locator('.item .dot.is-waits').waitFor();
  await page.keyboard.press('Control+Shift+P');
  const names = page.getByRole('dialog', { name: 'Commands' }).getByRole('option');
  await expect
    .poll(async () => (await names.allTextContents()).slice(0, 2))
    .toEqual([expect.stringMatching(/^Go to secondwaits · /), 'Next terminal']);
});

test('the commands show a question as the list does, and one ring: that of the chosen line', async () => {
  const { page, client } = await opened(DESK, twoTerminals);
  await rowWith(page, 'one').waitFor();
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  const question = '\n```\nrm -r `build`\u202e\n```\nGo on?';
  await agent.call('ask', { id: 'second', question, kind: 'confirm', timeout_ms: 0 });
  await page.locator('.item .is-question', { hasText: 'rm -r build' }).waitFor();
  await page.keyboard.press('Control+Shift+P');
  const options = page.getByRole('dialog', { name: 'Commands' }).getByRole('option');
  await expect.poll(() => options.first().innerText()).toMatch(/^Answer claude-1\s+rm -r build$/);
  const ringed: readonly string[] = await page.evaluate(
    `[...document.querySelectorAll('dialog *')].filter((one) => getComputedStyle(one).outlineStyle !== 'none').map((one) => one.id)`,
  );
  expect(ringed).toEqual(['command-0']);
});

test('arrows walk through the list, and Enter chooses', async () => {
  const { page } = await opened(DESK, twoTerminals);
  await rowWith(page, 'one').waitFor();
  await page.keyboard.press('Control+Shift+P');
  await page.keyboard.type('list');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toMatch(/^first/);
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toMatch(/^second/);
  await page.keyboard.press('Enter');
  await rowWith(page, 'two').waitFor();
  expect(await focused(page)).toBe('Keyboard of second');
  await page.getByLabel('Find a terminal').fill('fir');
  await page.keyboard.press('Enter');
  await rowWith(page, 'one').waitFor();
  await page.getByLabel('Find a terminal').fill('');
});

test('what an input method composes is seen at the cursor, and in the terminal at the right edge', async () => {
  const { page, context } = await opened(DESK, ({ client }) => launched(client, 'build', 'printf here'));
  await rowWith(page, 'here').waitFor();
  const session = await context.newCDPSession(page);
  onTestFinished(() => session.detach());
  const compose = (text: string): Promise<unknown> =>
    session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  const preedit = page.locator('.preedit');
  await compose('にほん');
  await expect.poll(() => preedit.textContent()).toBe('にほん');
  const boxOf = async (name: string): Promise<{ x: number; y: number; width: number; height: number }> => {
    const box = await page.locator(name).first().boundingBox();
    if (box === null) throw new Error(`${name} is not to be seen`);
    return box;
  };
  const [cursor, text] = [await boxOf('.cursor'), await boxOf('.preedit')];
  expect(Math.abs(text.x - cursor.x) + Math.abs(text.y - cursor.y)).toBeLessThan(2);
  expect(text.width).toBeGreaterThan(2.5 * cursor.width);
  await session.send('Input.insertText', { text: '日本' });
  await rowWith(page, 'here日本').waitFor();
  await expect.poll(() => preedit.isVisible()).toBe(false);
  await page.keyboard.type(' '.repeat(70));
  await expect.poll(async () => (await boxOf('.cursor')).x).toBeGreaterThan(cursor.x + 60 * cursor.width);
  await compose('とうきょう');
  await expect.poll(() => preedit.isVisible()).toBe(true);
  const [edge, late] = [await boxOf('.row'), await boxOf('.preedit')];
  expect(late.x + late.width).toBeLessThanOrEqual(edge.x + edge.width + 1);
  // Given up: nothing was sent.
  await compose('');
  await expect.poll(() => preedit.isVisible()).toBe(false);
});

test('where one page has taken the keyboard, another of the same person is refused, and may take it over', async () => {
  const { page, context, client, origin } = await openedByLink(DESK, ({ client }) =>
    launched(client, 'build', `printf 'both '`),
  );
  await rowWith(page, 'both').waitFor();
  const [second] = await Promise.all([context.waitForEvent('page'), page.evaluate(`void window.open('${origin}/')`)]);
  await rowWith(second, 'both').waitFor();
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await second.getByText('ada has the keyboard elsewhere').waitFor();
  await second.keyboard.type('x');
  await second.getByText('Nothing was typed: ada has the keyboard').waitFor();
  await page.keyboard.type('mine ');
  await rowWith(second, 'both mine').waitFor();
  await second.getByRole('button', { name: 'Take from ada' }).click();
  await second.getByRole('button', { name: 'Give back' }).waitFor();
  await page.getByText('ada has the keyboard elsewhere').waitFor();
  await page.keyboard.type('y');
  await page.getByText('Nothing was typed: ada has the keyboard').waitFor();
  await second.keyboard.type('theirs');
  await rowWith(page, 'both mine theirs').waitFor();
  // Not by the page alone: the daemon refuses whatever comes under the name from elsewhere.
  const other = await connect({ socketPath: client.socketPath, as: 'ada', autoStart: false });
  onTestFinished(() => other.close());
  await expect(other.call('type', { id: 'build', text: 'not this' })).rejects.toMatchObject({ code: 'control_held' });
  // A page that goes away gives back.
  await second.close();
  await page.getByRole('button', { name: 'Take', exact: true }).waitFor();
  expect(await client.call('control', { id: 'build', action: 'show' })).toMatchObject({ holder: null });
});

test('what is typed while the connection is lost takes the rest of it along, until the person pauses', async () => {
  const { page, client, origin } = await openedByLink(DESK, ({ client }) => launched(client, 'shell', 'printf ready'));
  await rowWith(page, 'ready').waitFor();
  let sockets = 0;
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    sockets++;
    socket.onMessage((message) => {
      const { cmd, text } = JSON.parse(String(message)) as Record<string, unknown>;
      if (cmd !== 'type' || text !== 'b') return server.send(message);
      void server.close();
      void socket.close({ code: 1012 });
    });
  });
  await page.clock.install();
  await page.goto(origin);
  await rowWith(page, 'ready').waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  const before = sockets;
  await page.keyboard.type('ab');
  await page.getByText('what you typed last may not have arrived').waitFor({ state: 'attached' });
  // It is there again within the pause.
  const isOpen = async (): Promise<boolean> => {
    await page.clock.runFor(5);
    return sockets > before && (await page.locator('.stage.is-stale').count()) === 0;
  };
  await expect.poll(isOpen, { interval: 50 }).toBe(true);
  await page.keyboard.type('c');
  await page.keyboard.press('Enter');
  await page.getByText('Pause for a second').waitFor({ state: 'attached' });
  await page.clock.runFor(1001);
  await page.keyboard.type('d');
  await page.keyboard.press('Enter');
  await page.clock.resume();
  await rowWith(page, 'ad').waitFor();
  const { lines } = await client.call('text', { id: 'shell', trim: true });
  expect(lines.join('').trim()).toBe('readyad');
});

test('what is typed after a program has ended is said to be lost, and its rest reaches no other of its name', async () => {
  const { page, client, origin } = await openedByLink(DESK, ({ client }) => launched(client, 'shell', 'printf ready'));
  await rowWith(page, 'ready').waitFor();
  await page.clock.install();
  await page.goto(origin);
  await rowWith(page, 'ready').waitFor();
  await client.call('kill', { id: 'shell', keep: true });
  await page.getByText('The program has ended.').first().waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.type('a');
  await page.locator('.notice', { hasText: 'its program has ended' }).waitFor({ state: 'attached' });
  await client.call('kill', { id: 'shell' });
  await launched(client, 'shell', 'printf again');
  const isShown = async (): Promise<boolean> => {
    await page.clock.runFor(5);
    return (await page.locator('.row', { hasText: 'again' }).count()) > 0;
  };
  await expect.poll(isShown, { interval: 50 }).toBe(true);
  await page.keyboard.type('b');
  await page.keyboard.press('Enter');
  await page.getByText('Pause for a second').waitFor({ state: 'attached' });
  await page.clock.runFor(1001);
  await page.keyboard.type('c');
  await page.clock.resume();
  await rowWith(page, 'againc').waitFor();
});
