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

describe('a screen without periodic cells', () => {
  test('is settled at once if it has not changed for long enough', () => {
    const watched = watchScreen();
    watched.clock.advance(1000);
    watched.watch(1000);
    expect(watched.settled).toEqual([{ atMs: 1000, ignored: '' }]);
  });

  test('settles after the requested silence, counted from the last change', () => {
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

  test('settles after a silence that is counted from a later start', () => {
    const { clock, detector } = watchScreen();
    clock.advance(5000);
    let settledAtMs = 0;
    detector.watch(200, clock.now(), () => {
      settledAtMs = clock.now();
    });
    clock.advance(1000);
    expect(settledAtMs).toBe(5200);
  });

  test('ignores a change that is reverted before the next look', () => {
    const watched = watchScreen();
    watched.clock.advance(400);
    watched.watch(500);
    watched.draw(0, 'x');
    watched.draw(0, '');
    watched.clock.advance(100);
    expect(watched.settled).toEqual([{ atMs: 500, ignored: '' }]);
  });

  test('does not settle while dots are printed one by one', () => {
    const watched = watchScreen();
    watched.watch(400);
    animate(watched, 200, 10_000, (step) => watched.draw(0, '.'.repeat(step + 1)));
    expect(watched.settled).toEqual([]);
    watched.clock.advance(1000);
    expect(watched.settled).toEqual([{ atMs: 10_200, ignored: '' }]);
  });

  test('does not settle while a log scrolls at an even pace, although every cell changes', () => {
    const watched = watchScreen(40, 10);
    watched.watch(500);
    animate(watched, 100, 20_000, (step) => watched.print(`line ${step} ${'ab'.repeat(step % 7)}`));
    expect(watched.settled).toEqual([]);
  });

  test('does not settle during a flood that replaces all lines between two looks', () => {
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

  test('does not settle while a program scrolls a list by redrawing it', () => {
    const watched = watchScreen(40, 10);
    watched.watch(500);
    animate(watched, 200, 10_000, (step) => {
      for (let at = 0; at < 10; at++) watched.screen.draw(at, `entry ${step + at}`);
      watched.detector.onScreenChanged();
    });
    expect(watched.settled).toEqual([]);
  });

  test('counts a switch to the alternate screen as a change', () => {
    const watched = watchScreen();
    watched.clock.advance(900);
    watched.watch(1000);
    watched.screen.altScreen = true;
    watched.detector.onScreenChanged();
    watched.clock.advance(2000);
    expect(watched.settled).toEqual([{ atMs: 1900, ignored: '' }]);
  });

  test('does not call a disposed watch, which holds no timer', () => {
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
  ])('of %s are ignored', (_, stepMs, settledMs, withinMs) => {
    const watched = watchScreen();
    watched.watch(settledMs);
    animate(watched, stepMs, 10_000, (step) => watched.draw(5, `building ${SPINNER[step % 4]}`));
    expect(watched.settled).toHaveLength(1);
    expect(watched.settled[0]!.atMs).toBeLessThanOrEqual(withinMs);
    expect(watched.settled[0]!.ignored).toBe('5:9+1');
  });

  test('of a clock that shows seconds are ignored', () => {
    const watched = watchScreen();
    watched.draw(0, 'some text');
    animate(watched, 1000, 5000, (step) => watched.draw(23, `status ${time(step)}`));
    watched.watch(3000);
    animate(watched, 1000, 5000, (step) => watched.draw(23, `status ${time(step + 5)}`));
    expect(watched.settled).toEqual([{ atMs: 5000, ignored: '23:14+1' }]);
    expect(watched.detector.lastChangeAtMs).toBeLessThanOrEqual(1000);
  });

  test('of a clock are ignored although its minutes change', () => {
    const watched = watchScreen();
    animate(watched, 1000, 12_000, (step) => watched.draw(23, `status ${time(step)}`));
    watched.watch(3000);
    animate(watched, 1000, 7000, (step) => watched.draw(23, `status ${time(step + 12)}`));
    expect(watched.settled).toEqual([{ atMs: 12_000, ignored: '23:14+1' }]);
  });

  test('of a progress bar and its percentage do not prevent settling', () => {
    const watched = watchScreen();
    watched.watch(600);
    animate(watched, 90, 9000, (step) => {
      watched.draw(3, `[${'#'.repeat(step / 3).padEnd(34)}] ${String(step).padStart(3)}%`);
    });
    expect(watched.settled).toHaveLength(1);
    expect(watched.settled[0]!.atMs).toBeLessThanOrEqual(2000);
  });

  test('of a spinner do not hide output elsewhere', () => {
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

  test('of a spinner that has stopped are not reported', () => {
    const watched = watchScreen();
    animate(watched, 100, 2000, (step) => watched.draw(0, SPINNER[step % 4]!));
    watched.clock.advance(10_000);
    watched.watch(100);
    expect(watched.settled).toEqual([{ atMs: 12_000, ignored: '' }]);
  });

  test('do not include cells that change only after input', () => {
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

  test('of a whole screen are reported in a bounded number of spans', () => {
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
  test('an unfinished frame is not compared, and the screen does not settle during it', () => {
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

  test('an update that never ends does not prevent settling forever', () => {
    const watched = watchScreen();
    watched.synchronize(true);
    watched.draw(0, 'stuck');
    watched.watch(100);
    watched.clock.advance(5000);
    expect(watched.settled).toHaveLength(1);
  });
});

test('a watch ends exactly once after any drawing has ended', () => {
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
