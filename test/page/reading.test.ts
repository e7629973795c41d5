/** What leaves the page by other ways than pixels: the clipboard, and the words for screen readers. */
import { expect, test } from 'vitest';
import { launch } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { browserOfFile, DESK, opened, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

const numbers = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i)).join('\n');

test('a selection that was scrolled out of what is drawn is copied whole, and so is all of the text', async () => {
  const { page, context } = await opened(DESK, ({ client }) =>
    launch({ client, cmd_args: ['sh', '-c', 'seq 1 3000; exec cat'], name: 'build' }).then((terminal) =>
      terminal.waitForText('3000'),
    ),
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await rowWith(page, '3000').waitFor();
  const scrollBy = (rows: number): Promise<unknown> =>
    page.evaluate(`(() => {
      const term = document.querySelector('.term');
      term.scrollTop += ${rows} * document.querySelector('.row').getBoundingClientRect().height;
    })()`);
  const copied = (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
  const startOf = async (line: number): Promise<{ readonly x: number; readonly y: number }> => {
    const row = page.locator('.past .row', { hasText: new RegExp(`^${line}$`) });
    const place = { x: 0, y: 0 };
    // Rows are drawn anew while the view moves on.
    const look = async (): Promise<number> => {
      const box = await row.boundingBox({ timeout: 5000 });
      Object.assign(place, { x: (box?.x ?? 0) + 1, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 });
      return place.y;
    };
    await expect.poll(look).toBeGreaterThan(0);
    return place;
  };
  const drag = async (): Promise<void> => {
    const from = await startOf(990);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x + 30, from.y);
    await scrollBy(1500);
    const to = await startOf(2490);
    await page.mouse.move(to.x + 200, to.y);
    await page.mouse.up();
  };
  await scrollBy(-2000);
  await drag();
  expect(await page.locator('.past .row', { hasText: /^990$/ }).count()).toBe(0);
  await page.keyboard.press('Control+c');
  await page.getByText('1501 lines were copied.').waitFor();
  expect(await copied()).toBe(numbers(990, 2490));

  // Both ends out of sight. What is copied already is for the program.
  await page.evaluate("navigator.clipboard.writeText('')");
  await scrollBy(-1500);
  await drag();
  await scrollBy(-900);
  await startOf(1600);
  await page.keyboard.press('Control+c');
  await expect.poll(copied).toBe(numbers(990, 2490));

  await page.evaluate('getSelection().selectAllChildren(document.body)');
  await page.keyboard.press('Control+c');
  await expect.poll(copied).toBe(numbers(1, 3000));

  // What is drawn needs no clipboard of the page's own.
  await page.getByRole('button', { name: 'To the end' }).click();
  await page.evaluate(`(() => {
    const rows = [...document.querySelectorAll('.grid:not(.past) .row')];
    getSelection().setBaseAndExtent(rows[1].firstChild, 2, rows[3].firstChild, 3);
  })()`);
  await page.keyboard.press('Control+c');
  const last = (await page.locator('.grid:not(.past) .row').allTextContents()).slice(1, 4);
  await expect.poll(copied).toBe([last[0]?.slice(2), last[1], last[2]?.slice(0, 3)].join('\n'));
});

test('screen readers hear the new lines once the output has settled, a prompt that waits, and the end', async () => {
  const script =
    'stty -echo; printf ready; read -r _; seq 1 12; printf "go on? "; read -r _; tput smcup; echo a; read -r _';
  const { page, client } = await opened(DESK, ({ client }) =>
    client.call('create', { cmd_args: ['sh', '-c', script], name: 'build', wait: { until: { text: 'ready' } } }),
  );
  await rowWith(page, 'ready').waitFor();
  await page.evaluate(`globalThis.heard = []; new MutationObserver(() => heard.push(document.querySelector('.said').textContent))
    .observe(document.querySelector('.said'), { subtree: true, childList: true, characterData: true })`);
  const heard = async (): Promise<string> => (await page.evaluate<string[]>('heard')).join('\n');
  await client.call('press', { id: 'build', keys: ['Enter'] });
  await expect.poll(heard).toMatch(/12\n(.*\n)*It waits: go on\?/);
  await client.call('press', { id: 'build', keys: ['Enter'] });
  await rowWith(page, 'a').waitFor();
  await client.call('press', { id: 'build', keys: ['Enter'] });
  await expect.poll(heard).toContain('The program has ended.');
});
