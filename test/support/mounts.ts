/** Small file systems of a test's own. Root may be kept from them, in a container. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { onTestFinished, test } from 'vitest';
import { itCannot } from './programs.js';

export const itMounts = canMount() ? test : itCannot('right to mount');

/** Makes the directory; it is gone with the test. @param options as `size=4k` */
export function mountTmpfs(dir: string, options: string): void {
  mkdirSync(dir);
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir]);
  onTestFinished(() => void execFileSync('umount', [dir]));
}

function canMount(): boolean {
  const dir = mkdtempSync('/tmp/t4a-test-');
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', dir]).status === 0;
  if (isMounted) execFileSync('umount', [dir]);
  rmdirSync(dir);
  return isMounted;
}
