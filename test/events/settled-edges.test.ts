/** The settled detector at the exact millisecond at which a silence is long enough. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { FRAME_INTERVAL_MS, SettledDetector } from '../../src/events/settled.js';
import { FakeScreen } from './screens.js';

function watchedScreen() {
  const clock = new FakeClock();
  const screen = new FakeScreen(80, 24);
  const state = { synchronized: false };
  const settledAtMs: number[] = [];
  const detector = new SettledDetector({
    clock,
    takeFrame: () => screen.frame(),
    synchronizedOutput: () => state.synchronized,
  });
  return {
    clock,
    state,
    settledAtMs,
    detector,
    draw: (row: number, text: string) => {
      screen.draw(row, text);
      detector.onScreenChanged();
    },
    watch: (settledMs: number) => detector.watch(settledMs, 0, () => settledAtMs.push(clock.now())),
  };
}

test('a change in the last millisecond of the silence restarts it', () => {
  const { clock, draw, watch, settledAtMs } = watchedScreen();
  // Due at the same time as the watch, and asked for before it.
  clock.after(500, () => draw(0, 'late'));
  watch(500);
  clock.advance(500 + FRAME_INTERVAL_MS);
  expect(settledAtMs).toEqual([]);
  clock.advance(2000);
  expect(settledAtMs).toEqual([1000]);
});

test('a synchronized update at the end of the silence delays the settling', () => {
  const { clock, state, watch, settledAtMs } = watchedScreen();
  state.synchronized = true;
  watch(500);
  clock.advance(500);
  expect(settledAtMs).toEqual([]);
  state.synchronized = false;
  clock.advance(FRAME_INTERVAL_MS);
  expect(settledAtMs).toEqual([500 + FRAME_INTERVAL_MS]);
  expect(clock.pendingTimers).toBe(0);
});

test('an update that never ends delays the settling by exactly one second after it is first seen', () => {
  const { clock, state, watch, settledAtMs } = watchedScreen();
  state.synchronized = true;
  watch(500);
  clock.advance(1499);
  expect(settledAtMs).toEqual([]);
  clock.advance(1);
  expect(settledAtMs).toEqual([1500]);
});

test('each further update delays the settling by a second of its own', () => {
  const { clock, state, watch, settledAtMs } = watchedScreen();
  state.synchronized = true;
  const givenUp = watch(400);
  clock.advance(800);
  givenUp.dispose();
  state.synchronized = false;
  watch(400);
  expect(settledAtMs).toEqual([800]);
  state.synchronized = true;
  watch(400);
  clock.advance(999);
  expect(settledAtMs).toEqual([800]);
  clock.advance(1);
  expect(settledAtMs).toEqual([800, 1800]);
});

test('drawing that a synchronized update reverts is not a change', () => {
  const { clock, state, draw, watch, settledAtMs } = watchedScreen();
  watch(500);
  clock.advance(100);
  state.synchronized = true;
  draw(0, 'half done');
  clock.advance(2 * FRAME_INTERVAL_MS);
  draw(0, '');
  state.synchronized = false;
  clock.advance(400 - 2 * FRAME_INTERVAL_MS);
  expect(settledAtMs).toEqual([500]);
});

test('a disposed detector has no timer and sets none', () => {
  const { clock, detector, draw, watch, settledAtMs } = watchedScreen();
  watch(500);
  draw(0, 'x');
  detector.dispose();
  expect(clock.pendingTimers).toBe(0);
  draw(0, 'y');
  expect(clock.pendingTimers).toBe(0);
  clock.advance(2000);
  expect(settledAtMs).toEqual([]);
});
