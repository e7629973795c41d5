import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { LastWords } from '../../src/terminal/last-words.js';
import type { Screen } from '../../src/vt/screen.js';
import { bytesOf, openScreen, textOf } from '../vt/screens.js';

const LONG_MS = 60_000;

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A screen on a clock that stands still, so that only the test decides whether it is behind. */
function ending(): { clock: FakeClock; screen: Screen; lastWords: LastWords; dropped: () => number } {
  const clock = new FakeClock();
  const screen = openScreen({ clock });
  let dropped = 0;
  const lastWords = new LastWords(screen, (bytes) => {
    dropped += bytes;
  });
  return { clock, screen, lastWords, dropped: () => dropped };
}

async function parsed(screen: Screen): Promise<void> {
  while (screen.pendingBytes > 0) await turn();
}

test('output that the screen keeps up with is shown, however late it comes', async () => {
  const { clock, screen, lastWords, dropped } = ending();
  for (const word of ['first', 'second', 'third']) {
    clock.advance(LONG_MS);
    lastWords.write(bytesOf(`${word}\r\n`));
    await parsed(screen);
  }
  clock.advance(LONG_MS);
  expect(textOf(screen.snapshot()).slice(0, 3)).toEqual(['first', 'second', 'third']);
  expect(dropped()).toBe(0);
});

test('once the screen is behind, the rest is dropped and acknowledged', async () => {
  const { clock, screen, lastWords, dropped } = ending();
  const flood = bytesOf('x\r\n'.repeat(500_000));
  lastWords.write(flood);
  await turn();
  const settled = screen.settle(LONG_MS);
  clock.advance(199);
  await turn();
  expect(dropped()).toBe(0);
  clock.advance(1);
  expect(await settled).toBe(true);
  expect(screen.pendingBytes).toBe(0);
  expect(screen.parsedBytes).toBeLessThan(flood.length);
  expect(screen.parsedBytes + dropped()).toBe(flood.length);
  lastWords.write(bytesOf('more'));
  expect(screen.pendingBytes).toBe(0);
  expect(screen.parsedBytes + dropped()).toBe(flood.length + 4);
  expect(clock.pendingTimers).toBe(0);
});

test('output that was waiting for the parser at the start counts as well', async () => {
  const clock = new FakeClock();
  const screen = openScreen({ clock });
  screen.write(bytesOf('x\r\n'.repeat(500_000)));
  let dropped = 0;
  const lastWords = new LastWords(screen, (bytes) => {
    dropped += bytes;
  });
  clock.advance(1000);
  await turn();
  expect(screen.pendingBytes).toBe(0);
  const droppedFirst = dropped;
  expect(droppedFirst).toBeGreaterThan(0);
  lastWords.write(bytesOf('more'));
  expect(dropped).toBe(droppedFirst + 4);
});

test('a screen that catches up with a part of a flood may fall behind with the rest', async () => {
  const { clock, screen, lastWords, dropped } = ending();
  lastWords.write(bytesOf('x\r\n'.repeat(1000)));
  lastWords.write(bytesOf('y\r\n'.repeat(500_000)));
  while (screen.parsedBytes < 10_000) await turn();
  expect(screen.pendingBytes).toBeGreaterThan(0);
  clock.advance(1000);
  await turn();
  expect(screen.pendingBytes).toBe(0);
  expect(dropped()).toBeGreaterThan(0);
});
