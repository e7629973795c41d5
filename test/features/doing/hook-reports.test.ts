/** How long the reports of hooks stand. */
import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../src/base/clock.js';
import type { StatusReport } from '../../../src/events/status/report.js';
import { type HookProcess, HookReports } from '../../../src/features/doing/hook-reports.js';
import { readStat } from '../../../src/terminal/system/processes.js';

const DAY_MS = 24 * 60 * 60 * 1000;

function report(given: Partial<StatusReport> = {}): StatusReport {
  const none = { kind: undefined, progress: undefined, app: undefined, title: undefined, msg: undefined };
  return { state: 'working', id: '', ...none, ...given };
}

/** A process that lives as long as the test. */
const OWN: HookProcess = {
  pid: process.pid,
  process: 'node',
  isShell: false,
  started: readStat(process.pid)?.started ?? '',
};

function reports(): { clock: FakeClock; reports: HookReports; ended: () => number } {
  const clock = new FakeClock();
  let ended = 0;
  return { clock, reports: new HookReports(clock, () => void ended++), ended: () => ended };
}

const says = (of: HookReports): string[] => of.signals.map(({ says: words }) => words);

describe('reports of hooks', () => {
  it('set no timer before the first one, and none after the last one', () => {
    const { clock, reports: kept } = reports();
    expect(clock.pendingTimers).toBe(0);
    kept.apply(report(), undefined, DAY_MS);
    expect(clock.pendingTimers).toBe(1);
    kept.apply(report({ state: 'clear' }), undefined, DAY_MS);
    expect(clock.pendingTimers).toBe(0);
  });

  it('end at their time, and report it', () => {
    const { clock, reports: kept, ended } = reports();
    kept.apply(report({ id: 'short' }), undefined, 5000);
    kept.apply(report({ id: 'long' }), undefined, DAY_MS);
    clock.advance(4999);
    expect(says(kept)).toEqual(['working short', 'working long']);
    clock.advance(1);
    expect(ended()).toBe(1);
    expect(says(kept)).toEqual(['working long']);
  });

  it('stand while their process lives, however often it is looked at', () => {
    const { clock, reports: kept, ended } = reports();
    kept.apply(report(), OWN, DAY_MS);
    clock.advance(60_000);
    expect(says(kept)).toEqual(['working']);
    expect(ended()).toBe(0);
  });

  it.runIf(process.platform === 'linux')('end with their process, although its pid is given out again', () => {
    const { clock, reports: kept, ended } = reports();
    kept.apply(report({ state: 'done' }), { ...OWN, started: '1' }, DAY_MS);
    kept.apply(report({ id: 'other' }), undefined, DAY_MS);
    clock.advance(1000);
    expect(says(kept)).toEqual(['working other']);
    expect(kept.mostUrgent?.record.id).toBe('other');
    expect(ended()).toBe(0);
    expect(clock.pendingTimers).toBe(1);
  });

  it('are 256 at most, the oldest out, and their ends with them', () => {
    const { clock, reports: kept } = reports();
    for (let i = 0; i < 1000; i++) kept.apply(report({ id: `part-${i}` }), OWN, 1000 + i);
    expect(kept.signals).toHaveLength(256);
    expect(says(kept)[0]).toBe('working part-744');
    clock.advance(1744);
    expect(says(kept)[0]).toBe('working part-745');
  });

  it('of what passes end with the program of the terminal, outcomes stay', () => {
    const { reports: kept } = reports();
    kept.apply(report({ id: 'a' }), undefined, DAY_MS);
    kept.apply(report({ id: 'b', state: 'done' }), undefined, DAY_MS);
    kept.onExit();
    expect(says(kept)).toEqual(['done b']);
  });
});
