/** Synchronized updates: what a program has half drawn is not read. */
import { expect, it } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import { ActivityWatch } from '../../../src/features/rules/activity-watch.js';
import { Budget } from '../../../src/features/rules/budget.js';
import { PastLooks } from '../../../src/features/rules/past-looks.js';
import { finish } from '../../../src/search/work.js';
import { PastScreen } from '../../../src/vt/past-screen.js';
import { HalfDrawn } from '../../../src/features/rules/half-drawn.js';
import { WorkSchedule } from '../../../src/search/work-schedule.js';
import { profileOf } from '../../activity/watched.js';
import { ownTerminal } from '../../support/own-terminal.js';
import { bytesOf } from '../../vt/screens.js';

it('an update that ends is waited for, and one that does not end for a second', () => {
  const halfDrawn = new HalfDrawn();
  const [within, outside] = [{ synchronizedOutput: true }, { synchronizedOutput: false }];
  expect(halfDrawn.holds(outside, 0)).toBe(false);
  expect(halfDrawn.holds(within, 100)).toBe(true);
  expect(halfDrawn.holds(outside, 150)).toBe(false);
  expect(halfDrawn.holds(within, 1050)).toBe(true);
  expect(halfDrawn.holds(within, 2049)).toBe(true);
  expect(halfDrawn.holds(within, 2050)).toBe(false);
  // Until it ends, however long.
  expect(halfDrawn.holds(within, 9000)).toBe(false);
});

it('the entry of a question that is drawn within an update is that of the whole one', async () => {
  const clock = new FakeClock();
  const terminal = ownTerminal({ clock });
  const watch = new ActivityWatch(terminal, { clock, work: new WorkSchedule(), budget: new Budget(clock) });
  watch.use(profileOf({ id: 'q', start: '^(?P<text>.*\\?)$', emit: { kind: 'question' } }));
  const print = async (text: string): Promise<void> => {
    const parsed = new Promise<void>((resolve) => terminal.feed.add({ onParsed: () => resolve() }));
    terminal.screen.write(bytesOf(text));
    await parsed;
  };
  await print('\x1b[?2026hOverwrite a?\r\n');
  clock.advance(500);
  await new Promise(setImmediate);
  expect(watch.log.all()).toEqual([]);
  await print('\x1b[HOverwrite b?\r\n\x1b[?2026l');
  clock.advance(500);
  // Rules are run in slices of the process's time.
  await expect.poll(() => watch.log.all()).toMatchObject([{ version: 1, data: { text: 'Overwrite b?' } }]);
  watch.dispose();
});

it('nor is output of the past, whose looks were not logged', () => {
  const rule = { id: 'q', start: '^(?P<text>.*\\?)$', emit: { kind: 'question' } };
  const looks = new PastLooks(profileOf(rule), 't1');
  const screen = new PastScreen({ cols: 40, rows: 6 }, 100);
  const print = (text: string, ms: number): void => {
    finish(looks.until(screen, ms));
    screen.apply(bytesOf(text));
    looks.printed(ms);
  };
  print('\x1b[?2026hOverwrite a?\r\n', 1000);
  print('\x1b[HOverwrite b?\r\n\x1b[?2026l', 1500);
  print('done', 9000);
  expect(looks.changes.map(({ op, entry }) => [op, entry.version, entry.ts, entry.data['text']])).toEqual([
    ['upsert', 1, 1550, 'Overwrite b?'],
    ['finalize', 1, 1550, 'Overwrite b?'],
  ]);
  screen.dispose();
});
