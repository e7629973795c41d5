/** The commands of a shell beside the rows of its terminal. */
import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/index.js';
import { needs } from '../support/programs.js';
import { tempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';
import { axe, isSampled } from './axe.js';
import { browserOfFile, DESK, opened, PHONE, rowWith } from './browser.js';

needs('chromium');
browserOfFile();

/** What a shell with marks prints for a command: its prompt, its lines and how it ended. */
function marked(command: string, output: string, code: number | undefined): string {
  const mark = (letter: string): string => `\u001b]633;${letter}\u0007`;
  const end = code === undefined ? '' : mark(`D;${code}`);
  return `${mark('A')}$ ${mark('B')}${command}\r\n${mark(`E;${command}`)}${mark('C')}${output}${end}`;
}

function lines(word: string, count: number): string {
  return Array.from({ length: count }, (_, i) => `${word} ${i}\r\n`).join('');
}

/** Prints it, and then what it is typed. */
async function shell(client: Client, text: string, size: { cols?: number; rows?: number } = {}): Promise<void> {
  const { path } = tempDir();
  writeFileSync(`${path}/text`, text);
  await client.call('create', {
    name: 'sh',
    ...size,
    cmd_args: ['sh', '-c', `stty -echo; cat ${path}/text; printf shown; while read -r f; do cat "$f"; done`],
    wait: { until: { text: 'shown' } },
  });
}

async function prints(client: Client, text: string): Promise<void> {
  const { path } = tempDir();
  writeFileSync(`${path}/text`, text);
  await client.call('send', { id: 'sh', input: `${path}/text\n` });
}

const THREE = marked('make lint', lines('lint', 3), 0) + marked('make test', lines('test', 4), 2);

function label(page: Page, name: RegExp | string): ReturnType<Page['locator']> {
  return page.getByRole('navigation', { name: 'Commands of the shell' }).getByRole('button', { name });
}

function command(page: Page, name: string): Promise<void> {
  return page.keyboard
    .press('Control+Shift+P')
    .then(() => page.getByRole('combobox').fill(name))
    .then(() => page.keyboard.press('Enter'));
}

/** Text of the row under the middle of an element. */
async function rowAt(page: Page, element: ReturnType<Page['locator']>): Promise<string> {
  const box = await element.boundingBox();
  const script = `[...document.querySelectorAll('.row')].find((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return top - 1 <= ${box?.y} + 4 && bottom > ${box?.y} + 4;
  })?.textContent ?? ''`;
  return String(await page.evaluate(script)).trimEnd();
}

test('each command has its outcome beside the row of its prompt, and failed ones say so', async () => {
  const { page, complaints } = await opened(DESK, ({ client }) => shell(client, THREE));
  await label(page, /^make lint: succeeded/).waitFor();
  const failed = label(page, /^make test: failed with 2/);
  expect(await rowAt(page, failed)).toBe('$ make test');
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.block-label.is-failed')).color`)).toBe(
    'rgb(247, 118, 142)',
  );
  expect(await rowAt(page, label(page, /^make lint/))).toBe('$ make lint');
  expect(complaints).toEqual([]);
});

test('a command that begins and ends while one looks has its outcome, and one that runs says so', async () => {
  const { page, client } = await opened(DESK, ({ client }) => shell(client, THREE));
  await label(page, /^make lint/).waitFor();
  await prints(client, marked('make all', 'building', undefined));
  await label(page, /^make all: runs/).waitFor();
  await prints(client, `\r\n\u001b]633;D;0\u0007`);
  await label(page, /^make all: succeeded/).waitFor();
});

test('keys and commands of the page go from one command to the next, also beyond the screen', async () => {
  const { page, client } = await opened(DESK, ({ client }) =>
    shell(client, THREE + marked('make all', lines('all', 200), 0) + marked('false', '', 1)),
  );
  await label(page, /^false/).waitFor();
  await page.locator('.term').click({ position: { x: 200, y: 40 } });
  await page.keyboard.press('Control+Shift+ArrowUp');
  await page.keyboard.press('Control+Shift+ArrowUp');
  await label(page, /^make all/).waitFor();
  await rowWith(page, '$ make all').waitFor();
  await command(page, 'previous command');
  await label(page, /^make test/).waitFor();
  await expect.poll(() => page.locator('.said').textContent()).toMatch(/^make test, failed with 2/);
  for (let i = 0; i < 3; i++) await page.keyboard.press('Control+Shift+ArrowDown');
  await rowWith(page, 'shown').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'To the end' }).count()).toBe(0);
  // None of it has reached the program.
  expect(await client.call('status', { id: 'sh' })).toMatchObject({ inputs: 0 });
});

test('the band over a chosen command goes with the first key that is typed', async () => {
  const { page, client } = await opened(DESK, ({ client }) => shell(client, THREE));
  await label(page, /^make test/).waitFor();
  await page.locator('.term').click({ position: { x: 200, y: 40 } });
  await page.keyboard.press('Control+Shift+ArrowUp');
  const band = page.locator('.block-rows');
  await band.waitFor({ state: 'attached' });
  await page.keyboard.press('x');
  await expect.poll(() => band.count()).toBe(0);
  await label(page, /^make lint/).click();
  await band.waitFor({ state: 'attached' });
  await page.locator('.term').click({ position: { x: 200, y: 300 } });
  await page.keyboard.press('x');
  await expect.poll(() => page.locator('.block-rows, .block-card').count()).toBe(0);
  await expect.poll(async () => (await client.call('status', { id: 'sh' })).inputs).toBe(2);
});

test("without marks there is no margin, no column is lost, and the keys are the program's", async () => {
  const { page, client } = await opened(DESK, ({ client }) => shell(client, lines('plain', 3)));
  await rowWith(page, 'shown').waitFor();
  const left = await page.locator('.term').evaluate((one) => one.getBoundingClientRect().left);
  expect(left).toBeLessThan(272 + 24);
  expect(await page.locator('.blocks').count()).toBe(0);
  await page.locator('.term').click();
  await page.keyboard.press('Control+Shift+ArrowUp');
  await expect.poll(async () => (await client.call('status', { id: 'sh' })).inputs).toBe(1);
});

test('the output of a command is copied as text, of wrapped lines as one', async () => {
  const long = 'x'.repeat(100);
  const { page, context } = await opened(DESK, ({ client }) =>
    shell(client, THREE + marked('make long', `first\r\n${long}\r\n`, 0)),
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await label(page, /^make long/).click();
  await page.getByRole('dialog', { name: 'make long' }).getByRole('button', { name: 'Copy output' }).click();
  await page.getByText('Copied the output of make long').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`first\n${long}`);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('hands');
});

test('a command is copied as a picture of its own rows, in the theme of the page', async () => {
  const { page, context } = await opened(DESK, ({ client }) =>
    shell(
      client,
      marked('one', lines('one', 50), 0) + marked('red', '\u001b[41m\u001b[2K\r\n\u001b[2K\u001b[0m\r\n', 0),
    ),
  );
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const picture = async (): Promise<{ width: number; height: number; at: string[] }> =>
    page.evaluate(`(async () => {
      const [item] = await navigator.clipboard.read();
      const image = await createImageBitmap(await item.getType('image/png'));
      const { width, height } = image;
      const context = new OffscreenCanvas(width, height).getContext('2d');
      context.drawImage(image, 0, 0);
      const color = (y) => [...context.getImageData(width - 4, y, 1, 1).data.slice(0, 3)].join();
      return { width, height, at: [color(10), color(30), color(50)] };
    })()`);
  await label(page, /^red/).click();
  await page.getByRole('button', { name: 'Copy as picture' }).click();
  await page.getByText('Copied a picture of red').waitFor();
  expect(await picture()).toEqual({ width: 800, height: 60, at: ['26,27,38', '247,118,142', '247,118,142'] });
  // From the scrollback, by the keyboard alone.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+ArrowUp');
  await page.keyboard.press('Control+Shift+ArrowUp');
  await command(page, 'as a picture');
  await page.getByText('Copied a picture of one').waitFor();
  expect(await picture()).toMatchObject({ height: 51 * 20 });
});

test('without a clipboard for pictures the picture is saved', async () => {
  const { page } = await opened(DESK, ({ client }) => shell(client, THREE));
  await page.evaluate('delete window.ClipboardItem');
  await label(page, /^make test/).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Copy as picture' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('sh-2.png');
  await page.getByText('Saved a picture of make test').waitFor();
});

test('the whole of a long output is copied, and a picture has its last lines', async () => {
  const { page, context } = await opened(DESK, ({ client }) => shell(client, marked('much', lines('much', 9000), 0)));
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await label(page, /^much/).click();
  await page.getByRole('button', { name: 'Copy as picture' }).click();
  await page.getByText('Copied a picture of much, the last 400 lines of it').waitFor();
  await page.getByRole('button', { name: 'Copy output' }).click();
  await page.getByText('Copied the output of much').waitFor();
  expect(String(await page.evaluate('navigator.clipboard.readText()')).split('\n')).toHaveLength(9000);
});

test('the wheel scrolls the terminal over its labels, too', async () => {
  const { page } = await opened(DESK, ({ client }) => shell(client, THREE + marked('make all', lines('all', 200), 0)));
  await label(page, /^make all/).hover();
  await page.mouse.wheel(0, -10_000);
  await rowWith(page, '$ make lint').waitFor();
  await label(page, /^make lint/).waitFor();
});

test('words of a command are text, without the characters that turn it around', async () => {
  const { page, complaints } = await opened(DESK, ({ client }) =>
    shell(client, marked(`<img src=x onerror=alert(1)>\u202e${'y'.repeat(500)}`, 'z\r\n', 1)),
  );
  const name = await page.locator('.block-label .hidden').textContent();
  expect(name).toMatch(/^<img src=x onerror=alert\(1\)>y+…: failed with 1/);
  expect(name?.length).toBeLessThan(220);
  expect(await page.locator('.blocks img').count()).toBe(0);
  expect(complaints).toEqual([]);
});

test('of 2,000 commands those in view are drawn alone, and the last 1,000 can be reached', async () => {
  const many = Array.from({ length: 2000 }, (_, i) => marked(`c${i}`, `out ${i}\r\n`, i % 2)).join('');
  const { page } = await opened(DESK, ({ client }) => shell(client, many));
  await label(page, /^c1999:/).waitFor();
  expect(await page.locator('.block-label').count()).toBeLessThan(60);
  await page.locator('.term').evaluate((one) => one.scrollTo(0, 20 * 2000));
  await label(page, /^c1000:/).waitFor();
});

test('a program on the alternate screen hides them, and another width finds them again', async () => {
  const { page, client } = await opened(DESK, ({ client }) => shell(client, THREE));
  await label(page, /^make lint/).waitFor();
  await prints(client, '\u001b[?1049h');
  await label(page, /^make lint/).waitFor({ state: 'detached' });
  await prints(client, '\u001b[?1049l');
  await client.call('resize', { id: 'sh', cols: 40, rows: 10 });
  await label(page, /^make lint/).waitFor();
  // The labels move before the rows are drawn in the new width.
  await expect.poll(() => rowAt(page, label(page, /^make test/))).toBe('$ make test');
});

test('what was cleared leaves no labels', async () => {
  const { page, client } = await opened(DESK, ({ client }) => shell(client, THREE));
  await label(page, /^make lint/).waitFor();
  await prints(client, marked('clear', '\u001b[H\u001b[2J\u001b[3J', 0));
  await label(page, /^make lint/).waitFor({ state: 'detached' });
  await label(page, /^make test/).waitFor({ state: 'detached' });
});

test('a program that begins anew has its own commands, and an ended one keeps them', async () => {
  const { page, client } = await opened(DESK, ({ client }) => shell(client, THREE));
  await label(page, /^make lint/).waitFor();
  await prints(client, marked('make old', lines('old', 30), 1));
  await label(page, /^make old/).waitFor();
  await client.call('restart', { id: 'sh' });
  await label(page, /^make lint/).waitFor();
  await label(page, /^make old/).waitFor({ state: 'detached' });
  expect(await rowAt(page, label(page, /^make test/))).toBe('$ make test');
  await client.call('send', { id: 'sh', input: '\u0004' });
  await page.getByText('The program has ended.').waitFor();
  expect(await rowAt(page, label(page, /^make test/))).toBe('$ make test');
});

test.each(
  casesOf(
    [
      ['laptop', 'dark', DESK],
      ['laptop', 'light', DESK],
      ['phone', 'dark', PHONE],
      ['phone', 'light', PHONE],
    ] as const,
    isSampled,
  ),
)('on a %s axe finds nothing serious beside the rows in the %s theme', async (name, theme, size) => {
  const { page } = await opened({ ...size, colorScheme: theme }, ({ client }) => shell(client, THREE));
  const failed = label(page, /^make test/);
  await (name === 'phone' ? failed.tap() : failed.click());
  await page.getByRole('button', { name: 'Copy output' }).waitFor();
  expect(await axe(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
});

test('their part of the program is loaded with the first terminal that has marks', async () => {
  const { page, client } = await opened(DESK, ({ client }) => shell(client, lines('plain', 3)));
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await rowWith(page, 'shown').waitFor();
  expect(loaded.filter((path) => path.startsWith('/beside'))).toEqual([]);
  await prints(client, THREE);
  await label(page, /^make test/).waitFor();
  expect(loaded.filter((path) => path.startsWith('/beside'))).toHaveLength(1);
});

test('rows above a fresh page are there, however its first answers are ordered', async () => {
  const { page } = await opened(DESK, ({ client }) => shell(client, lines('above', 40)));
  for (let i = 0; i < 6; i++) {
    await rowWith(page, 'above 20').waitFor();
    await page.reload();
  }
});
