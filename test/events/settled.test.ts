import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { FRAME_INTERVAL_MS, MAX_IGNORED_SPANS, SettledDetector } from '../../src/events/settled.js';
import { FakeScreen } from './screens.js';

function watchScreen(cols = 80, rows = 24) {
  const clock = new FakeClock();
  const screen = new FakeScreen(cols, rows);
  let synchronized = false;
  const detector = new SettledDetector({
    clock,
    takeFrame: () => screen.frame(),
    synchronizedOutput: () => synchronized,
  });
  const settled: { atMs: number; ignored: string }[] = [];
  return {
    clock,
    screen,
    detector,
    settled,
    synchronize: (on: boolean) => {
      synchronized = on;
    },
    draw(at: number, text: string) {
      screen.draw(at, text);
      detector.onScreenChanged();
    },
    print(text: string) {
      screen.print(text);
      detector.onScreenChanged();
    },
    watch(settledMs: number) {
      return detector.watch(settledMs, 0, ({ ignored }) => {
        settled.push({ atMs: clock.now(), ignored: ignored.map((s) => `${s.row}:${s.col}+${s.cols}`).join(' ') });
      });
    },
  };
}

type Watched = ReturnType<typeof watchScreen>;

/** Calls `draw` every `stepMs` for `forMs`. */
function animate(watched: Watched, stepMs: number, forMs: number, draw: (step: number) => void): void {
  for (let step = 0; step * stepMs < forMs; step++) {
    draw(step);
    watched.clock.advance(stepMs);
  }
}

function time(step: number): string {
  return new Date(Date.UTC(2026, 0, 1, 11, 59, 50) + step * 1000).toISOString().slice(11, 19);
}

function at(step: number): string {
  return String(step % 10);
}

const SPINNER = '|/-\\';

describe('without anything periodic', () => {
  test('a screen that has been still for long enough is settled at once', () => {
    const watched = watchScreen();
    watched.clock.advance(1000);
    watched.watch(1000);
    expect(watched.settled).toEqual([{ atMs: 1000, ignored: '' }]);
  });

  test('settles after the silence that was asked for, counted from the last change', () => {
    const watched = watchScreen();
    watched.draw(0, 'one');
    watched.clock.advance(300);
    watched.draw(1, 'two');
    watched.watch(500);
    watched.clock.advance(499);
    expect(watched.settled).toEqual([]);
    watched.clock.advance(1);
    expect(watched.settled).toEqual([{ atMs: 800, ignored: '' }]);
    expect(watched.clock.pendingTimers).toBe(0);
  });

  test('a silence may be made to count from later', () => {
    const { clock, detector } = watchScreen();
    clock.advance(5000);
    let settledAtMs = 0;
    detector.watch(200, clock.now(), () => {
      settledAtMs = clock.now();
    });
    clock.advance(1000);
    expect(settledAtMs).toBe(5200);
  });

  test('a change that is gone by the next look, and one that shows nothing new, are none', () => {
    const watched = watchScreen();
    watched.clock.advance(400);
    watched.watch(500);
    watched.draw(0, 'x');
    watched.draw(0, '');
    watched.clock.advance(100);
    expect(watched.settled).toEqual([{ atMs: 500, ignored: '' }]);
  });

  test('dots that are printed one by one are output', () => {
    const watched = watchScreen();
    watched.watch(400);
    animate(watched, 200, 10_000, (step) => watched.draw(0, '.'.repeat(step + 1)));
    expect(watched.settled).toEqual([]);
    watched.clock.advance(1000);
    expect(watched.settled).toEqual([{ atMs: 10_200, ignored: '' }]);
  });

  test('a log that scrolls at an even pace is output, although every cell changes all the time', () => {
    const watched = watchScreen(40, 10);
    watched.watch(500);
    animate(watched, 100, 20_000, (step) => watched.print(`line ${step} ${'ab'.repeat(step % 7)}`));
    expect(watched.settled).toEqual([]);
  });

  test('a flood, of which no line is on the screen at two looks, is output', () => {
    const watched = watchScreen(40, 10);
    watched.watch(500);
    let line = 0;
    animate(watched, 10, 5000, () => {
      for (let i = 0; i < 15; i++) watched.print(`line ${line++}`);
    });
    expect(watched.settled).toEqual([]);
    watched.clock.advance(1000);
    expect(watched.settled).toHaveLength(1);
  });

  test('a list that a program scrolls by drawing it anew is output too', () => {
    const watched = watchScreen(40, 10);
    watched.watch(500);
    animate(watched, 200, 10_000, (step) => {
      for (let at = 0; at < 10; at++) watched.screen.draw(at, `entry ${step + at}`);
      watched.detector.onScreenChanged();
    });
    expect(watched.settled).toEqual([]);
  });

  test('a switch of screens is a change', () => {
    const watched = watchScreen();
    watched.clock.advance(900);
    watched.watch(1000);
    watched.screen.altScreen = true;
    watched.detector.onScreenChanged();
    watched.clock.advance(2000);
    expect(watched.settled).toEqual([{ atMs: 1900, ignored: '' }]);
  });

  test('a watch that was ended is not called, and holds no timer', () => {
    const watched = watchScreen();
    watched.watch(100).dispose();
    watched.clock.advance(1000);
    expect(watched.settled).toEqual([]);
    expect(watched.clock.pendingTimers).toBe(0);
  });
});

describe('periodic cells', () => {
  test.each([
    ['a spinner of 10 Hz', 100, 500, 2000],
    ['a spinner of 12.5 Hz', 80, 500, 2000],
    ['a spinner of 4 Hz', 250, 1000, 2000],
    ['a spinner of 1 Hz', 1000, 1500, 4000],
  ])('%s is found out', (_, stepMs, settledMs, withinMs) => {
    const watched = watchScreen();
    watched.watch(settledMs);
    animate(watched, stepMs, 10_000, (step) => watched.draw(5, `building ${SPINNER[step % 4]}`));
    expect(watched.settled).toHaveLength(1);
    expect(watched.settled[0]!.atMs).toBeLessThanOrEqual(withinMs);
    expect(watched.settled[0]!.ignored).toBe('5:9+1');
  });

  test('a clock is found out, its minutes changing with its seconds', () => {
    const watched = watchScreen();
    watched.draw(0, 'some text');
    animate(watched, 1000, 5000, (step) => watched.draw(23, `status ${time(step)}`));
    watched.watch(3000);
    animate(watched, 1000, 5000, (step) => watched.draw(23, `status ${time(step + 5)}`));
    expect(watched.settled).toEqual([{ atMs: 5000, ignored: '23:14+1' }]);
    expect(watched.detector.lastChangeAtMs).toBeLessThanOrEqual(1000);
  });

  test('a progress bar with its percentage is one show', () => {
    const watched = watchScreen();
    watched.watch(600);
    animate(watched, 90, 9000, (step) => {
      watched.draw(3, `[${'#'.repeat(step / 3).padEnd(34)}] ${String(step).padStart(3)}%`);
    });
    expect(watched.settled).toHaveLength(1);
    expect(watched.settled[0]!.atMs).toBeLessThanOrEqual(2000);
  });

  test('output elsewhere counts while a spinner turns', () => {
    const watched = watchScreen();
    watched.watch(500);
    animate(watched, 100, 5000, (step) => {
      watched.draw(23, `busy ${SPINNER[step % 4]}`);
      if (step % 4 === 0) watched.draw(step / 4, `result ${step}`);
    });
    expect(watched.settled).toEqual([]);
    animate(watched, 100, 3000, (step) => watched.draw(23, `busy ${SPINNER[(step + 2) % 4]}`));
    expect(watched.settled).toHaveLength(1);
    expect(watched.settled[0]!.ignored).toBe('23:5+1');
  });

  test('a spinner that stops is soon no longer named', () => {
    const watched = watchScreen();
    animate(watched, 100, 2000, (step) => watched.draw(0, SPINNER[step % 4]!));
    watched.clock.advance(10_000);
    watched.watch(100);
    expect(watched.settled).toEqual([{ atMs: 12_000, ignored: '' }]);
  });

  test('what changes with each input does not change by itself', () => {
    const watched = watchScreen();
    for (let key = 0; key < 10; key++) {
      watched.detector.onInput();
      watched.draw(0, `page ${key}`);
      watched.clock.advance(300);
    }
    watched.detector.onInput();
    watched.draw(0, 'page X');
    watched.watch(200);
    watched.clock.advance(199);
    expect(watched.settled).toEqual([]);
    watched.clock.advance(1);
    expect(watched.settled).toEqual([{ atMs: 3200, ignored: '' }]);
  });

  test('a screen full of changing figures is told in a bounded number of spans', () => {
    const watched = watchScreen(200, 40);
    watched.watch(1000);
    animate(watched, 100, 5000, (step) => {
      for (let at = 0; at < 40; at++) watched.screen.draw(at, `${step % 2} `.repeat(100));
      watched.screen.draw(0, `${step % 2} `.repeat(99) + at(step));
      watched.detector.onScreenChanged();
    });
    expect(watched.settled).toHaveLength(1);
    expect(watched.settled[0]!.ignored.split(' ')).toHaveLength(MAX_IGNORED_SPANS);
  });
});

describe('synchronized output', () => {
  test('a frame that is being drawn is not looked at, and nothing settles within it', () => {
    const watched = watchScreen();
    watched.watch(200);
    watched.clock.advance(100);
    watched.synchronize(true);
    watched.draw(0, '');
    watched.clock.advance(500);
    expect(watched.settled).toEqual([]);
    watched.draw(0, 'whole');
    watched.synchronize(false);
    watched.clock.advance(199);
    expect(watched.settled).toEqual([]);
    watched.clock.advance(1 + FRAME_INTERVAL_MS);
    expect(watched.settled).toHaveLength(1);
  });

  test('a program that never ends its update does not hold the screen for ever', () => {
    const watched = watchScreen();
    watched.synchronize(true);
    watched.draw(0, 'stuck');
    watched.watch(100);
    watched.clock.advance(5000);
    expect(watched.settled).toHaveLength(1);
  });
});

test('whatever is drawn, a watch ends exactly once after the drawing has ended', () => {
  const stroke = fc.record({
    afterMs: fc.nat(400),
    row: fc.nat(4),
    text: fc.string({ maxLength: 10 }),
    prints: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(stroke, { maxLength: 60 }), fc.integer({ min: 50, max: 1000 }), (strokes, settledMs) => {
      const watched = watchScreen(10, 5);
      for (const { afterMs, row, text, prints } of strokes) {
        watched.clock.advance(afterMs);
        if (prints) watched.print(text);
        else watched.draw(row, text);
      }
      const lastMs = watched.clock.now();
      watched.watch(settledMs);
      // A look after scrolling may come 120 ms late.
      watched.clock.advance(settledMs + 120);
      expect(watched.settled).toHaveLength(1);
      expect(watched.settled[0]!.atMs).toBeLessThanOrEqual(lastMs + settledMs + 120);
      expect(watched.clock.pendingTimers).toBe(0);
    }),
  );
});
