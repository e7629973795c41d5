/** `npm run macos` runs the suite on macOS, which no machine of the tests is. */
import { spawnSync } from 'node:child_process';
import { expect } from 'vitest';
import { ROOT } from './support/consumer.js';
import { itNeeds } from './support/programs.js';

const SCRIPT = 'scripts/macos.sh';

itNeeds('bash')('the script for macOS parses, and runs nothing on another system', ({ skip }) => {
  if (process.platform === 'darwin') skip('it would run the suite within the suite');
  const checked = spawnSync('bash', ['-n', SCRIPT], { cwd: ROOT, encoding: 'utf8' });
  expect([checked.status, checked.stderr]).toEqual([0, '']);
  const { status, stdout, stderr } = spawnSync('bash', [SCRIPT], { cwd: ROOT, encoding: 'utf8' });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('not macOS');
});
