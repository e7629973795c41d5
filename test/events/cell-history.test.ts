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
    ['that never changed is not periodic', [], false],
    ['that changed once is not periodic', [0], false],
    ['that changed twice is not periodic', [0, 100], false],
    ['that changed three times at even intervals is periodic', [0, 100, 200], true],
    ['whose second interval is three times the first is periodic', [0, 100, 400], true],
    ['whose second interval is more than three times the first is not periodic', [0, 100, 401], false],
    ['whose first interval is three times the second is periodic', [0, 300, 400], true],
    ['whose first interval is more than three times the second is not periodic', [0, 301, 401], false],
    ['that changed five times at uneven intervals is not periodic', [0, 10, 500, 510, 1000], false],
    ['that changed six times at any intervals is periodic', [0, 10, 500, 510, 1000, 1010], true],
    ['that changes at the longest period is periodic', [0, MAX_PERIOD_MS, 2 * MAX_PERIOD_MS], true],
    [
      'that changes more slowly than the longest period is not periodic',
      [0, MAX_PERIOD_MS + 1, 2 * MAX_PERIOD_MS + 2],
      false,
    ],
    [
      'that changed again after more than the longest period is not periodic',
      [0, 100, 200, 201 + MAX_PERIOD_MS],
      false,
    ],
    ['that changed at even intervals only before a pause is not periodic', [0, 500, 1000, 9000, 9010], false],
    ['that changed at even intervals after a pause is periodic', [0, 10, 9000, 9500, 10_000], true],
    ['with a much shorter interval between longer ones is not periodic', [0, 300, 330, 630], false],
    ['with a much longer interval between shorter ones is not periodic', [0, 30, 330, 360], false],
  ])('%s', (_, times, expected) => {
    expect(isPeriodic(...times)).toBe(expected);
  });

  test('is no longer periodic when it has not changed for more than the longest period', () => {
    const history = new CellHistory(1);
    for (const ms of [0, 100, 200]) history.note(0, 0, ms);
    expect(history.isPeriodic(0, 0, 200 + MAX_PERIOD_MS)).toBe(true);
    expect(history.isPeriodic(0, 0, 201 + MAX_PERIOD_MS)).toBe(false);
  });

  test('is periodic after a thousand changes at even intervals', () => {
    expect(isPeriodic(...Array.from({ length: 1000 }, (_, i) => i * 100))).toBe(true);
  });
});

describe('periodic cells', () => {
  function history(...cells: readonly [number, number][]): CellHistory {
    const all = new CellHistory(5);
    for (const ms of [0, 100, 200]) for (const [row, col] of cells) all.note(row, col, ms);
    return all;
  }

  test('are reported as spans of neighbours, from the top, up to the last column', () => {
    const all = history([7, 4], [7, 3], [2, 0], [2, 1], [2, 3], [0, 2]);
    expect(all.periodicSpans(200, 9)).toEqual([
      { row: 0, col: 2, cols: 1 },
      { row: 2, col: 0, cols: 2 },
      { row: 2, col: 3, cols: 1 },
      { row: 7, col: 3, cols: 2 },
    ]);
  });

  test('are reported up to a given number of spans', () => {
    const all = history([0, 0], [0, 2], [0, 4]);
    expect(all.periodicSpans(200, 3)).toHaveLength(3);
    expect(all.periodicSpans(200, 2)).toEqual([
      { row: 0, col: 0, cols: 1 },
      { row: 0, col: 2, cols: 1 },
    ]);
    expect(all.periodicSpans(200, 0)).toEqual([]);
  });

  test('are not reported after the history is cleared or after the longest period without a change', () => {
    const all = history([0, 0]);
    expect(all.periodicSpans(201 + MAX_PERIOD_MS, 9)).toEqual([]);
    all.clear();
    expect(all.periodicSpans(200, 9)).toEqual([]);
    expect(all.isPeriodic(0, 0, 200)).toBe(false);
  });
});
