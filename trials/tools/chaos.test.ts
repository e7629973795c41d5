/** A few rounds of `npm run chaos`: each leaves at most one daemon and nothing else behind. */
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { trial } from '../chaos.js';
import { itNeeds } from '../../test/support/programs.js';
import { eventually, zombiesOf } from '../support/trial-daemon.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

itNeeds('bash')(
  'random failures of the daemon and its clients leave nothing behind',
  { timeout: 120_000 },
  async () => {
    const { failures } = await trial({ root: ROOT, rounds: 5, starters: 5, busy: 1, seed: Date.now() % 1_000_000 });
    expect(failures).toEqual([]);
  },
);

test('a zombie process is found until it is gone', async () => {
  // The shell becomes a program that waits for nobody.
  const parent = spawn('sh', ['-c', 'true & exec sleep 1000'], { stdio: 'ignore' });
  const pid = parent.pid ?? -1;
  try {
    expect(await eventually(() => zombiesOf(pid).length === 1, 10_000)).toBe(true);
  } finally {
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  }
  expect(zombiesOf(pid)).toEqual([]);
});
