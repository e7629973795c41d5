/** Which part of a screen a small picture shows, where all of it would be illegible. */
import { expect, test } from 'vitest';
import { framing } from '../../../src/features/pictures/framing.js';
import { defaultPicture } from '../../../src/protocol/picture.js';
import type { ViewRegion } from '../../../src/render/view.js';

/** Of a row, fewer than 300 columns fit. */
const SIZE = { rows: 60, cols: 600 };
const PARAMS = { ...defaultPicture(), max_tokens: 200 };
const MOST = 4096;

interface Place {
  readonly row: number;
  readonly col: number;
}

const shownAt = (cursor: Place, size = SIZE) => ({
  ...size,
  cursor: { ...cursor, visible: true, shape: 'block' as const, blink: false },
});

function regionOf(cursor: Place, changed?: readonly number[], region?: ViewRegion) {
  const snapshot = shownAt(cursor);
  const rows = Array.from({ length: SIZE.rows }, (_, row) => row);
  const unchangedRows = changed && new Set(rows.filter((row) => !changed.includes(row)));
  return framing(PARAMS, { snapshot, region, unchangedRows }, MOST);
}

const holds = (region: ReturnType<typeof regionOf>['region'], row: number, col: number): boolean =>
  region !== undefined &&
  row >= region.row &&
  row < region.row + region.rows &&
  col >= region.col &&
  col < region.col + region.cols;

test('without changes it is around the cursor', () => {
  for (const cursor of [
    { row: 0, col: 0 },
    { row: 59, col: 599 },
    { row: 30, col: 300 },
  ]) {
    const { region, fitted } = regionOf(cursor);
    expect(fitted).toBe('part');
    expect(holds(region, cursor.row, cursor.col), JSON.stringify({ cursor, region })).toBe(true);
  }
});

test('with changes it begins with the first of them, at the left', () => {
  const { region } = regionOf({ row: 2, col: 550 }, [40, 41]);
  expect(holds(region, 40, 0) && holds(region, 41, 0), JSON.stringify(region)).toBe(true);
  expect(holds(region, 2, 550)).toBe(false);
  // At the end of the screen, it ends there.
  const { region: end } = regionOf({ row: 2, col: 550 }, [57, 58]);
  expect(holds(end, 59, 0) && !holds(end, 60, 0), JSON.stringify(end)).toBe(true);
});

test('with few changes all of them are in it', () => {
  const { region } = regionOf({ row: 2, col: 550 }, [40, 45]);
  const most = region?.rows ?? 0;
  for (let count = 1; count <= most; count++) {
    const last = 20 + count - 1;
    const { region: shown } = regionOf({ row: 2, col: 550 }, [20, last]);
    expect(holds(shown, 20, 0) && holds(shown, last, 0), JSON.stringify({ count, shown })).toBe(true);
  }
});

test('with a change in the row of the cursor, the cursor is in it', () => {
  const { region } = regionOf({ row: 40, col: 580 }, [40]);
  expect(holds(region, 40, 580), JSON.stringify(region)).toBe(true);
  // The cursor's row is unchanged: the left side of what changed is shown.
  expect(holds(regionOf({ row: 41, col: 580 }, [40]).region, 40, 0)).toBe(true);
});

test('of a region without the cursor it is inside of the region', () => {
  const area = { row: 10, col: 20, rows: 40, cols: 550 };
  const { region } = regionOf({ row: 0, col: 0 }, undefined, area);
  expect(holds(region, 10, 20), JSON.stringify(region)).toBe(true);
  expect(holds(regionOf({ row: 59, col: 599 }, undefined, area).region, 49, 569)).toBe(true);
});

test('changes in rows beside the region do not count, nor does a cursor there', () => {
  const area = { row: 10, col: 20, rows: 40, cols: 550 };
  for (const [cursorRow, changed] of [
    [50, [49, 50]],
    [51, [49, 51]],
    [9, [9, 10]],
  ] as const) {
    const { region } = regionOf({ row: cursorRow, col: 569 }, changed, area);
    const row = Math.min(49, Math.max(10, cursorRow));
    expect(holds(region, row, 20), JSON.stringify({ cursorRow, region })).toBe(true);
  }
  const { region } = regionOf({ row: 30, col: 569 }, [9, 50], area);
  expect(holds(region, 30, 569), JSON.stringify(region)).toBe(true);
});

test('a screen that fits is shown whole', () => {
  const snapshot = shownAt({ row: 0, col: 0 }, { rows: 24, cols: 80 });
  const shown = { snapshot, region: undefined, unchangedRows: undefined };
  expect(framing({ ...PARAMS, max_tokens: 2000 }, shown, MOST)).toMatchObject({ region: undefined, fitted: undefined });
});
