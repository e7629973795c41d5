/** The time of day is only for time stamps: when it jumps, durations and the order of events stay right. */
import { expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { EventBus } from '../../src/events/bus.js';
import { CommandLog } from '../../src/terminal/shell/command-log.js';
import type { TerminalEvent } from '../../src/protocol/events.js';

const DAY_MS = 24 * 60 * 60 * 1000;

class JumpingClock extends FakeClock {
  /** How far the time of day is from what it was. */
  jumpedMs = 0;

  override wallNow(): number {
    return 1_800_000_000_000 + this.now() + this.jumpedMs;
  }
}

test.each([DAY_MS, -DAY_MS])('a command has its true duration even if the time of day jumps by %i ms', (jumpMs) => {
  const clock = new JumpingClock();
  const log = new CommandLog(clock);
  const startedAt = clock.wallNow();
  log.onMark({ mark: 'command_start', command: 'make' }, { line: 1, col: 0 }, '/');
  clock.advance(1500);
  clock.jumpedMs = jumpMs;
  log.onMark({ mark: 'command_done', code: 0, command: 'make' }, { line: 2, col: 0 }, '/');
  expect(log.last).toMatchObject({ startedAt, durationMs: 1500, running: false });
});

test('events keep their order and their replay when their time stamps jump', () => {
  const clock = new JumpingClock();
  const bus = new EventBus({ clock });
  const published = [0, DAY_MS, -DAY_MS, 0].map((jumpMs) => {
    clock.advance(10);
    clock.jumpedMs = jumpMs;
    return bus.publish({ event: 'bell', terminal: 't1', count: 1 }, 1);
  });
  expect(published.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(published.map(({ ts }) => ts - (published[0]?.ts ?? 0))).toEqual([0, DAY_MS + 10, -DAY_MS + 20, 30]);
  const replayed = bus.subscribe({ since: 1 });
  expect([1, 2, 3].map(() => (replayed.next() as TerminalEvent).seq)).toEqual([2, 3, 4]);
  expect(replayed.next()).toBeUndefined();
});
