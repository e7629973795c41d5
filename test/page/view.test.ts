/** What the page shows is there, stays under the eye, and has the cursor in it. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, openedByLink, PHONE, pixelsOf, rowWith, type Opened } from './browser.js';

needs('chromium');
browserOfFile();

interface Size {
  readonly cols?: number;
  readonly rows?: number;
}

/** A terminal that shows what it is sent. */
function echoing(text: string, size: Size = {}): (served: { readonly client: Client }) => Promise<unknown> {
  const cmd_args = ['sh', '-c', 'stty raw -echo; printf "$1"; exec cat', 'sh', `${text}\\007`];
  return ({ client }) =>
    client.call('create', { cmd_args, name: 'build', ...size, wait: { until: { event: 'bell' } } });
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}\r\n`).join('');

async function send({ client, page }: Opened, text: string, shown: string): Promise<void> {
  await client.call('send', { id: 'build', input: text });
  await rowWith(page, shown).waitFor({ state: 'attached' });
}

/** A server of this machine, and the paths that browsers have asked it for. */
async function addressed(): Promise<{ readonly origin: string; readonly requests: () => string[] }> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    if (url !== '/favicon.ico') asked.push(url);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => [...asked] };
}

const selected = (page: Page): Promise<string> => page.evaluate('getSelection().toString()');

/** CSS pixels. */
async function placeOf(page: Page, text: string): Promise<{ readonly x: number; readonly y: number }> {
  const box = await page.getByText(text, { exact: true }).boundingBox();
  if (box === null) throw new Error('the row is not to be seen');
  return { x: box.x, y: box.y + box.height / 2 };
}

test('what is selected with the mouse stays selected while other rows change, and when its line leaves the screen', async () => {
  const all = await opened(DESK, echoing('one two three\\r\\nnext\\r\\n'));
  const { page } = all;
  await rowWith(page, 'next').waitFor();
  const { x, y } = await placeOf(page, 'one two three');
  await page.mouse.move(x + 1, y);
  await page.mouse.down();
  await page.mouse.move(x + 71, y, { steps: 5 });
  // Drawing pauses, and what came is there at the release.
  await all.client.call('send', { id: 'build', input: 'during\r\n' });
  await page.mouse.up();
  await rowWith(page, 'during').waitFor();
  expect(await selected(page)).toBe('one two');
  await send(all, 'after\r\n', 'after');
  expect(await selected(page)).toBe('one two');
  await send(all, lines(1, 22), 'line 22');
  expect(await selected(page)).toBe('one two');
  await send(all, lines(23, 40), 'line 40');
  await page.locator('.past .row', { hasText: 'one two three' }).waitFor();
  expect(await selected(page)).toBe('one two');
  await page.mouse.click(x + 300, y + 200);
  expect(await selected(page)).toBe('');
});

test('a double click selects a word, a triple click a row, and Shift extends, all of them for as long as it is shown', async () => {
  const all = await opened(DESK, echoing('one two three\\r\\nnext row\\r\\n'));
  const { page } = all;
  await rowWith(page, 'next').waitFor();
  const { x, y } = await placeOf(page, 'one two three');
  await page.mouse.dblclick(x + 55, y);
  await send(all, 'first\r\n', 'first');
  expect((await selected(page)).trim()).toBe('two');
  await page.mouse.click(x + 300, y + 250);
  await page.mouse.click(x + 55, y, { clickCount: 3 });
  await send(all, 'second\r\n', 'second');
  expect((await selected(page)).trim()).toBe('one two three');
  await page.mouse.click(x + 300, y + 250);
  await page.mouse.move(x + 1, y);
  await page.mouse.down();
  await page.mouse.move(x + 31, y, { steps: 3 });
  await page.mouse.up();
  const { x: left, y: below } = await placeOf(page, 'next row');
  await page.keyboard.down('Shift');
  await page.mouse.click(left + 41, below);
  await page.keyboard.up('Shift');
  await send(all, 'third\r\n', 'third');
  expect(await selected(page)).toBe('one two three\nnext');
});

test('a double click selects a whole path, and words of scripts without blanks as the browser does', async () => {
  const { page } = await opened(
    DESK,
    echoing('see (/usr/local/bin/foo-bar_baz.qux:12), 漢字café\\r\\nnext', { cols: 80 }),
  );
  const row = rowWith(page, 'see (');
  await row.waitFor();
  const box = await row.boundingBox();
  if (box === null) throw new Error('the row is not to be seen');
  for (const [col, word] of [
    [7.5, '/usr/local/bin/foo-bar_baz.qux:12'],
    [25.5, '/usr/local/bin/foo-bar_baz.qux:12'],
    [46.5, 'café'],
  ] as const) {
    await page.mouse.dblclick(box.x + (col * box.width) / 80, box.y + box.height / 2);
    expect((await selected(page)).trim()).toBe(word);
  }
});

test('a selection whose text changes is dropped: a copy would have what was not selected', async () => {
  const all = await opened(DESK, echoing('43 root 22\\r\\n'));
  const { page } = all;
  await rowWith(page, '43 root').waitFor();
  const { x, y } = await placeOf(page, '43 root 22');
  await page.mouse.dblclick(x + 35, y);
  expect((await selected(page)).trim()).toBe('root');
  await send(all, '\u001b[s\u001b[1;9H23\u001b[uother\r\n', 'other');
  expect((await selected(page)).trim()).toBe('root');
  await send(all, '\u001b[s\u001b[1;4Huser\u001b[umore\r\n', 'more');
  expect(await selected(page)).toBe('');
});

test('what is typed after text was selected is for the terminal, and so is a paste; Ctrl+C copies before, and drops the selection', async () => {
  const all = await opened(DESK, echoing('one two three\\r\\nnext\\r\\n'));
  const { page } = all;
  await rowWith(page, 'next').waitFor();
  const { x, y } = await placeOf(page, 'one two three');
  const select = (): Promise<void> => page.mouse.click(x + 55, y, { clickCount: 3 });
  await select();
  expect((await selected(page)).trim()).toBe('one two three');
  await page.keyboard.press('Control+c');
  await expect.poll(() => selected(page)).toBe('');
  await page.keyboard.type('typed');
  await rowWith(page, 'typed').waitFor();
  expect(await selected(page)).toBe('');
  await select();
  await page.keyboard.press('Control+v');
  await rowWith(page, 'typedone two three').waitFor();
});

test('the second Ctrl+C after text was selected interrupts the program', async () => {
  const { page, client } = await opened(DESK, ({ client }) =>
    client.call('create', {
      cmd_args: ['sh', '-c', 'echo words; exec sleep 600'],
      name: 'build',
      wait: { until: { text: 'words' } },
    }),
  );
  const { x, y } = await placeOf(page, 'words');
  await page.mouse.click(x + 5, y, { clickCount: 2 });
  expect(await selected(page)).toBe('words');
  await page.keyboard.press('Control+c');
  await expect.poll(() => selected(page)).toBe('');
  expect(await client.call('status', { id: 'build' })).toMatchObject({ alive: true, inputs: 0 });
  await page.keyboard.press('Control+c');
  await client.call('wait', { id: 'build', until: { exit: true } });
});

test('a match of the search is held, also on the last screen', async () => {
  const all = await opened(DESK, echoing('hit one\\r\\n'));
  const { page } = all;
  await rowWith(page, 'hit one').waitFor();
  await page.keyboard.press('Control+Shift+F');
  await page.getByLabel('Search in the text').fill('hit');
  await page.getByText('1 of 1').waitFor();
  await all.client.call('send', { id: 'build', input: lines(1, 200) });
  await all.client.call('wait', { id: 'build', until: { text: 'line 200' } });
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  await expect.poll(() => inView(page)).toContain('hit one');
});

test('a view that has followed the cursor to the right goes back to the first column with it', async () => {
  const all = await opened(DESK, echoing('$ ', { cols: 300, rows: 24 }));
  const { page } = all;
  const left = (): Promise<number> => page.evaluate(`document.querySelector('.term').scrollLeft`);
  await send(all, 'x'.repeat(290), 'xxx');
  await expect.poll(left).toBeGreaterThan(0);
  await send(all, '\r\n$ now', '$ now');
  await expect.poll(left).toBe(0);
  // A person who reads further right stays there.
  await page.evaluate(`document.querySelector('.term').scrollLeft = 20`);
  await send(all, ' more', '$ now more');
  expect(await left()).toBe(20);
});

test('a button above the terminal that was clicked is not pressed by what is typed next', async () => {
  const all = await opened(DESK, echoing(lines(1, 60).replaceAll('\r', '\\r').replaceAll('\n', '\\n')));
  const { page } = all;
  await rowWith(page, 'line 60').waitFor();
  await page.getByRole('button', { name: 'Fit to this page' }).click();
  await page.getByRole('button', { name: 'Its own size' }).click();
  await page.getByRole('button', { name: 'Fit to this page' }).waitFor();
  await page.keyboard.type('one ');
  await rowWith(page, 'one ').waitFor();
  await page.getByRole('button', { name: 'Give back' }).click();
  await page.getByRole('button', { name: 'Take' }).waitFor();
  await page.keyboard.type('two ');
  await rowWith(page, 'one two ').waitFor();
  await page.evaluate(`document.querySelector('.term').scrollTo(0, 0)`);
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.keyboard.type('three ');
  await rowWith(page, 'one two three ').waitFor();
  await page.getByRole('button', { name: 'Take' }).waitFor();
});

test('the search goes on from its match through what was printed since, and counts it', async () => {
  const all = await opened(DESK, echoing('hit one\\r\\nhit two\\r\\n'));
  const { page } = all;
  await rowWith(page, 'hit two').waitFor();
  await page.keyboard.press('Control+Shift+F');
  await page.getByLabel('Search in the text').fill('hit');
  await page.getByText('2 of 2').waitFor();
  await send(all, 'hit three\r\nhit four\r\n', 'hit four');
  await page.getByRole('button', { name: 'The next match' }).click();
  await page.getByText('3 of 4').waitFor();
  await page.getByRole('button', { name: 'The next match' }).click();
  await page.getByText('4 of 4').waitFor();
  await page.getByRole('button', { name: 'The next match' }).click();
  await page.getByText('1 of 4').waitFor();
  await send(all, 'hit five\r\n', 'hit five');
  await page.getByRole('button', { name: 'The match before' }).click();
  await page.getByText('5 of 5').waitFor();
  expect(all.complaints).toEqual([]);
});

test('a fitted terminal opens no keyboard on a phone, which would cover it', async () => {
  const { page } = await opened(PHONE, echoing('next\\r\\n'));
  await rowWith(page, 'next').waitFor();
  await page.getByRole('button', { name: 'Fit to this page' }).tap();
  await page.getByRole('button', { name: 'Its own size' }).waitFor();
  expect(await page.evaluate('document.activeElement.className')).not.toBe('hands');
});

test('with Shift the mouse selects in a program that listens to it, from where it was pressed', async () => {
  const all = await opened(DESK, echoing('\\033[?1002hone two three\\r\\nnext row\\r\\n', { cols: 80 }));
  const { page } = all;
  await rowWith(page, 'next').waitFor();
  await page.evaluate('document.fonts.ready');
  const box = await rowWith(page, 'two').boundingBox();
  if (box === null) throw new Error('the row is not to be seen');
  const [x, y, cell] = [box.x, box.y + box.height / 2, box.width / 80];
  // The program has this one, and its echo changes rows.
  await page.mouse.click(x + 300, y + 200);
  await rowWith(page, '#').waitFor();
  await page.keyboard.down('Shift');
  await page.mouse.move(x + 4.1 * cell, y);
  await page.mouse.down();
  await page.mouse.move(x + 6 * cell, y, { steps: 3 });
  await page.mouse.move(x + 7.1 * cell, y);
  await page.mouse.up();
  await page.keyboard.up('Shift');
  expect(await selected(page)).toBe('two');
});

test('with Shift a double click selects a word in a program that listens to the mouse, a triple click its row', async () => {
  const { page } = await opened(DESK, echoing('\\033[?1002halpha bravo 漢字 charlie\\r\\nnext row', { cols: 80 }));
  const row = rowWith(page, 'alpha');
  await row.waitFor();
  const box = await row.boundingBox();
  if (box === null) throw new Error('the row is not to be seen');
  const at = (col: number): readonly [number, number] => [box.x + (col * box.width) / 80, box.y + box.height / 2];
  // In the first half of a word's first letter and the last half of its last one, the caret is beside the word.
  for (const [col, word] of [
    [6.2, 'bravo'],
    [10.8, 'bravo'],
    [20, 'charlie'],
    [0.2, 'alpha'],
  ] as const) {
    await page.keyboard.down('Shift');
    await page.mouse.dblclick(...at(col));
    await page.keyboard.up('Shift');
    expect(await selected(page)).toBe(word);
    await page.evaluate('getSelection().removeAllRanges()');
  }
  await page.keyboard.down('Shift');
  await page.mouse.click(...at(8), { clickCount: 3 });
  await page.keyboard.up('Shift');
  expect((await selected(page)).trim()).toBe('alpha bravo 漢字 charlie');
});

test('a notice leaves the row of the cursor in view, also while that moves', async () => {
  const all = await opened(DESK, echoing('', { rows: 60, cols: 80 }));
  const { page } = all;
  await send(all, `${lines(1, 70)}prompt\r\nstatus\u001b[A`, 'status');
  const areApart = (): Promise<boolean> =>
    page.evaluate(`(() => {
      const [notice, row] = ['.notice', '.hands'].map((one) => document.querySelector(one).getBoundingClientRect());
      return notice.bottom <= row.top || notice.top >= row.bottom;
    })()`);
  const notice = page.locator('.notice', { hasText: 'The paste is too long' });
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'x'.repeat(70000));
    document.querySelector('.hands').dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
  })()`);
  await notice.waitFor();
  const below = await notice.boundingBox();
  expect(await areApart()).toBe(true);
  await send(all, '\u001b[Hat the top', 'at the top');
  expect(await areApart()).toBe(true);
  expect((await notice.boundingBox())?.y).not.toBe(below?.y);
});

test('an address that goes on over rows is a link in each of them, also once its first row has left the screen', async () => {
  const { origin, requests } = await addressed();
  const path = `/${'a'.repeat(30)}/${'b'.repeat(50)}`;
  const address = origin + path;
  const all = await opened({ ...DESK }, echoing('', { cols: 40, rows: 6 }));
  const { page } = all;
  const links = (): Promise<unknown> =>
    page.evaluate(`[...document.querySelectorAll('.row a')].map((one) => [one.textContent, one.href])`);
  await send(all, `see ${address}. The end`, 'The end');
  const parts = [`see ${address}`.slice(4, 40), address.slice(36, 76), address.slice(76)];
  await expect.poll(links).toEqual(parts.map((part) => [part, address]));
  const second = page.locator('.row a', { hasText: parts[1] ?? '' });
  await second.hover();
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.row a:hover')).textDecorationLine`)).toBe(
    'underline',
  );
  await second.click();
  await expect.poll(requests).toEqual([path]);
  await page.bringToFront();
  await second.click({ button: 'middle' });
  await expect.poll(requests).toEqual([path, path]);
  await page.bringToFront();
  await send(all, '\r\n1\r\n2\r\n3\r\n4', '4');
  await expect.poll(links).toEqual(parts.map((part) => [part, address]));
  // All rows are drawn anew.
  await page.getByRole('button', { name: 'Light theme' }).click();
  await page.locator('html[data-theme="light"]').waitFor();
  await expect.poll(links).toEqual(parts.map((part) => [part, address]));
  // The first row is another, so what goes on in the next one is no address.
  await send(all, '\u001b[H\u001b[2Kno', 'no');
  await send(all, `\u001b[2J\u001b[H${address}\u001b[H${'-'.repeat(40)}`, '----');
  await expect.poll(() => page.locator('.grid:not(.past) .row a').count()).toBe(0);
});

test('a selection has no gaps beside wide characters, ends between two, and goes with a click', async () => {
  const all = await opened(DESK, echoing('ab漢字\\033[31m漢字\\033[0m─ x漢end', { cols: 40, rows: 6 }));
  const { page, context } = all;
  const row = rowWith(page, 'end');
  await row.waitFor();
  const box = await row.boundingBox();
  if (box === null) throw new Error('the row is not to be seen');
  const session = await context.newCDPSession(page);
  const cell = box.width / 40;
  /** From the left: where columns of pixels begin that show the page's ground somewhere, and where those that show none. Ink of glyphs is neither. */
  const grounds = async (): Promise<(readonly [number, 'plain' | 'selected'])[]> => {
    const pixels = await pixelsOf(session, { ...box, y: box.y + 1, height: box.height - 2, width: 16 * cell });
    const inColumn = Array.from({ length: pixels.height }, (_, y) => y);
    const all = Array.from({ length: pixels.width }, (_, x) =>
      inColumn.some((y) => pixels.at(x, y) === ground) ? ('plain' as const) : ('selected' as const),
    );
    return all.flatMap((kind, x) => (kind === all[x - 1] ? [] : [[Math.round(x / cell), kind] as const]));
  };
  const ground = '26,27,38';
  await page.mouse.move(box.x + cell * 0.1, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + cell * 12.9, box.y + 8, { steps: 4 });
  await page.mouse.up();
  expect((await selected(page)).startsWith('ab漢字漢字─ x')).toBe(true);
  const selection = [
    [0, 'selected'],
    [13, 'plain'],
  ];
  await expect.poll(grounds).toEqual(selection);
  await send(all, '\r\nbelow', 'below');
  expect(await grounds()).toEqual(selection);
  await page.mouse.click(box.x + cell * 30, box.y + 90);
  await expect.poll(grounds).toEqual([[0, 'plain']]);
  await session.detach();
});

test('a key that finds nothing focused is for the terminal, but Tab walks over the page', async () => {
  const { page } = await opened(DESK, echoing('next\\r\\n'));
  await rowWith(page, 'next').waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.type('typed');
  await rowWith(page, 'typed').waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.className')).not.toBe('hands');
});

test('rows that have not changed are not touched: not by keys, nor by lines that move all of them up', async () => {
  const all = await opened(DESK, echoing(lines(1, 23).replaceAll('\r', '\\r').replaceAll('\n', '\\n')));
  const { page } = all;
  await rowWith(page, 'line 23').waitFor();
  await page.evaluate(`globalThis.touched = []; new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      if (target.classList?.contains('row')) touched.push(target.textContent);
      for (const one of addedNodes) if (one.classList?.contains('row') && one.closest('.past') === null) touched.push('new ' + one.textContent);
    }
  }).observe(document.querySelector('.extent'), { subtree: true, childList: true, characterData: true })`);
  await send(all, 'x', 'x');
  await send(all, '\r\nlast', 'last');
  expect(new Set(await page.evaluate<string[]>('touched'))).toEqual(new Set(['x', 'new last', 'last']));
});

/** Whether the cursor is within the terminal's window and under no card. */
function isCursorSeen(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const cursor = document.querySelector('.cursor').getBoundingClientRect();
    const term = document.querySelector('.term').getBoundingClientRect();
    const isInside = cursor.top >= term.top - 1 && cursor.bottom <= Math.min(innerHeight, term.bottom) + 1
      && cursor.left >= term.left - 1 && cursor.right <= term.right + 1;
    const card = document.querySelector('.asks')?.getBoundingClientRect();
    const isUnder = card !== undefined && cursor.right > card.left && cursor.bottom > card.top && cursor.left < card.right && cursor.top < card.bottom;
    return isInside && !isUnder;
  })()`);
}

test.each([
  ['a laptop', '80x150', DESK, { cols: 80, rows: 150 }],
  ['a laptop', '500x200', DESK, { cols: 500, rows: 200 }],
  ['a phone', '80x150', PHONE, { cols: 80, rows: 150 }],
  ['a phone', '500x200', PHONE, { cols: 500, rows: 200 }],
])('on %s the cursor of a terminal of %s is in view, wherever it goes', async (_name, _size, device, size) => {
  const all = await opened(device, echoing('here', size));
  const { page } = all;
  await rowWith(page, 'here').waitFor();
  await expect.poll(() => isCursorSeen(page)).toBe(true);
  const { cols, rows } = size;
  const places = [
    [rows, cols - 3],
    [1, 1],
    [rows / 2, cols / 2],
    [rows, 1],
  ];
  for (const [i, [row, col]] of places.entries()) {
    await send(all, `\x1b[${row};${col}H${i}`, String(i));
    await expect.poll(() => isCursorSeen(page), { message: `at ${row},${col}` }).toBe(true);
  }
  await send(all, '\x1b[H\x1b[2Jcleared', 'cleared');
  await expect.poll(() => isCursorSeen(page)).toBe(true);
});

test('a terminal that is higher than the page stays where a person has scrolled to, until the end is asked for', async () => {
  const all = await opened(DESK, echoing('top\\033[150;1Hbottom\\033[1;4H', { rows: 150 }));
  const { page } = all;
  await rowWith(page, 'bottom').waitFor({ state: 'attached' });
  await expect.poll(() => isCursorSeen(page)).toBe(true);
  await page.evaluate(`document.querySelector('.term').scrollTo(0, 1e6)`);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  await send(all, 'typed', 'toptyped');
  await expect(rowWith(page, 'bottom').isVisible()).resolves.toBe(true);
  expect(await isCursorSeen(page)).toBe(false);
  await page.getByRole('button', { name: 'To the end' }).click();
  await expect.poll(() => isCursorSeen(page)).toBe(true);
});

test("a phone's keyboard and questions leave the cursor in view and eight rows, also of a magnified terminal", async () => {
  const all = await opened(PHONE, echoing(lines(1, 23).replaceAll('\r', '\\r').replaceAll('\n', '\\n')));
  const { page, client } = all;
  onTestFinished(() => page.setViewportSize(PHONE.viewport));
  await rowWith(page, 'line 23').waitFor();
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  for (const question of ['Which branch?', 'A long question. '.repeat(40)])
    await agent.call('ask', { id: 'build', question, timeout_ms: 0 });
  await page.locator('.question', { hasText: 'Which branch?' }).waitFor();
  await page.locator('.term').tap({ position: { x: 40, y: 40 } });
  await page.setViewportSize({ width: 390, height: 400 });
  const rowsInView = (): Promise<number> =>
    page.evaluate(
      `document.querySelector('.term').clientHeight / document.querySelector('.row').getBoundingClientRect().height`,
    );
  await expect.poll(rowsInView).toBeGreaterThanOrEqual(8);
  await expect.poll(() => isCursorSeen(page)).toBe(true);
  for (const card of await page.getByRole('article').all())
    expect((await card.boundingBox())?.height, 'a question is one line').toBeLessThan(56);
  await client.call('answer', { ask: 1, text: 'main' }).catch(() => {});
  await Promise.all([page.touchscreen.tap(80, 100), page.touchscreen.tap(80, 100)]);
  await send(all, '\x1b[24;75Hend', 'end');
  await expect.poll(() => isCursorSeen(page)).toBe(true);
});

test('a card that would hide the cursor leaves it in view', async () => {
  const all = await opened(DESK, echoing('\\033[23;70Hhere', { cols: 80, rows: 34 }));
  const { page, client } = all;
  await rowWith(page, 'here').waitFor();
  const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
  onTestFinished(() => agent.close());
  for (let i = 0; i < 3; i++) await agent.call('ask', { id: 'build', question: `Which branch? ${i}`, timeout_ms: 0 });
  await page.locator('.question', { hasText: 'Which branch? 2' }).waitFor();
  await expect.poll(() => isCursorSeen(page)).toBe(true);
  await send(all, '\x1b[34;75Hlow', 'low');
  await expect.poll(() => isCursorSeen(page)).toBe(true);
});

/** Texts of the rows in view, from the top. */
function inView(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const { top, bottom } = document.querySelector('.term').getBoundingClientRect();
    return Array.from(document.querySelectorAll('.row'), (row) => [row.getBoundingClientRect(), row.textContent.trim()])
      .filter(([box]) => box.top >= top - 2 && box.bottom <= bottom + 2)
      .toSorted(([a], [b]) => a.top - b.top).map(([, text]) => text);
  })()`);
}

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `line ${from + i}`);

test.each([
  ['a laptop', DESK],
  ['a phone', PHONE],
])('on %s rows that leave the screen while all of it fits the window are there', async (_name, size) => {
  const all = await opened(size, echoing(''));
  const { page } = all;
  await send(all, lines(1, 30), 'line 30');
  await expect.poll(() => inView(page)).toEqual([...numbered(1, 30), '']);
  // One by one, and one that changes as it leaves.
  for (let i = 31; i < 34; i++) await send(all, `line ${i}\r\n`, `line ${i}`);
  await expect.poll(() => inView(page)).toEqual(expect.arrayContaining(numbered(1, 33).slice(-28)));
});

test('lines that were watched as they came are there again when a person scrolls up to them', async () => {
  const all = await opened(DESK, echoing(''));
  const { page } = all;
  const far = 900;
  for (let from = 1; from < far; from += 20) await send(all, lines(from, from + 19), `line ${from + 19}`);
  const box = await page.locator('.term').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
  const isFull = (texts: readonly string[]): boolean => texts.length > 15 && texts.every((text) => text !== '');
  for (let i = 0; i < 12; i++) {
    await page.mouse.wheel(0, -600);
    await expect.poll(async () => isFull(await inView(page))).toBe(true);
  }
  const texts = await inView(page);
  const first = Number(texts[0]?.slice('line '.length));
  expect(first).toBeLessThan(far - 300);
  expect(texts).toEqual(numbered(first, first + texts.length - 1));
});

test('a window that grows shows the rows above', async () => {
  const all = await opened(DESK, echoing(''));
  const { page } = all;
  onTestFinished(() => page.setViewportSize(DESK.viewport));
  await page.setViewportSize({ width: 1280, height: 400 });
  await send(all, lines(1, 200), 'line 200');
  await page.setViewportSize({ width: 1280, height: 1100 });
  await expect.poll(async () => (await inView(page)).length).toBeGreaterThan(45);
  await expect.poll(async () => (await inView(page)).includes('')).toBe(true);
  await expect
    .poll(async () => {
      const shown = await inView(page);
      return shown.every((text, i) => i === shown.length - 1 || /^line \d+$/.test(text));
    })
    .toBe(true);
});

test('with a full scrollback, lines that are dropped at its top move nothing', async () => {
  const prepare = ({ client }: { readonly client: Client }): Promise<unknown> =>
    client.call('create', {
      cmd_args: ['sh', '-c', 'stty raw -echo; exec cat'],
      name: 'build',
      scrollback: 400,
    });
  const all = await opened(DESK, prepare);
  const { page } = all;
  await send(all, lines(1, 600), 'line 600');
  await page.evaluate(`document.querySelector('.term').scrollTop -= 2000`);
  await page.getByRole('button', { name: 'To the end' }).waitFor();
  // The rows there are fetched, and then drawn.
  await expect.poll(() => inView(page)).toContainEqual(expect.stringMatching(/^line \d+$/));
  await expect.poll(async () => (await inView(page)).every((text) => /^line \d+$/.test(text))).toBe(true);
  const before = await inView(page);
  for (let i = 601; i < 660; i += 20) {
    await send(all, lines(i, i + 19), `line ${i + 19}`);
    await expect.poll(() => inView(page), { message: `after line ${i + 19}` }).toEqual(before);
  }
});

test.each([
  ['clear', '\x1b[H\x1b[2J\x1b[3Jcleared'],
  ['ED 3 alone', '\x1b[3Jcleared'],
])('after %s the page has no more rows than the daemon', async (_name, text) => {
  const all = await opened(DESK, echoing(''));
  const { page } = all;
  await send(all, lines(1, 300), 'line 300');
  const rows = (): Promise<number> =>
    page.evaluate(
      `Math.round(document.querySelector('.extent').getBoundingClientRect().height / document.querySelector('.row').getBoundingClientRect().height)`,
    );
  await expect.poll(rows).toBe(301);
  await send(all, text, 'cleared');
  await expect.poll(rows).toBe(24);
  expect(await page.locator('.past .row').count()).toBe(0);
  await send(all, '\r\nnew', 'new');
  await expect.poll(() => isCursorSeen(page)).toBe(true);
});

async function heldByBob(client: Client): Promise<void> {
  const cmd_args = ['sh', '-c', 'seq 1 60; printf ready; exec cat'];
  await client.call('create', { cmd_args, name: 'held', wait: { until: { text: 'ready' } } });
  const bob = await connect({ socketPath: client.socketPath, as: 'bob', autoStart: false });
  onTestFinished(() => bob.close());
  await bob.call('control', { id: 'held', action: 'take', person: true });
}

async function bottomOf(row: ReturnType<Page['locator']>): Promise<number> {
  const box = await row.boundingBox();
  return box === null ? Infinity : box.y + box.height;
}

test('who opens a terminal whose keyboard another has sees the cursor', async () => {
  const { page } = await opened(DESK, ({ client }) => heldByBob(client));
  await page.getByText('bob has the keyboard').waitFor();
  await expect.poll(() => bottomOf(rowWith(page, 'ready'))).toBeLessThanOrEqual(DESK.viewport.height);
  expect(await page.getByRole('button', { name: 'To the end' }).count()).toBe(0);
});

test('a scroll that the browser reports before the first size of the window leaves the cursor in view', async () => {
  const { page, context } = await opened({ ...DESK }, ({ client }) => heldByBob(client));
  await context.addInitScript(`{
    window.held = [];
    window.ResizeObserver = class extends ResizeObserver {
      constructor(resized) {
        super((...all) => (window.held === undefined ? resized(...all) : window.held.push(() => resized(...all))));
      }
    };
  }`);
  await page.reload();
  await page.getByText('bob has the keyboard').waitFor();
  await rowWith(page, 'ready').waitFor();
  await page.evaluate(`{
    document.querySelector('.term').dispatchEvent(new Event('scroll'));
    const { held } = window;
    delete window.held;
    for (const resized of held) resized();
  }`);
  await expect.poll(() => bottomOf(rowWith(page, 'ready'))).toBeLessThanOrEqual(DESK.viewport.height);
  expect(await page.getByRole('button', { name: 'To the end' }).count()).toBe(0);
});

test('lines that come while the page asks for the state of a terminal are all in its scrollback', async () => {
  const { client, page, origin } = await openedByLink(DESK, echoing(''));
  await client.call('send', { id: 'build', input: lines(1, 60) });
  const asked: unknown[] = [];
  const held: (() => void)[] = [];
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const { cmd, req } = JSON.parse(String(message)) as Record<string, unknown>;
      if (cmd === 'status') asked.push(req);
      server.send(message);
    });
    server.onMessage((message) => {
      const { req } = JSON.parse(String(message)) as Record<string, unknown>;
      if (asked.includes(req)) held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await page.goto(origin);
  await rowWith(page, 'line 60').waitFor();
  await expect.poll(() => held.length).toBeGreaterThan(0);
  await client.call('send', { id: 'build', input: lines(61, 100) });
  await rowWith(page, 'line 100').waitFor();
  for (const go of held) go();
  await page.locator('.term').evaluate((term) => (term.scrollTop = 0));
  await expect.poll(() => inView(page).then(([top]) => top)).toBe('line 1');
});

test('a frame that comes before the browser reports another zoom is drawn in rows of the right height', async () => {
  const { client, page, origin } = await openedByLink(DESK, echoing('one'));
  // The link is used, and its key is kept.
  await rowWith(page, 'one').waitFor();
  await page.addInitScript(`
    const own = matchMedia;
    window.matchMedia = (query) => query.includes('dppx') ? new EventTarget() : own.call(window, query);
  `);
  await page.goto(origin);
  await rowWith(page, 'one').waitFor();
  const heightOf = async (): Promise<number | undefined> => (await rowWith(page, 'one').boundingBox())?.height;
  const height = await heightOf();
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDeviceMetricsOverride', { ...DESK.viewport, deviceScaleFactor: 2, mobile: false });
  await client.call('send', { id: 'build', input: '\r\ntwo' });
  await rowWith(page, 'two').waitFor();
  expect(await page.evaluate('devicePixelRatio')).toBe(2);
  expect(await heightOf()).toBe(height);
});
