/** The past of a terminal, in place on the page. */
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { connect, type Client } from '../../src/client/index.js';
import type { Frame } from '../../src/mirror/mirror.js';
import { needs } from '../support/programs.js';
import { casesOf } from '../support/trial.js';
import { axe, isSampled } from './axe.js';
import { RequestError } from '../../src/page/request-error.js';
import { Then } from '../../src/page/then.js';
import { browserOfFile, choose, DESK, opened, PHONE, rowWith } from './browser.js';
import { slowProxy } from './slow-proxy.js';

needs('chromium');
browserOfFile();

/** Shows what it reads, line by line, each on a screen of its own. */
async function painter(client: Client, name = 'build'): Promise<void> {
  await client.call('create', {
    name,
    cols: 60,
    rows: 12,
    cmd_args: ['sh', '-c', 'stty -echo; printf ready; while read -r line; do printf "\\033[2J\\033[H%s" "$line"; done'],
    wait: { until: { text: 'ready' } },
  });
}

/** The clock of the daemon goes on between two screens. */
async function shows(client: Client, text: string, id = 'build'): Promise<void> {
  await client.call('type', { id, text, submit: true, wait: { until: { text } } });
  await setTimeout(250);
}

async function screens(client: Client, ...texts: readonly string[]): Promise<void> {
  await painter(client);
  for (const text of texts) await shows(client, text);
}

const slider = (page: Page) => page.getByRole('slider', { name: 'Moment' });

async function toPast(page: Page): Promise<void> {
  await rowWith(page, 'three').waitFor();
  await page.keyboard.press('Control+Shift+H');
  await page.locator('.past-track:focus').waitFor();
}

/** Of its whole length, from the left. */
async function placeOn(page: Page, part: number): Promise<readonly [x: number, y: number]> {
  const box = await slider(page).boundingBox();
  if (box === null) throw new Error('there is no slider');
  return [box.x + part * box.width, box.y + box.height / 2];
}

const text = (page: Page) => page.locator('.grid[role="document"]').innerText();

test('a drag shows the screens that were, and Now goes back to live', async () => {
  const { page, client, complaints } = await opened(DESK, ({ client }) => screens(client, 'one', 'two', 'three'));
  await page.getByRole('button', { name: 'The past' }).click();
  await slider(page).waitFor();
  // The button has the word already, and the ring is around what moves.
  expect(await page.locator('.past-head').getByText('Now').count()).toBe(1);
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.past-track:focus')).outlineStyle`)).toBe(
    'none',
  );
  await page.mouse.move(...(await placeOn(page, 0.99)));
  await page.mouse.down();
  await page.mouse.move(...(await placeOn(page, 0.5)), { steps: 20 });
  await page.mouse.move(...(await placeOn(page, 0)), { steps: 20 });
  await expect.poll(() => text(page)).not.toContain('three');
  await expect.poll(() => text(page)).toMatch(/^\s*(ready)?\s*$/);
  await page.mouse.up();
  await page.getByText('This is the past. Nothing is typed.').waitFor();
  await shows(client, 'four');
  expect(await text(page)).not.toContain('four');
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await rowWith(page, 'four').waitFor();
  expect(complaints).toEqual([]);
});

test('the keyboard alone walks through the past', async () => {
  const { page } = await opened(DESK, ({ client }) => screens(client, 'one', 'two', 'three'));
  await toPast(page);
  await page.keyboard.press('Home');
  await expect.poll(() => text(page)).not.toContain('three');
  expect(await slider(page).getAttribute('aria-valuenow')).toBe('0');
  const seen = new Set<string>();
  for (let i = 0; i < 200 && !seen.has('three'); i++) {
    await page.keyboard.press('ArrowRight');
    await page.locator('.scrub[aria-busy=false]').waitFor();
    const found = ['one', 'two', 'three'].find((word) => word === 'three' || !seen.has(word));
    if ((await text(page)).includes(found ?? '')) seen.add(found ?? '');
  }
  expect([...seen]).toEqual(['one', 'two', 'three']);
  await page.keyboard.press('Escape');
  await expect.poll(() => slider(page).count()).toBe(0);
});

test('nothing is typed into the past', async () => {
  const { page, client } = await opened(DESK, ({ client }) => screens(client, 'one', 'two', 'three'));
  await toPast(page);
  await page.keyboard.press('Home');
  await expect.poll(() => text(page)).not.toContain('three');
  await page.locator('.grid[role="document"]').click();
  await page.keyboard.type('rm');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing was typed: this is the past.').first().waitFor();
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await rowWith(page, 'three').waitFor();
  expect(JSON.stringify(await client.call('text', { id: 'build' }))).not.toContain('rm');
  await page.locator('.grid[role="document"]').click();
  await page.keyboard.type('yes');
  await page.keyboard.press('Enter');
  await rowWith(page, 'yes').waitFor();
});

test('a key is refused from the choice of a moment on, before its screen has come, and typed again at Now', async () => {
  const proxy = await slowProxy(0);
  const { page, client } = await opened({ ...DESK, proxy }, ({ client }) => screens(client, 'one', 'two', 'three'));
  await toPast(page);
  proxy.hold('replies');
  await page.keyboard.press('Home');
  await page.getByText('This is the past. Nothing is typed.').waitFor();
  expect(await text(page)).toContain('three');
  await page.locator('.grid[role="document"]').click();
  await page.keyboard.type('rm');
  await page.getByText('Nothing was typed: this is the past.').first().waitFor();
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await page.locator('.grid[role="document"]').click();
  await page.keyboard.type('yes');
  await page.keyboard.press('Enter');
  await client.call('wait', { id: 'build', until: { text: 'yes' } });
  expect(JSON.stringify(await client.call('text', { id: 'build' }))).not.toContain('rm');
});

test('of moments asked for while one drags, the latest wins', async () => {
  const { page } = await opened(DESK, ({ client }) => screens(client, 'one', 'two', 'three'));
  await toPast(page);
  const [from, to] = [await placeOn(page, 0.98), await placeOn(page, 0.02)];
  let asked = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.webSocketFrameSent', ({ response }) => {
    if (response.payloadData.includes('"at":"ts:')) asked++;
  });
  // All within one task of the page: no answer comes in between.
  await slider(page).evaluate(
    (element, [[fromX, y], [toX]]) => {
      const send = (type: string, clientX: number): void => {
        element.dispatchEvent(
          new (
            element.ownerDocument.defaultView as unknown as { PointerEvent: new (type: string, init: object) => Event }
          ).PointerEvent(type, {
            bubbles: true,
            clientX,
            clientY: y,
            button: 0,
            pointerId: 1,
          }),
        );
      };
      element.setPointerCapture = () => {};
      element.hasPointerCapture = () => true;
      send('pointerdown', fromX);
      for (let i = 0; i <= 500; i++) send('pointermove', fromX + ((toX - fromX) * i) / 500);
    },
    [from, to] as const,
  );
  await expect.poll(() => text(page)).not.toContain('three');
  expect(asked).toBeLessThanOrEqual(3);
  expect(asked).toBeGreaterThan(0);
});

test('a terminal without a history says how to get one', async () => {
  const { page } = await opened(DESK, async ({ client }) => {
    await client.call('config', { history_bytes: 0 });
    await painter(client);
    await client.call('config', { history_bytes: 8 * 1024 * 1024 });
  });
  await rowWith(page, 'ready').waitFor();
  await page.keyboard.press('Control+Shift+H');
  await page.getByText('t4a config --history-bytes').waitFor();
  expect(await slider(page).count()).toBe(0);
});

test('a moment that is forgotten while it is looked at gives way to the oldest that is kept', async () => {
  const { page, client } = await opened(DESK, ({ client }) => screens(client, 'one', 'two', 'three'));
  await toPast(page);
  await page.keyboard.press('Home');
  await expect.poll(() => text(page)).not.toContain('three');
  await client.call('forget', { id: 'build' });
  await shows(client, 'four');
  await page.keyboard.press('ArrowRight');
  await page.getByText('is not kept any more').waitFor();
});

test('a connection that is lost in the past comes back to the same moment', async () => {
  const proxy = await slowProxy(0);
  const { page } = await opened({ ...DESK, proxy }, ({ client }) => screens(client, 'one', 'two', 'three'));
  await toPast(page);
  await page.keyboard.press('Home');
  await expect.poll(() => text(page)).not.toContain('three');
  const before = await text(page);
  proxy.cut();
  await page.getByText('Connection lost').waitFor();
  expect(await text(page)).toBe(before);
  await page.keyboard.press('ArrowRight');
  await page.locator('.past-words', { hasText: 'The connection is lost' }).waitFor();
  proxy.mend();
  await page.getByText('This is the past. Nothing is typed.').waitFor();
  await page.keyboard.press('Home');
  await expect.poll(() => text(page)).toBe(before);
});

test('the past of a phone is dragged with a finger', async () => {
  const { page } = await opened(PHONE, ({ client }) => screens(client, 'one', 'two', 'three'));
  await rowWith(page, 'three').waitFor();
  await page.getByRole('button', { name: 'The past' }).tap();
  await slider(page).waitFor();
  await page.touchscreen.tap(...(await placeOn(page, 0.01)));
  await expect.poll(() => text(page)).not.toContain('three');
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  expect(wide).toBe(false);
});

test('its part of the program is loaded when it is meant', async () => {
  const { page } = await opened(DESK, ({ client }) => screens(client, 'one', 'two', 'three'));
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.reload();
  await rowWith(page, 'three').waitFor();
  expect(loaded.filter((path) => path.startsWith('/wall-and-boards'))).toEqual([]);
  await toPast(page);
  expect(loaded.filter((path) => path.startsWith('/wall-and-boards'))).toHaveLength(1);
});

test('a mark of what happened jumps there, and Shift with an arrow goes to the next one', async () => {
  const { page } = await opened(DESK, async ({ client }) => {
    await painter(client);
    await shows(client, 'one');
    await client.call('marker', { id: 'build', label: 'tests begin' });
    await shows(client, 'two');
    const agent = await connect({ socketPath: client.socketPath, as: 'claude-1', autoStart: false });
    await agent.call('control', { id: 'build', action: 'take', reason: 'tidying' });
    await agent.call('control', { id: 'build', action: 'release' });
    await agent.close();
    await shows(client, 'three');
  });
  await toPast(page);
  await page.locator('.past-mark.is-control').first().waitFor();
  await page.locator('.past-mark.is-typed').first().waitFor();
  await page.locator('.past-mark.is-marker[title="tests begin"]').click();
  await expect.poll(() => text(page)).toContain('one');
  await page.locator('.past-label', { hasText: 'tests begin' }).waitFor();
  await slider(page).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => slider(page).getAttribute('aria-valuetext')).toMatch(/^Typed on this screen, /);
  for (let i = 0; i < 9 && !(await text(page)).includes('two'); i++) await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => text(page)).toContain('two');
  for (let i = 0; i < 9; i++) {
    if (((await slider(page).getAttribute('aria-valuetext')) ?? '').startsWith('tests begin')) break;
    await page.keyboard.press('Shift+ArrowLeft');
  }
  await expect.poll(() => text(page)).toContain('one');
});

test('the past brings no bell or warning back', async () => {
  const { page, client } = await opened(DESK, async ({ client }) => {
    await client.call('create', { name: 'rings', cmd_args: ['sh', '-c', "printf '\\a'; exec sleep 600"] });
    await screens(client, 'one', 'two', 'three');
  });
  await choose(page, page.locator('.item', { hasText: 'build' }));
  await toPast(page);
  await page.locator('.past-mark').first().waitFor();
  // Events come in their order: this one is behind the bell of then.
  await client.call('marker', { id: 'build', label: 'after it' });
  await page.locator('.past-mark[title="after it"]').waitFor();
  expect(await page.locator('.tree .badge').count()).toBe(0);
});

test('a program that ends or begins again while one looks at the past leaves the past in place', async () => {
  const { page, client } = await opened(DESK, ({ client }) => screens(client, 'one', 'two', 'three'));
  await toPast(page);
  await page.locator('.past-mark.is-typed').first().waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.locator('.stage.is-then').waitFor();
  // The screen of that moment comes after its words.
  await expect.poll(() => text(page)).toContain('ready');
  const before = await text(page);
  await client.call('press', { id: 'build', keys: ['Ctrl+D'] });
  // Beside it the same words may be said to screen readers.
  const line = page.locator('.line', { hasText: 'The program has ended.' });
  await line.waitFor();
  expect(await text(page)).toBe(before);
  await client.call('restart', { id: 'build' });
  await expect.poll(() => line.count()).toBe(0);
  expect(await text(page)).toBe(before);
  await page.getByRole('button', { name: 'Now', exact: true }).click();
  await rowWith(page, 'ready').waitFor();
});

test.each(
  casesOf(
    [
      ['a laptop', 'dark', DESK],
      ['a laptop', 'light', DESK],
      ['a phone', 'dark', PHONE],
      ['a phone', 'light', PHONE],
    ] as const,
    isSampled,
  ),
)('on %s axe finds nothing serious in the past and on the boards, in the %s theme', async (_, colorScheme, size) => {
  const { page } = await opened({ ...size, colorScheme }, ({ client }) => screens(client, 'one', 'three'));
  await rowWith(page, 'three').waitFor();
  const list = page.getByRole('button', { name: 'List of terminals' });
  await page.getByRole('button', { name: 'The past' }).click();
  await page.locator('.past-mark.is-typed').first().waitFor();
  await slider(page).focus();
  await page.keyboard.press('Home');
  await page.getByText('This is the past. Nothing is typed.').waitFor();
  const found = await axe(page);
  for (const board of ['Health', 'Recordings']) {
    if (size === PHONE) await list.tap();
    await page.getByRole('button', { name: board }).click();
    await page.getByRole('heading', { name: board }).waitFor();
    await page.locator('.health tr, .drop').first().waitFor();
    found.push(...(await axe(page)));
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  }
  expect(found).toEqual([]);
});

test.each([
  ['a daemon that does not know moments', 'unknown_field', 'too old to show its past'],
  ['a terminal without a history', 'moment_lost', 'has no history'],
  ['a lost connection', 'connection_lost', 'The connection is lost'],
  ['a terminal that is gone', 'terminal_not_found', 'the words of the daemon'],
])('of %s the past says what is wrong', async (_, code, words) => {
  const shown: unknown[] = [];
  const past = new Then({
    frameAt: () => Promise.reject(new RequestError(code, 'the words of the daemon')),
    isLive: () => true,
    isRecording: false,
    show: (mirror) => shown.push(mirror),
    changed: () => {},
  });
  await past.begin();
  expect(past.trouble).toContain(words);
  expect(past.extent).toBeUndefined();
  past.goTo(5);
  expect(shown).toEqual([]);
});

test('the oldest moment of a history that has lost its beginning is found', async () => {
  const [now, oldest] = [1_000_000_000, 1_000_000_000 - 3_723_456];
  let asked = 0;
  const past = new Then({
    frameAt: async (at) => {
      asked++;
      const ms = at === 'end' ? now : at === 'start' ? 0 : Number(at.slice('ts:'.length));
      if (ms < oldest) throw new RequestError('moment_lost', 'lost');
      return { at: { ts: ms, ago_ms: 0, rev: 1, seq: 1 } } as Frame;
    },
    isLive: () => false,
    isRecording: false,
    show: () => {},
    changed: () => {},
  });
  await past.begin();
  const { fromMs = 0, toMs } = past.extent ?? {};
  expect(toMs).toBe(now);
  expect(fromMs).toBeGreaterThanOrEqual(oldest);
  expect(fromMs - oldest).toBeLessThan(10_000);
  expect(asked).toBeLessThan(40);
});
