/** Two floods of `npm run memory`, short: the daemon stays below its limit, and answers. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FLOOD_KINDS, floodBlock } from '../../trials/memory/flood-kinds.js';
import { floodWith } from '../../trials/memory.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('floods that cost memory leave the daemon below its limit', { timeout: 120_000 }, async () => {
  const options = { root: ROOT, limit: 220_000_000, ms: 500, atOnce: 6, cols: 400, rows: 50, seed: 1 };
  const { figures, failures } = await floodWith(['empty lines', 'stacked marks'], options);
  expect(failures).toEqual([]);
  expect(figures).toHaveLength(4);
});

test('a limit that cannot be kept is told as a loss', { timeout: 120_000 }, async () => {
  const options = { root: ROOT, limit: 50_000_000, ms: 1, atOnce: 1, cols: 80, rows: 24, seed: 1 };
  const { failures } = await floodWith(['long lines'], options);
  expect(failures[0]).toMatch(/close to its limit|beyond the limit/);
});

test.each(FLOOD_KINDS)('%s are printed', (kind) => {
  expect(floodBlock(kind).length).toBeGreaterThan(64 * 1024);
});
