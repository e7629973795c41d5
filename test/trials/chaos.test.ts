/** The rounds of `npm run chaos`, few: after each, one daemon or none, and nothing left behind. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { trial } from '../../trials/chaos.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('whatever happens to daemon and clients, nothing is left behind', { timeout: 120_000 }, async () => {
  const { failures } = await trial({ root: ROOT, rounds: 5, starters: 5, seed: Date.now() % 1_000_000 });
  expect(failures).toEqual([]);
});
