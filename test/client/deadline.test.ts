import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Deadline } from '../../src/client/deadline.js';

let uptimeMs = 0;

beforeEach(() => {
  uptimeMs = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(process, 'uptime').mockImplementation(() => uptimeMs / 1000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function deadline(afterMs: number): Deadline {
  const made = new Deadline(afterMs);
  onTestFinished(() => made.dispose());
  return made;
}

test('a deadline stops the last given task, at its time and once', () => {
  const stopped: string[] = [];
  const limit = deadline(100);
  limit.stop(() => stopped.push('first'));
  limit.stop(() => stopped.push('second'));
  vi.advanceTimersByTime(99);
  expect([limit.passed, stopped]).toEqual([false, []]);
  vi.advanceTimersByTime(1);
  expect([limit.passed, stopped]).toEqual([true, ['second']]);
  vi.advanceTimersByTime(1000);
  expect(stopped).toEqual(['second']);
});

test('a task given after the deadline is stopped at once', () => {
  const limit = deadline(10);
  limit.begin();
  vi.advanceTimersByTime(10);
  const stop = vi.fn<() => void>();
  limit.stop(stop);
  expect(stop).toHaveBeenCalledOnce();
});

test('a deadline stops nothing without a task, or after the task was withdrawn', () => {
  const limit = deadline(10);
  const stop = vi.fn<() => void>();
  limit.stop(stop);
  limit.stop(undefined);
  vi.advanceTimersByTime(10);
  expect(limit.passed).toBe(true);
  expect(stop).not.toHaveBeenCalled();
});

test('a deadline that begins late has the rest of its time', () => {
  const limit = deadline(100);
  uptimeMs = 40;
  limit.begin();
  vi.advanceTimersByTime(59);
  expect(limit.passed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(limit.passed).toBe(true);
});

test('a deadline that begins after its time passes at once', () => {
  const limit = deadline(100);
  uptimeMs = 140;
  const stop = vi.fn<() => void>();
  limit.stop(stop);
  vi.advanceTimersByTime(1);
  expect(stop).toHaveBeenCalledOnce();
});

test('a disposed deadline never passes', () => {
  const limit = deadline(10);
  const stop = vi.fn<() => void>();
  limit.stop(stop);
  limit.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(20);
  expect(limit.passed).toBe(false);
  expect(stop).not.toHaveBeenCalled();
});

test('a deadline keeps no process alive', () => {
  vi.useRealTimers();
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  deadline(60_000).begin();
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before);
});
