/** The bound on the changes of size of a recording that is opened. */
import { expect, test } from 'vitest';
import { MAX_CHANGED_CELLS, MAX_SIZE_CHANGES, SizeChanges } from '../../../src/features/recording/size-changes.js';

test('a recording may change its size up to a number of times', () => {
  const changes = new SizeChanges();
  const change = (): void => changes.count('/tmp/r.cast', { cols: 80, rows: 24 });
  for (let i = 0; i < MAX_SIZE_CHANGES; i++) change();
  expect(change).toThrow('"/tmp/r.cast" changes its size more than 10000 times.');
});

test('its sizes may have up to a number of cells in all', () => {
  const changes = new SizeChanges();
  for (let i = 0; i < MAX_CHANGED_CELLS / 1_000_000; i++) changes.count('/tmp/r.cast', { cols: 1000, rows: 1000 });
  expect(() => changes.count('/tmp/r.cast', { cols: 2, rows: 1 })).toThrow(/to more than 100000000 cells in all/);
});
