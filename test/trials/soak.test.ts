/** The day of `npm run soak`, for some seconds: what is typed appears, and no event is missing. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { trial } from '../../trials/soak.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('what is typed appears and no event is missing, under everything at once', { timeout: 120_000 }, async () => {
  const { figures, failures } = await trial({ root: ROOT, seconds: 5, shells: 3, printers: 3, floods: 1, seed: 1 });
  expect(failures).toEqual([]);
  expect(figures[0]?.[1]).toBeGreaterThan(0);
});
