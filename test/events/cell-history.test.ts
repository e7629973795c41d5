import { describe, expect, test } from 'vitest';
import { CellHistory, MAX_PERIOD_MS } from '../../src/events/cell-history.js';

/** A cell that changes at these times: whether it is periodic at the last of them. */
function isPeriodic(...times: number[]): boolean {
  const history = new CellHistory(3);
  for (const ms of times) history.note(0, 1, ms);
  return history.isPeriodic(0, 1, times.at(-1) ?? 0);
}

describe('a cell', () => {
  test.each([
    ['that never changed', [], false],
    ['that changed once', [0], false],
    ['that changed twice', [0, 100], false],
    ['that changed three times at even intervals', [0, 100, 200], true],
    ['whose intervals differ by twice and a little more', [0, 100, 400], true],
    ['whose intervals differ by more than that', [0, 100, 401], false],
    ['whose first interval is the longer one', [0, 300, 400], true],
    ['whose first interval is too much longer', [0, 301, 401], false],
    ['that changed five times at uneven intervals', [0, 10, 500, 510, 1000], false],
    ['that changed six times at any intervals', [0, 10, 500, 510, 1000, 1010], true],
    ['that changes as slowly as can be', [0, MAX_PERIOD_MS, 2 * MAX_PERIOD_MS], true],
    ['that changes too slowly', [0, MAX_PERIOD_MS + 1, 2 * MAX_PERIOD_MS + 2], false],
    ['that paused for too long', [0, 100, 200, 201 + MAX_PERIOD_MS], false],
    ['whose even intervals were before a pause', [0, 500, 1000, 9000, 9010], false],
    ['whose even intervals are after a pause', [0, 10, 9000, 9500, 10_000], true],
    ['whose shortest interval is in the middle', [0, 300, 330, 630], false],
    ['whose longest interval is in the middle', [0, 30, 330, 360], false],
  ])('%s', (_, times, expected) => {
    expect(isPeriodic(...times)).toBe(expected);
  });

  test('is forgotten when it has stayed the same for longer than any period', () => {
    const history = new CellHistory(1);
    for (const ms of [0, 100, 200]) history.note(0, 0, ms);
    expect(history.isPeriodic(0, 0, 200 + MAX_PERIOD_MS)).toBe(true);
    expect(history.isPeriodic(0, 0, 201 + MAX_PERIOD_MS)).toBe(false);
  });

  test('may change any number of times', () => {
    expect(isPeriodic(...Array.from({ length: 1000 }, (_, i) => i * 100))).toBe(true);
  });
});

describe('periodic cells', () => {
  function history(...cells: readonly [number, number][]): CellHistory {
    const all = new CellHistory(5);
    for (const ms of [0, 100, 200]) for (const [row, col] of cells) all.note(row, col, ms);
    return all;
  }

  test('are told as spans of neighbours, from the top, up to the edge', () => {
    const all = history([7, 4], [7, 3], [2, 0], [2, 1], [2, 3], [0, 2]);
    expect(all.periodicSpans(200, 9)).toEqual([
      { row: 0, col: 2, cols: 1 },
      { row: 2, col: 0, cols: 2 },
      { row: 2, col: 3, cols: 1 },
      { row: 7, col: 3, cols: 2 },
    ]);
  });

  test('are told up to a number of spans', () => {
    const all = history([0, 0], [0, 2], [0, 4]);
    expect(all.periodicSpans(200, 3)).toHaveLength(3);
    expect(all.periodicSpans(200, 2)).toEqual([
      { row: 0, col: 0, cols: 1 },
      { row: 0, col: 2, cols: 1 },
    ]);
    expect(all.periodicSpans(200, 0)).toEqual([]);
  });

  test('are none after all was forgotten, or when their time is over', () => {
    const all = history([0, 0]);
    expect(all.periodicSpans(201 + MAX_PERIOD_MS, 9)).toEqual([]);
    all.clear();
    expect(all.periodicSpans(200, 9)).toEqual([]);
    expect(all.isPeriodic(0, 0, 200)).toBe(false);
  });
});
