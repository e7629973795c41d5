/** A run of `npm run pictures` with thousands of rows instead of a million. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FLAGS, trial } from '../pictures.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a renderer that has drawn thousands of rows draws the same as a fresh one', { timeout: 120_000 }, async () => {
  const { figures, failures } = await trial({ ...FLAGS, root: ROOT, rows: 6000, seed: 1 });
  expect(failures).toEqual([]);
  expect(figures[0]?.[1]).toBeGreaterThanOrEqual(6000);
});
