import { expect, test } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { SYNCHRONIZED_OUTPUT_LIMIT_MS } from '../../../src/vt/parsing/settle-waiters.js';
import { bytesOf, openScreen, show, textOf } from '../screens.js';

/** One turn of the event loop: a slice that was due is parsed by then. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('settle waits for earlier writes, and not for later ones', async () => {
  const screen = openScreen();
  const flood = bytesOf('x\r\n'.repeat(100_000));
  screen.write(bytesOf('first\r\n'));
  const settled = screen.settle(60_000);
  screen.write(flood);
  expect(await settled).toBe(true);
  expect(screen.pendingBytes).toBeGreaterThan(0);
});

test('settle ends at its deadline when a flood is not parsed by then', async () => {
  const clock = new FakeClock();
  const screen = openScreen({ clock });
  screen.write(bytesOf('x\r\n'.repeat(1_000_000)));
  const settled = screen.settle(40);
  await turn();
  clock.advance(40);
  expect(await settled).toBe(false);
  expect(screen.pendingBytes).toBeGreaterThan(0);
  expect(textOf(screen.snapshot())).toContain('x');
  expect(clock.pendingTimers).toBe(0);
});

test('settle of a screen with nothing to parse is true at once and leaves no timer', async () => {
  const clock = new FakeClock();
  expect(await openScreen({ clock }).settle(10)).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});

test('a synchronized update holds settle until its end', async () => {
  const clock = new FakeClock();
  const screen = openScreen({ clock });
  screen.write(bytesOf('\x1b[?2026hhalf'));
  let outcome: boolean | undefined;
  const settled = screen.settle(1000).then((value) => {
    outcome = value;
  });
  await turn();
  expect(screen.modes.synchronizedOutput).toBe(true);
  expect(outcome).toBeUndefined();
  screen.write(bytesOf(' whole\x1b[?2026l'));
  await settled;
  expect(outcome).toBe(true);
  expect(textOf(screen.snapshot())[0]).toBe('half whole');
  expect(clock.pendingTimers).toBe(0);
});

test('a synchronized update that never ends delays settle once, for a limited time', async () => {
  const clock = new FakeClock();
  const screen = openScreen({ clock });
  screen.write(bytesOf('\x1b[?2026hhalf'));
  const settled = screen.settle(10_000);
  await turn();
  clock.advance(SYNCHRONIZED_OUTPUT_LIMIT_MS);
  expect(await settled).toBe(true);
  expect(textOf(screen.snapshot())[0]).toBe('half');
  expect(await screen.settle(10_000)).toBe(true);
  expect(clock.now()).toBe(SYNCHRONIZED_OUTPUT_LIMIT_MS);
});

test('settle ends at a deadline before the end of a synchronized update', async () => {
  const clock = new FakeClock();
  const screen = openScreen({ clock });
  await show(screen, '');
  screen.write(bytesOf('\x1b[?2026h'));
  await turn();
  const settled = screen.settle(20);
  clock.advance(20);
  expect(await settled).toBe(false);
});

test('bytes written before a resize are laid out at the old width, bytes after it at the new', async () => {
  const screen = openScreen({ cols: 10 });
  screen.write(bytesOf('\x1b[999Ca'));
  const resized = screen.resize(16, 5);
  screen.write(bytesOf('\r\n\x1b[999Cb'));
  expect(screen.cols).toBe(10);
  await resized;
  await screen.settle(60_000);
  expect(textOf(screen.snapshot()).slice(0, 2)).toEqual([`${' '.repeat(9)}a`, `${' '.repeat(15)}b`]);
  expect(screen.snapshot()).toMatchObject({ cols: 16, rows: 5 });
});

test('a resize of an idle screen is done at once and is a change', () => {
  const screen = openScreen();
  const events: unknown[] = [];
  screen.onParsed.on((event) => events.push(event));
  void screen.resize(30, 8);
  expect(screen.snapshot()).toMatchObject({ cols: 30, rows: 8, rev: 1 });
  expect(screen.snapshot().lines.map((row) => row.cells.length)).toEqual(Array.from({ length: 8 }, () => 30 * 4));
  expect(events).toEqual([{ changed: true, rev: 1, bytes: 0 }]);
});

test('wrapped lines are reflowed at another width', async () => {
  const screen = openScreen({ cols: 10, rows: 4 });
  await show(screen, 'abcdefghijklmno\r\n$ ');
  expect(screen.snapshot().lines.map((row) => row.wrapped)).toEqual([false, true, false, false]);
  await screen.resize(20, 4);
  expect(textOf(screen.snapshot()).slice(0, 2)).toEqual(['abcdefghijklmno', '$ ']);
});

test.each([
  [1, 24],
  [80, 0],
  [0, 0],
  [2.5, 3],
  [Number.NaN, 3],
  [-5, 3],
])('a grid of %sx%s is refused', async (cols, rows) => {
  const screen = openScreen();
  expect(() => screen.resize(cols, rows)).toThrow(RangeError);
  expect(() => openScreen({ cols, rows })).toThrow(RangeError);
});

test('the smallest and a large grid work', async () => {
  expect(textOf(await show(openScreen({ cols: 2, rows: 1 }), 'ab中'))).toEqual(['中']);
  const { lines } = await show(openScreen({ cols: 1000, rows: 1000 }), '\x1b[1000;1000Hx');
  expect(lines[999]!.cells[999 * 4]).toBe(0x78);
});

test('disposing ends waiting readers and pending resizes, and later writes do nothing', async () => {
  const screen = openScreen();
  screen.write(bytesOf('text'));
  const settled = screen.settle(60_000);
  const resized = screen.resize(40, 10);
  screen.dispose();
  expect(await settled).toBe(false);
  await resized;
  screen.write(bytesOf('more'));
  await screen.resize(50, 10);
  screen.dispose();
});

test('the alternate screen is no wider than the grid after it got narrower', async () => {
  const screen = openScreen({ cols: 40, rows: 5 });
  screen.write(bytesOf(`\x1b[?1049h${'x'.repeat(40)}`));
  await screen.settle(60_000);
  await screen.resize(10, 4);
  const { lines, cols } = screen.snapshot();
  expect(lines.map((row) => row.cells.length)).toEqual(Array.from({ length: 4 }, () => cols * 4));
  screen.write(bytesOf('\x1b[Hwritten over the end'));
  await screen.settle(60_000);
  expect(textOf(screen.snapshot()).slice(0, 3)).toEqual(['written ov', 'er the end', '']);
});

test('discarding pending output releases the readers that wait for it, and keeps a pending resize', async () => {
  const clock = new FakeClock();
  const screen = openScreen({ cols: 20, rows: 5, clock });
  const flood = bytesOf('x\r\n'.repeat(500_000));
  screen.write(flood);
  const settled = screen.settle(60_000);
  const resized = screen.resize(30, 6);
  screen.write(flood);
  await turn();
  const dropped = screen.discardPending();
  expect(dropped).toBeGreaterThan(flood.length);
  expect(screen.pendingBytes).toBe(0);
  expect(await settled).toBe(true);
  await resized;
  expect([screen.cols, screen.rows]).toEqual([30, 6]);
  expect(screen.parsedBytes + dropped).toBe(2 * flood.length);
  expect(clock.pendingTimers).toBe(0);
});

test('a screen parses output that is written after pending output was discarded', async () => {
  const screen = openScreen();
  screen.write(bytesOf('x\r\n'.repeat(500_000)));
  screen.discardPending();
  expect(textOf(await show(screen, '\x1bcafter'))[0]).toBe('after');
});
