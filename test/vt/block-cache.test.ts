import { describe, expect, test } from 'vitest';
import { BlockCache, blockCacheOf, forgetBlocks } from '../../src/vt/block-cache.js';
import type { Screen } from '../../src/vt/screen.js';
import { openScreen, show } from './screens.js';

const BLOCK = { text: 'a\n', starts: [0, 2], numbers: [0] };

const lines = (count: number): string => 'line\r\n'.repeat(count);

/** A screen with lines 0 to 9 in its scrollback. */
async function scrolled(scrollback = 100): Promise<Screen> {
  const screen = openScreen({ cols: 20, rows: 3, scrollback });
  await show(screen, lines(12));
  expect(screen.scrollbackLines).toBe(Math.min(10, scrollback));
  return screen;
}

describe('a block of lines', () => {
  test('is kept under the number of its first row, with the number after its last', async () => {
    const cache = new BlockCache(await scrolled());
    cache.set(2, 10, BLOCK);
    expect(cache.get(2)).toMatchObject({ block: BLOCK, end: 10 });
    expect([cache.get(1), cache.get(3)]).toEqual([undefined, undefined]);
  });

  test('is kept only for rows above the viewport', async () => {
    const cache = new BlockCache(await scrolled());
    cache.set(2, 11, BLOCK);
    expect(cache.get(2)).toBeUndefined();
  });

  test('is kept only if its last line ends with it', async () => {
    const screen = openScreen({ cols: 20, rows: 3 });
    await show(screen, `${'w'.repeat(50)}\r\n${lines(8)}`);
    const cache = new BlockCache(screen);
    cache.set(0, 2, BLOCK);
    expect(cache.get(0)).toBeUndefined();
    cache.set(0, 3, BLOCK);
    expect(cache.get(0)?.end).toBe(3);
  });

  test('is neither kept nor found on the alternate screen, and is found after it', async () => {
    const screen = await scrolled();
    const cache = new BlockCache(screen);
    cache.set(0, 5, BLOCK);
    await show(screen, '\x1b[?1049h');
    expect(cache.get(0)).toBeUndefined();
    cache.set(0, 0, BLOCK);
    await show(screen, '\x1b[?1049l');
    expect(cache.get(5)).toBeUndefined();
  });

  test('is not found after a new layout', async () => {
    const screen = await scrolled();
    const cache = new BlockCache(screen);
    cache.set(0, 5, BLOCK);
    await screen.resize(30, 3);
    expect(cache.get(0)).toBeUndefined();
  });

  test('is found while none of its lines has changed', async () => {
    const screen = await scrolled();
    const cache = new BlockCache(screen);
    cache.set(0, 9, BLOCK);
    cache.set(9, 10, BLOCK);
    // The last line of the scrollback comes back into the viewport, and is changed there.
    await screen.resize(20, 4);
    await show(screen, '\x1b[Hnew');
    expect(cache.get(0)?.end).toBe(9);
    expect(cache.get(9)).toBeUndefined();
  });
});

describe('the cache of a screen', () => {
  test('is one object until its blocks are dropped', async () => {
    const screen = await scrolled();
    const cache = blockCacheOf(screen);
    cache.set(0, 5, BLOCK);
    expect(blockCacheOf(screen)).toBe(cache);
    expect(blockCacheOf(screen).get(0)).toBeDefined();
    expect(blockCacheOf(await scrolled())).not.toBe(cache);
    forgetBlocks(screen);
    expect(blockCacheOf(screen).get(0)).toBeUndefined();
  });

  test('drops what the scrollback drops, and nothing else', async () => {
    const screen = await scrolled(10);
    const cache = blockCacheOf(screen);
    for (const first of [0, 2, 4, 6, 8]) cache.set(first, first + 2, BLOCK);
    await show(screen, lines(4));
    expect(screen.firstShownNumber).toBe(4);
    const kept = blockCacheOf(screen);
    expect([0, 2, 4, 6, 8].filter((first) => kept.get(first) !== undefined)).toEqual([4, 6, 8]);
  });
});
