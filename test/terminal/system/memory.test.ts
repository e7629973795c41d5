import { describe, expect, test } from 'vitest';
import { collectGarbage } from '../../../src/terminal/system/collect-garbage.js';
import { memoryFigures, memoryShare, pressureOf } from '../../../src/terminal/system/memory.js';
import { residentBytes } from '../../../src/terminal/system/resident-bytes.js';

test.each([
  [0, 'none'],
  [0.749, 'none'],
  [0.75, 'high'],
  [0.899, 'high'],
  [0.9, 'critical'],
  [2, 'critical'],
])('a share of %d is pressure %s', (share, pressure) => {
  expect(pressureOf(share)).toBe(pressure);
});

test('the memory share is that of the nearest limit', () => {
  const heap = { heap_used: 10, heap_limit: 100 };
  expect(memoryShare({ rss: 50, limit: 100, ...heap })).toBe(0.5);
  expect(memoryShare({ rss: 1, limit: 100, ...heap })).toBe(0.1);
});

describe('the memory figures of this process', () => {
  test('have the configured limit', () => {
    const figures = memoryFigures(1e15);
    expect(figures).toMatchObject({ limit: 1e15, pressure: pressureOf(figures.heap_used / figures.heap_limit) });
    expect(figures.heap_used).toBeLessThan(figures.heap_limit);
    expect(memoryFigures(1)).toMatchObject({ limit: 1, pressure: 'critical' });
  });

  test("have half of the machine's or container's memory without a configured limit", () => {
    const { limit } = memoryFigures(0);
    expect(Number.isInteger(limit)).toBe(true);
    expect(limit).toBeGreaterThan(0);
  });
});

test('the resident size is what the engine says, and follows what is taken', () => {
  const before = residentBytes() ?? 0;
  expect(before / process.memoryUsage.rss()).toBeCloseTo(1, 1);
  const taken = Buffer.alloc(64 * 1024 * 1024, 1);
  expect(((residentBytes() ?? 0) - before) / taken.length).toBeCloseTo(1, 0);
});

test('garbage can be collected at any time, invisibly to programs', async () => {
  const registry: string[] = [];
  const collected = new FinalizationRegistry((name: string) => registry.push(name));
  (() => collected.register({ name: 'gone' }, 'gone'))();
  while (registry.length === 0) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(registry).toEqual(['gone']);
  expect('gc' in globalThis).toBe(false);
});
