/** Two short floods of `npm run memory`: the daemon stays below its limit and answers. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FLOOD_KINDS, floodBlock } from '../memory/flood-kinds.js';
import { floodWith } from '../memory.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

test('floods that cost memory leave the daemon below its limit', { timeout: 120_000 }, async () => {
  const options = { root: ROOT, limit: 220_000_000, ms: 500, atOnce: 6, cols: 400, rows: 50, seed: 1 };
  const { figures, failures } = await floodWith(['empty lines', 'stacked marks'], options);
  expect(failures).toEqual([]);
  expect(figures).toHaveLength(4);
});

test('a limit that cannot be kept is reported as a failure', { timeout: 120_000 }, async () => {
  const options = { root: ROOT, limit: 50_000_000, ms: 1, atOnce: 1, cols: 80, rows: 24, seed: 1 };
  const { failures } = await floodWith(['long lines'], options);
  expect(failures[0]).toMatch(/close to its limit|beyond the limit/);
});

test.each(FLOOD_KINDS)('a flood of %s has blocks of more than 64 KiB', (kind) => {
  expect(floodBlock(kind).length).toBeGreaterThan(64 * 1024);
});
