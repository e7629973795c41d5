/** Test files that `npm run test:fast` runs, and those that it leaves out. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ROOT } from './support/consumer.js';

test('the fast subset has tests of the rooms that need no process, and none of built programs', () => {
  const vitest = [
    'node_modules/vitest/vitest.mjs',
    'list',
    '--filesOnly',
    '--configLoader=runner',
    '--config',
    'vitest.fast.config.ts',
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, vitest, { cwd: ROOT, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const files = stdout.split('\n').filter((line) => line.startsWith('test/'));
  const rooms = new Set(files.map((file) => file.split('/')[1]));
  for (const room of ['base', 'cli', 'events', 'features', 'protocol', 'render', 'terminal', 'vt'])
    expect(rooms).toContain(room);
  for (const room of ['e2e', 'client', 'clients', 'mcp', 'trials']) expect(rooms).not.toContain(room);
});
