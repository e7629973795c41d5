import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { bytesOf, openScreen, show, textOf, THEME } from './screens.js';
import { onEffect } from '../support/screen-effects.js';

describe('output and resizes', () => {
  test('are each reported once, when they are on the screen', async () => {
    const screen = openScreen({ cols: 20, rows: 5 });
    const told: unknown[] = [];
    screen.onParsed.on((event) => told.push([event, screen.cols, textOf(screen.snapshot())[0]]));
    screen.write(new Uint8Array());
    screen.write(bytesOf('one'));
    const resized = screen.resize(30, 5);
    screen.write(bytesOf('\x1b[1m'));
    expect([screen.pendingBytes, screen.cols]).toEqual([7, 20]);
    await resized;
    await screen.settle(60_000);
    expect(told).toEqual([
      [{ changed: true, rev: 1, bytes: 3 }, 20, 'one'],
      [{ changed: true, rev: 2, bytes: 0 }, 30, 'one'],
      [{ changed: false, rev: 2, bytes: 4 }, 30, 'one'],
    ]);
    expect([screen.pendingBytes, screen.parsedBytes]).toEqual([0, 7]);
  });

  test('may come from a listener of earlier output', async () => {
    const screen = openScreen({ cols: 20, rows: 5 });
    const seen: unknown[] = [];
    let resized: Promise<void> | undefined;
    onEffect(screen, 'title', ({ title }) => {
      resized ??= screen.resize(30, 6);
      seen.push([title, screen.cols]);
      if (title === 'one') screen.write(bytesOf('\x1b]2;two\x07'));
    });
    await show(screen, '\x1b]2;one\x07');
    await resized;
    await screen.settle(60_000);
    expect(seen).toEqual([
      ['one', 20],
      ['two', 30],
    ]);
  });

  test('are reported with each query and its own reply', async () => {
    const screen = openScreen();
    const told: unknown[] = [];
    screen.onReply.on((bytes) => told.push(bytes));
    screen.onQuery.on(({ text, answer }) => told.push([text, answer]));
    await show(screen, '\x1b[5n\x1b]52;c;?\x07');
    expect(told).toEqual([['5n', '\x1b[0n'], '\x1b[0n', ['52;c;?', undefined]]);
  });
});

test('shown lines are numbered from the first line ever, and on the alternate screen from its top', async () => {
  const screen = openScreen({ rows: 2, scrollback: 1 });
  await show(screen, '\r\n'.repeat(5));
  expect([screen.firstLineNumber, screen.firstShownNumber]).toEqual([3, 3]);
  await show(screen, '\x1b[?1049h');
  expect([screen.firstLineNumber, screen.firstShownNumber]).toEqual([3, 0]);
});

describe('a fault of the emulator', () => {
  test('is reported and loses the rest of its slice, but no later output', async () => {
    const fault = new Error('no such colour');
    const colors = {
      ...THEME,
      get foreground(): number {
        throw fault;
      },
    };
    const screen = openScreen({ colors });
    const told: unknown[] = [];
    screen.onFault.on((error) => told.push(error));
    screen.onParsed.on((event) => told.push(event));
    await show(screen, 'a\x1b]10;?\x07b');
    expect(textOf(await show(screen, 'c'))[0]).toBe('ac');
    expect(told).toEqual([fault, { changed: true, rev: 1, bytes: 9 }, { changed: true, rev: 2, bytes: 1 }]);
  });
});

test('discarded output releases its readers, and a pending resize still happens', async () => {
  const screen = openScreen();
  screen.write(bytesOf('abc'));
  const settled = screen.settle(60_000);
  const resized = screen.resize(30, 6);
  expect(screen.discardPending()).toBe(3);
  expect(await settled).toBe(true);
  await resized;
  expect([screen.cols, screen.pendingBytes, screen.parsedBytes, textOf(screen.snapshot())[0]]).toEqual([30, 0, 0, '']);
});

test('a grid has at least two columns and one row', () => {
  for (const [cols, rows] of [
    [1, 5],
    [5, 0],
    [2.5, 5],
  ] as const) {
    expect(() => openScreen({ cols, rows })).toThrow(RangeError);
    expect(() => void openScreen().resize(cols, rows)).toThrow(RangeError);
  }
  expect([openScreen({ cols: 2, rows: 1 }).cols, openScreen({ cols: 2, rows: 1 }).rows]).toEqual([2, 1]);
});

describe('a disposed screen', () => {
  test('takes no output, reports nothing and releases its readers', async () => {
    const clock = new FakeClock();
    const screen = openScreen({ clock });
    const told: unknown[] = [];
    screen.onParsed.on((event) => told.push(event));
    screen.write(bytesOf('a'));
    const settled = screen.settle(1000);
    screen.dispose();
    screen.write(bytesOf('b'));
    expect(await settled).toBe(false);
    await screen.resize(30, 6);
    expect([screen.pendingBytes, screen.parsedBytes, screen.cols, clock.pendingTimers]).toEqual([0, 0, 20, 0]);
    // Others are parsed all the same, and after what was due before.
    await show(openScreen(), 'x');
    expect(told).toEqual([]);
  });
});
