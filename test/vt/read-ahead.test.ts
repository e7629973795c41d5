import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { blockCacheOf } from '../../src/vt/block-cache.js';
import { ROWS_PER_BLOCK } from '../../src/vt/line-reader.js';
import { ReadAhead } from '../../src/vt/read-ahead.js';
import type { Screen } from '../../src/vt/screen.js';
import { openScreen, show } from './screens.js';

async function screenOf(lines: number, scrollback = 100_000): Promise<Screen> {
  const screen = openScreen({ scrollback });
  await show(screen, Array.from({ length: lines }, (_, i) => `line ${i}\r\n`).join(''));
  return screen;
}

/** How many lines are at hand, from the oldest on without a gap. */
function linesAtHand(screen: Screen): number {
  const cache = blockCacheOf(screen);
  let number = screen.firstShownNumber;
  for (let cached = cache.get(number); cached !== undefined; cached = cache.get(number)) number = cached.end;
  return number - screen.firstShownNumber;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}

const wholeBlocks = (screen: Screen): number => Math.floor(screen.scrollbackLines / ROWS_PER_BLOCK) * ROWS_PER_BLOCK;

test('whole blocks of a large scrollback are read ahead in several turns, and later lines after them', async () => {
  const screen = await screenOf(20_000);
  const ahead = new ReadAhead(screen);
  ahead.start();
  expect(linesAtHand(screen)).toBeLessThan(wholeBlocks(screen));
  await until(() => linesAtHand(screen) === wholeBlocks(screen));
  expect(blockCacheOf(screen).get(screen.firstShownNumber)?.block.text.slice(0, 14)).toBe('line 0\nline 1\n');
  await show(screen, 'more\r\n'.repeat(1000));
  ahead.start();
  await until(() => linesAtHand(screen) === wholeBlocks(screen));
});

test('dropped lines are not kept', async () => {
  const screen = await screenOf(10_000, 6000);
  const ahead = new ReadAhead(screen);
  const first = screen.firstShownNumber;
  ahead.start();
  await until(() => blockCacheOf(screen).get(Math.ceil(first / ROWS_PER_BLOCK) * ROWS_PER_BLOCK) !== undefined);
  await show(screen, 'more\r\n'.repeat(7000));
  expect(blockCacheOf(screen).get(first)).toBeUndefined();
});

test('reading ahead stops on request, and continues at the same place', async () => {
  const screen = await screenOf(60_000);
  const ahead = new ReadAhead(screen);
  ahead.start();
  await until(() => linesAtHand(screen) > 0);
  ahead.stop();
  await turn();
  const read = linesAtHand(screen);
  expect(read).toBeLessThan(wholeBlocks(screen));
  for (let i = 0; i < 10; i++) await turn();
  expect(linesAtHand(screen)).toBe(read);
  ahead.start();
  await until(() => linesAtHand(screen) === wholeBlocks(screen));
});

test('a small scrollback is read on request only', async () => {
  const screen = await screenOf(2000);
  const ahead = new ReadAhead(screen);
  ahead.start();
  for (let i = 0; i < 10; i++) await turn();
  expect(linesAtHand(screen)).toBe(0);
});
