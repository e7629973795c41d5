/** What `npm run pictures` does with a million rows, with some thousands. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FLAGS, trial } from '../../trials/pictures.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('a renderer that has drawn thousands of rows draws what a fresh one draws', { timeout: 120_000 }, async () => {
  const { figures, failures } = await trial({ ...FLAGS, root: ROOT, rows: 6000, seed: 1 });
  expect(failures).toEqual([]);
  expect(figures[0]?.[1]).toBeGreaterThanOrEqual(6000);
});
