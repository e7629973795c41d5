import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pulse } from '../../src/page/pulse.js';

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

function begun(isLarge = false, isHidden = false): { readonly pulse: Pulse; readonly seen: string[] } {
  const seen: string[] = [];
  const pulse = new Pulse({
    ask: () => seen.push('ask'),
    isHidden: () => isHidden,
    awaitsLarge: () => isLarge,
    silent: (ms) => seen.push(`silent ${ms}`),
  });
  pulse.begin();
  return { pulse, seen };
}

test('a way on which nothing comes is asked twice, and then said to be silent, once', () => {
  const { seen } = begun();
  vi.advanceTimersByTime(120_000);
  expect(seen).toEqual(['ask', 'ask', 'silent 15000']);
});

test('a way on which anything comes is not silent', () => {
  const { pulse, seen } = begun();
  for (let i = 0; i < 20; i++) {
    vi.advanceTimersByTime(9000);
    pulse.heard();
  }
  expect(new Set(seen)).toEqual(new Set(['ask']));
});

test('a large message has longer, and a page in the background asks for nothing', () => {
  const { seen } = begun(true);
  vi.advanceTimersByTime(60_000);
  expect(seen).not.toContain('silent 60000');
  vi.advanceTimersByTime(10_000);
  expect(seen.at(-1)).toBe('silent 65000');
  const hidden = begun(false, true);
  vi.advanceTimersByTime(600_000);
  expect(hidden.seen).toEqual([]);
});
