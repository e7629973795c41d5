/** The page of `t4a web` in a browser, at the sizes of a laptop and of a phone. */
import { readFileSync } from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, launch, type Client } from '../../src/client/index.js';
import { listedWord } from '../../src/mirror/doing-word.js';
import { endWord } from '../../src/protocol/end-words.js';
import { runCli } from '../support/cli.js';
import { endDaemonAt } from '../support/end-daemon.js';
import { needs } from '../support/programs.js';
import { recorder } from '../attach/attached.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';
import { axe } from './axe.js';
import { browserOfFile, DESK, opened, openedByLink, PHONE, pixelsOf, rowWith, type Pixels } from './browser.js';
import { slowProxy } from './slow-proxy.js';

needs('chromium');
browserOfFile();

/** Shows the text, which may have escapes of printf, and then what it is sent. */
function showing(text: string): string[] {
  return ['sh', '-c', `stty raw -echo; printf "$1"; exec cat`, 'sh', text];
}

async function launched(client: Client, text: string, name = 'build'): Promise<void> {
  // The bell is a fence: all of the text is on the screen.
  await client.call('create', { cmd_args: showing(`${text}\\007`), name, wait: { until: { event: 'bell' } } });
}

test.each([
  ['a laptop', DESK],
  ['a phone', PHONE],
])('on %s, what is red on the screen is red in its pixels', async (_name, size) => {
  const text = '\\033[48;2;255;0;0m     \\033[0m \\033[38;2;255;0;0m█████\\033[0m end';
  const { page, context, complaints } = await opened(size, ({ client }) => launched(client, text));
  const row = rowWith(page, 'end');
  await row.waitFor();
  const session = await context.newCDPSession(page);
  const colors = async (): Promise<string[]> => {
    const box = await row.boundingBox();
    if (box === null) throw new Error('the row is not to be seen');
    const pixels = await pixelsOf(session, { ...box, width: (11 * box.width) / 80 });
    const middle = Math.floor(pixels.height / 2);
    return Array.from({ length: 11 }, (_, col) => pixels.at(Math.floor(((col + 0.5) * pixels.width) / 11), middle));
  };
  const [red, ground] = ['255,0,0', '26,27,38'];
  // The page may still take its size between a look at the place of the row and one at the pixels.
  await expect.poll(colors).toEqual([red, red, red, red, red, ground, red, red, red, red, red]);
  expect(complaints).toEqual([]);
});

test('boxes have no gap at any number of device pixels a pixel, also when it changes', async () => {
  const wall = '█'.repeat(12);
  const frame = `┌${'─'.repeat(10)}┐`;
  const text = [wall, wall, wall, frame, `│${' '.repeat(10)}│`, `└${'─'.repeat(10)}┘`].join('\\r\\n');
  const { page, context } = await opened(DESK, ({ client }) => launched(client, text));
  await rowWith(page, '└').waitFor();
  const session = await context.newCDPSession(page);
  const { viewport } = DESK;
  for (const [i, deviceScaleFactor] of casesOf([1, 1.25, 2, 3], (ratio) => ratio !== 1.25).entries()) {
    // A zoom changes the CSS pixels of the window, too.
    const width = viewport.width - i;
    await session.send('Emulation.setDeviceMetricsOverride', { ...viewport, width, deviceScaleFactor, mobile: false });
    // Not waitForFunction, whose second look is by eval, which the page forbids.
    await expect.poll(() => page.evaluate('[innerWidth, devicePixelRatio]')).toEqual([width, deviceScaleFactor]);
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(await gapsIn(page, session, deviceScaleFactor), `at ${deviceScaleFactor}`).toEqual([]);
  }
  // The tab has its own size again.
  await session.detach();
});

/** Pixels without ink in the walls, and in the lines of the frame below. */
async function gapsIn(page: Page, session: CDPSession, ratio: number): Promise<string[]> {
  const box = await page.locator('.row').first().boundingBox();
  if (box === null) throw new Error('the row is not to be seen');
  const pixels = await pixelsOf(session, { x: box.x, y: box.y, width: (12 * box.width) / 80, height: 6 * box.height });
  expect(Math.abs(pixels.height - 6 * box.height * ratio), 'pixels of the device').toBeLessThanOrEqual(2 * ratio);
  const [w, h] = [pixels.width / 12, pixels.height / 6];
  const ink = pixels.at(Math.floor(w / 2), Math.floor(h / 2));
  expect(ink).toBe('192,202,245');
  const gaps: string[] = [];
  const see = (x: number, y: number): void => {
    if (pixels.at(x, y) !== ink) gaps.push(`${x},${y}: ${pixels.at(x, y)}`);
  };
  for (let y = 1; y < 3 * h - 1; y++) for (let x = 1; x < pixels.width - 1; x++) see(x, y);
  const edge = columnWithInk(pixels, Math.floor(4.5 * h), ink);
  for (let y = Math.ceil(3.6 * h); y < 5.4 * h; y++) see(edge, y);
  const top = rowWithInk(pixels, Math.floor(6 * w), Math.floor(3 * h) + 1, ink);
  for (let x = Math.ceil(0.6 * w); x < 11.4 * w; x++) see(x, top);
  return gaps;
}

function columnWithInk({ at, width }: Pixels, y: number, ink: string): number {
  return Array.from({ length: width }, (_, x) => x).find((x) => at(x, y) === ink) ?? 0;
}

function rowWithInk({ at, height }: Pixels, x: number, from: number, ink: string): number {
  return Array.from({ length: height }, (_, y) => y).find((y) => y >= from && at(x, y) === ink) ?? 0;
}

test('each input reaches the program once: keys, text, a paste, and an input method', async () => {
  const file = tempDir().join('keys');
  const { page, context } = await opened(DESK, ({ client }) =>
    launch({ client, cmd_args: recorder(file), name: 'build', cols: 400 }).then((terminal) =>
      terminal.waitForText('ready'),
    ),
  );
  await rowWith(page, 'ready').waitFor();
  const sent = (count: number): Promise<void> => rowWith(page, `got ${count}.`).waitFor();
  await page.keyboard.type('héllo');
  await page.keyboard.press('Enter');
  await sent(7);
  await page.keyboard.press('Control+c');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Alt+x');
  await sent(15);
  const session = await context.newCDPSession(page);
  for (const text of ['に', 'にほ', 'にほん']) {
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await session.send('Input.insertText', { text: '日本' });
  await sent(21);
  // A keyboard that shows ASCII while it is composed, and corrects it then.
  for (const text of ['t', 'te', 'teh']) {
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await session.send('Input.insertText', { text: 'the' });
  await sent(28);
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'one two');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);
  await sent(35);
  expect(readFileSync(file, 'utf8')).toBe('héllo\r\x03\x1b[A\x7f\t\x1bx日本teh\x7f\x7fheone two');
});

test('the echo of a plain key comes before the next picture: nothing in the page has to be drawn for the key itself', async () => {
  const { page } = await opened(DESK, ({ client }) => launched(client, 'ready '));
  await rowWith(page, 'ready').waitFor();
  await page.evaluate(`globalThis.changed = [];
    new MutationObserver((changes) => changed.push(...changes.map(({ target }) => target.className)))
      .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    addEventListener('input', () => changed.push('a field'), true)`);
  await page.keyboard.type('Echo 1!');
  await rowWith(page, 'ready Echo 1!').waitFor();
  const changed = (await page.evaluate('changed')) as string[];
  expect(changed).toContain('row');
  expect(changed).not.toContain('a field');
});

test('a phone sends lines, and keys of its tray with modifiers', async () => {
  const file = tempDir().join('keys');
  const { page } = await opened(PHONE, ({ client }) =>
    launch({ client, cmd_args: recorder(file), name: 'build', cols: 400 }).then((terminal) =>
      terminal.waitForText('ready'),
    ),
  );
  await rowWith(page, 'ready').waitFor();
  await page.getByLabel('A line for the terminal').fill('make');
  await page.getByRole('button', { name: 'Send the line' }).tap();
  await rowWith(page, 'got 5.').waitFor();
  for (const name of ['Esc', 'Up', 'Ctrl', 'Left', 'Tab']) await page.getByRole('button', { name, exact: true }).tap();
  await rowWith(page, 'got 16.').waitFor();
  expect(readFileSync(file, 'utf8')).toBe('make\r\x1b\x1b[A\x1b[1;5D\t');
});

test('a person takes the keyboard from an agent, types, and gives it back', async () => {
  const { page, client, complaints } = await opened(DESK, ({ client }) => launched(client, 'ready '));
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  await rowWith(page, 'ready').waitFor();
  await agent.call('control', { id: 'build', action: 'take', reason: 'a migration' });
  await page.getByText('claude-1 has the keyboard: a migration').waitFor();
  await page.keyboard.type('x');
  await page.getByText('Nothing was typed: claude-1 has the keyboard').waitFor();
  await page.getByRole('button', { name: 'Take', exact: true }).click();
  await page.getByRole('button', { name: 'Give back' }).waitFor();
  await page.keyboard.type('mine');
  await rowWith(page, 'ready mine').waitFor();
  await expect(agent.call('type', { id: 'build', text: 'no' })).rejects.toMatchObject({ code: 'control_held' });
  await page.getByRole('button', { name: 'Give back' }).click();
  await page.getByRole('button', { name: 'Take', exact: true }).waitFor();
  await agent.call('type', { id: 'build', text: ' theirs' });
  await rowWith(page, 'ready mine theirs').waitFor();
  await agent.close();
  expect(complaints).toEqual([]);
});

test('a fitted terminal has the size of the page, and its own again afterwards', async () => {
  const { page, client } = await opened(DESK, ({ client }) => launched(client, 'ready'));
  await rowWith(page, 'ready').waitFor();
  await page.getByRole('button', { name: 'Fit to this page' }).click();
  await page.getByText(/^1\d\d × \d\d$/).waitFor();
  const { cols } = await client.call('status', { id: 'build' });
  expect(cols).toBeGreaterThan(100);
  await page.getByRole('button', { name: 'Give back' }).click();
  await page.getByText('80 × 24').waitFor();
  expect(await client.call('status', { id: 'build' })).toMatchObject({ cols: 80, rows: 24 });
});

test('a question is a card with its place, and counts in the title until it is answered', async () => {
  const { page, client } = await opened(DESK, ({ client }) => launched(client, 'ready'));
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  await rowWith(page, 'ready').waitFor();
  const asked = agent.call('ask', { id: 'build', question: '<b>Which</b> branch?' });
  const card = page.getByRole('article', { name: 'Question of claude-1' });
  await card.getByText('<b>Which</b> branch?').waitFor();
  await card.getByText(/\/ build · cat$/).waitFor();
  expect(await page.title()).toBe('(1) build · t4a');
  await card.getByLabel('Answer').fill('main');
  await card.getByRole('button', { name: 'Send' }).click();
  expect(await asked).toMatchObject({ outcome: 'answered', answer: 'main', by: 'ada' });
  await card.waitFor({ state: 'detached' });
  expect(await page.title()).toBe('build · t4a');
  await agent.close();
});

test('a killed daemon leaves the last picture in grey, and a new one is found', async () => {
  const { page, client } = await openedByLink(DESK, ({ client }) => launched(client, 'before'));
  await rowWith(page, 'before').waitFor();
  const { pid } = await client.call('ping');
  await client.close();
  process.kill(pid, 'SIGKILL');
  await page.getByText('Connection lost').waitFor();
  expect(await page.locator('.stage.is-stale').count()).toBe(1);
  await expect(rowWith(page, 'before').textContent()).resolves.toBe('before');
  // Neither the list nor the wall says what it does now.
  expect(await page.locator('.item .chip').allTextContents()).toEqual(['unknown']);
  await page.getByRole('button', { name: 'All terminals at a glance' }).click();
  await page.locator('.tile.is-unknown .chip', { hasText: 'unknown' }).waitFor();
  await page.getByRole('button', { name: 'Back to the terminal' }).click();
  const { socketPath } = client;
  onTestFinished(() => endDaemonAt(socketPath));
  await runCli(['create', '--name', 'build', '--', ...showing('after')], { socketPath });
  await rowWith(page, 'after').waitFor();
  expect(await page.locator('.stage.is-stale').count()).toBe(0);
  expect(await page.getByText('This terminal has been removed.').count()).toBe(0);
});

test('the scrollback is read as far as it goes, and the end is one tap away', async () => {
  const { page, client } = await opened(DESK, ({ client }) =>
    launch({ client, cmd_args: ['sh', '-c', 'seq 1 3000; exec cat'], name: 'build' }).then((terminal) =>
      terminal.waitForText('3000'),
    ),
  );
  await rowWith(page, '3000').waitFor();
  await page.evaluate(`document.querySelector('.term').scrollTo(0, 0)`);
  await page.locator('.past .row', { hasText: /^1$/ }).waitFor();
  const toEnd = page.getByRole('button', { name: 'To the end' });
  await toEnd.click();
  await toEnd.waitFor({ state: 'detached' });
  await rowWith(page, '3000').waitFor();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByLabel('Search in the text').fill('1234');
  await page.keyboard.press('Enter');
  await page.locator('.past .row', { hasText: /^1234$/ }).waitFor();
  expect(await client.call('list')).toMatchObject({ terminals: [{ id: 'build' }] });
});

test('output leaves a person where they have scrolled to, also before the browser reports it', async () => {
  const { page, client } = await opened(DESK, ({ client }) => launched(client, 'first'));
  const send = (text: string) => client.call('send', { id: 'build', input: text });
  await send(Array.from({ length: 200 }, (_, i) => `line ${i}\r\n`).join(''));
  await rowWith(page, 'line 199').waitFor();
  // The page learns of no scrolling from here on.
  await page.evaluate(`addEventListener('scroll', (event) => event.stopImmediatePropagation(), { capture: true });
    document.querySelector('.term').scrollTo(0, 0)`);
  await send('later\r\n');
  await rowWith(page, 'later').waitFor({ state: 'attached' });
  expect(await page.evaluate(`document.querySelector('.term').scrollTop`)).toBe(0);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
});

test('terminals are created, chosen and ended on the page', async () => {
  const { page, client } = await opened(DESK, ({ client }) => launched(client, 'first'));
  await rowWith(page, 'first').waitFor();
  await page.getByRole('button', { name: 'New terminal' }).click();
  await page.getByLabel('Command').fill('echo second; exec cat');
  await page.getByLabel('Name').fill('made');
  await page.getByRole('button', { name: 'Create' }).click();
  await rowWith(page, 'second').waitFor();
  await page.getByRole('button', { name: 'End the program' }).click();
  await page.getByRole('button', { name: 'End it' }).click();
  await rowWith(page, 'first').waitFor();
  expect((await client.call('list')).terminals.map(({ id }) => id)).toEqual(['build']);
});

test('a terminal that an agent has is ended on the page after it has said who has it', async () => {
  const { page, client } = await opened(DESK, ({ client }) => launched(client, 'first'));
  await rowWith(page, 'first').waitFor();
  await client.call('control', { id: 'build', action: 'take', as: 'claude-1' } as never);
  await page.getByRole('button', { name: 'End the program' }).click();
  await page.getByRole('button', { name: 'End it', exact: true }).click();
  await page.getByRole('alert').filter({ hasText: 'in the hands of claude-1' }).waitFor();
  expect((await client.call('list')).terminals).toHaveLength(1);
  await page.getByRole('button', { name: 'End it all the same' }).click();
  await expect.poll(async () => (await client.call('list')).terminals).toEqual([]);
});

test('what a program prints becomes text: markup, titles and links do nothing', async () => {
  const hostile =
    '\\033]0;<img src=x onerror=alert(1)>\\007<script>alert(1)</script> \\033]8;;javascript:alert(1)\\033\\\\bad\\033]8;;\\033\\\\ \\033]8;;https://example.com/\\033\\\\good\\033]8;;\\033\\\\';
  const { page, complaints } = await opened(DESK, ({ client }) =>
    launched(client, hostile, '<b>'.replaceAll(/[<>]/g, '_')),
  );
  await rowWith(page, 'good').waitFor();
  await page.locator('.bar-title', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
  expect(await page.evaluate(`Array.from(document.querySelectorAll('.row a'), (a) => a.href)`)).toEqual([
    'https://example.com/',
  ]);
  expect(await page.locator('#app script, #app img[src="x"]').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('a terminal that vanishes while its dialog is open is shown as removed, and its end is a notice', async () => {
  const { page, client, complaints } = await opened(DESK, ({ client }) => launched(client, 'here'));
  await rowWith(page, 'here').waitFor();
  await page.getByRole('button', { name: 'End the program' }).click();
  await client.call('kill', { id: 'build' });
  await page.getByText('This terminal has been removed.').waitFor();
  await page.getByRole('button', { name: /^(End|Remove) it$/ }).click();
  await page.locator('.notice', { hasText: 'build' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a terminal that is made again by the same name is shown, and typed into, once the first was removed', async () => {
  const { page, client, complaints } = await opened(DESK, ({ client }) => launched(client, 'first:'));
  await rowWith(page, 'first:').waitFor();
  await page.getByRole('button', { name: 'What happened' }).click();
  await page.locator('.feed').waitFor();
  await client.call('kill', { id: 'build' });
  await page.getByText('This terminal has been removed.').waitFor();
  expect(await page.getByRole('button', { name: 'End the program' }).count()).toBe(0);
  await page.locator('.term').click();
  await page.keyboard.type('lost');
  const lostMs = await page.evaluate('performance.now()');
  await launched(client, 'second:');
  await rowWith(page, 'second:').waitFor();
  // The page asks for a pause, as what follows at once is the rest of what was lost.
  await expect
    .poll(() => page.evaluate(`performance.now() > ${String(lostMs)} + 1000`), { timeout: 10_000 })
    .toBe(true);
  await page.keyboard.type('typed');
  await rowWith(page, 'second:typed').waitFor();
  expect(await page.locator('[role="document"]').innerText()).not.toMatch(/first|lost/);
  expect(await page.getByText('This terminal has been removed.').count()).toBe(0);
  // Also if all of it comes between two looks at the list.
  await client.call('kill', { id: 'build' });
  await launched(client, 'third:');
  await rowWith(page, 'third:').waitFor();
  await page.keyboard.type('typed');
  await rowWith(page, 'third:typed').waitFor();
  expect(complaints).toEqual([]);
});

test(
  'a chip has the word of the list of the command line, also once a guess has changed',
  { timeout: 60_000 },
  async () => {
    const programs = {
      reads: 'cat',
      sleeps: 'exec sleep 600',
      ends: 'exit 3',
      prints: 'stty raw -echo; head -c 1 > /dev/null; while :; do echo shown; sleep 0.2; done',
    };
    const { page, client } = await opened(DESK, async ({ client }) => {
      for (const [name, script] of Object.entries(programs))
        await client.call('create', { name, cmd_args: ['sh', '-c', script] });
    });
    const chips = (): Promise<string[]> =>
      page
        .locator('.item')
        .evaluateAll((all) =>
          all
            .map((one) => `${one.querySelector('.item-name')?.textContent}: ${one.querySelector('.chip')?.textContent}`)
            .toSorted(),
        );
    const listedOf = async (): Promise<string[]> => {
      const { terminals } = await client.call('list');
      return terminals.map((one) => `${one.id}: ${one.alive ? listedWord(one) : endWord(one)}`).toSorted();
    };
    const agree = async (word: string): Promise<void> => {
      await expect.poll(listedOf, { timeout: 20_000 }).toContain(`prints: ${word}`);
      await expect
        .poll(async () => [await chips(), await listedOf()], { timeout: 20_000 })
        .toSatisfy(([shown, right]: readonly string[][]) => String(shown) === String(right));
    };
    await agree('probably idle');
    expect(await listedOf()).toContain('ends: exited 3');
    // No event says so.
    await client.call('send', { id: 'prints', input: 'k' });
    await agree('probably working');
  },
);

test('the list says that a program runs again once it was restarted', async () => {
  const { page, client } = await opened(DESK, ({ client }) =>
    client.call('create', { cmd_args: ['sh', '-c', 'read -r line; exit 3'], name: 'build' }),
  );
  await client.call('type', { id: 'build', text: 'go', submit: true });
  const ended = page.locator('.item .chip', { hasText: 'exited 3' });
  await ended.waitFor();
  await client.call('restart', { id: 'build' });
  await ended.waitFor({ state: 'detached' });
  expect(await page.locator('.item.is-ended').count()).toBe(0);
});

test('with --read-only a page shows, and offers nothing that changes', async () => {
  const { page, client, complaints } = await openedByLink(PHONE, ({ client }) => launched(client, 'seen'), [
    '--read-only',
  ]);
  await rowWith(page, 'seen').waitFor();
  await page.locator('.term').tap();
  await page.keyboard.type('x');
  expect(await client.call('status', { id: 'build' })).toMatchObject({ inputs: 0 });
  await client.call('resize', { id: 'build', cols: 2, rows: 1 });
  await expect.poll(() => page.evaluate(`document.querySelectorAll('.grid:not(.past) > .row').length`)).toBe(1);
  const labels = await page.evaluate(
    `Array.from(document.querySelectorAll('main button'), (button) => button.ariaLabel ?? button.textContent)`,
  );
  expect(labels).toEqual([
    'List of terminals',
    'All terminals at a glance',
    'What happened',
    'The past',
    'Search',
    'More',
  ]);
  expect(complaints).toEqual([]);
});

test('two pages show the same, and what one types', async () => {
  const { page, context, client, origin } = await openedByLink(DESK, ({ client }) => launched(client, 'both '));
  await rowWith(page, 'both').waitFor();
  // A tab that a page opens has a copy of its key.
  const [second] = await Promise.all([context.waitForEvent('page'), page.evaluate(`void window.open('${origin}/')`)]);
  await rowWith(second, 'both').waitFor();
  await second.keyboard.type('typed');
  await rowWith(page, 'both typed').waitFor();
  await rowWith(second, 'both typed').waitFor();
  expect(await client.call('status', { id: 'build' })).toMatchObject({ watchers: 2 });
});

test('through a slow proxy what is typed arrives once, in its order, and is shown', async () => {
  const proxy = await slowProxy(60);
  const { page, client } = await opened({ ...DESK, proxy }, ({ client }) => launched(client, 'ready '));
  await rowWith(page, 'ready').waitFor();
  await page.keyboard.type('the quick brown fox');
  await rowWith(page, 'ready the quick brown fox').waitFor();
  expect(await client.call('status', { id: 'build' })).toMatchObject({ inputs: 19 });
});

test('a page that has lost frames shows the same cells as another after its next complete one', async () => {
  const proxy = await slowProxy(60);
  const lines = (from: number, to: number): string =>
    `seq ${from} ${to} | sed 's/\\(.*\\)\\(.\\)$/\x1b[3\\2m\\1\x1b[1;4m\\2\x1b[0m 漢字/'`;
  const command = `${lines(101, 140)}; read -r _; ${lines(201, 900)}; printf 'e\\033[7mn\\033[0md'; exec cat`;
  const { page, client } = await opened({ ...DESK, proxy }, ({ client }) =>
    client.call('create', { cmd_args: ['sh', '-c', command], name: 'build', wait: { until: { text: '140 漢字' } } }),
  );
  await rowWith(page, '140 漢字').waitFor();
  await client.call('press', { id: 'build', keys: ['Enter'] });
  // The frames of these lines are still in the proxy.
  proxy.cut();
  await client.call('wait', { id: 'build', until: { text: 'end' } });
  await page.getByText('Connection lost').waitFor();
  expect(await rowWith(page, '140 漢字').count()).toBe(1);
  proxy.mend();
  await rowWith(page, 'end').waitFor();
  const { page: other } = await opened(DESK, async () => {});
  await rowWith(other, 'end').waitFor();
  const cells = await cellsOf(page);
  expect(cells).toHaveLength(24);
  expect(await rowWith(page, '899').textContent()).toBe('899 漢字');
  expect(cells).toEqual(await cellsOf(other));
});

/** Text and looks of the runs of each row; text without a style is no element. */
async function cellsOf(page: Page): Promise<unknown[]> {
  return (await page.evaluate(`Array.from(document.querySelectorAll('.grid:not(.past) .row'), (row) =>
    Array.from(row.childNodes, (run) => {
      if (run instanceof Text) return [run.data];
      const { color, backgroundColor, fontWeight, textDecorationLine } = getComputedStyle(run);
      return [run.textContent, color, backgroundColor, fontWeight, textDecorationLine];
    }))`)) as unknown[];
}

test.each([
  ['a laptop', 'light', DESK],
  ['a phone', 'dark', PHONE],
] as const)('on %s axe finds nothing serious in the %s theme', async (_name, colorScheme, size) => {
  const colors = Array.from({ length: 8 }, (_, i) => `\\033[3${i}mcolor ${i} \\033[9${i}mbright\\033[0m`).join(
    '\\r\\n',
  );
  const { page, client } = await opened({ ...size, colorScheme }, ({ client }) => launched(client, colors));
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  const asked = agent.call('ask', { id: 'build', question: 'Which branch?' }).catch((error: Error) => error.message);
  await rowWith(page, 'color 7').waitFor();
  await page.locator('.question', { hasText: 'Which branch?' }).waitFor();
  const found = await axe(page);
  if (size === PHONE) {
    await page.getByRole('button', { name: 'List of terminals' }).tap();
    await page.getByRole('button', { name: 'New terminal' }).waitFor();
    found.push(...(await axe(page)));
  }
  await page.getByRole('button', { name: 'New terminal' }).click();
  await page.getByRole('heading', { name: 'New terminal' }).waitFor();
  found.push(...(await axe(page)));
  expect(found).toEqual([]);
  await agent.close();
  expect(await asked).toContain('closed');
});
