/** The day of `npm run soak`, for some seconds: what is typed appears, and no event is missing. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { trial } from '../../trials/soak.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('what is typed appears and no event is missing, under everything at once', { timeout: 120_000 }, async () => {
  const settings = { seconds: 5, shells: 3, printers: 3, floods: 2, slow: 1, busy: 2, seed: 1 };
  const { figures, failures } = await trial({ root: ROOT, ...settings });
  expect(failures).toEqual([]);
  expect(figures[0]?.[1]).toBeGreaterThan(0);
});
