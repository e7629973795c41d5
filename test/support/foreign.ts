/**
 * Processes that the daemon may not signal. A root test starts it without the capability to signal other users' processes,
 * and a program in a terminal becomes another user: what `sudo` is to the daemon of an ordinary user.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { type TestDaemon, startDaemon } from './daemon.js';
import { itCannot, itNeeds } from './programs.js';
import type { TempDir } from './temp-dir.js';

const WITHOUT_KILL = ['--bounding-set', '-kill'];
const WITHOUT_SIGHT = ['--bounding-set', '-kill,-sys_ptrace'];
const AS_ANOTHER = ['--reuid', '65534', '--clear-groups'];

/** `it`, for tests that need root and setpriv (util-linux). */
export const itWithForeigners = canMakeForeigners() ? itNeeds('setpriv') : itCannot('root');

/** @param dir holds the wrapper that takes the capability away */
export async function startPowerlessDaemon(dir: TempDir): Promise<TestDaemon> {
  return startWith(WITHOUT_KILL, dir);
}

/** One that may not inspect other users' processes either. */
export async function startBlindDaemon(dir: TempDir): Promise<TestDaemon> {
  return startWith(WITHOUT_SIGHT, dir);
}

async function startWith(options: readonly string[], dir: TempDir): Promise<TestDaemon> {
  const wrapper = dir.join('node');
  writeFileSync(wrapper, `#!/bin/sh\nexec setpriv ${options.join(' ')} '${process.execPath}' "$@"\n`);
  chmodSync(wrapper, 0o755);
  return startDaemon({ node: wrapper });
}

/** Words that run a line of shell as another user. */
export function asAnotherUser(line: string): string[] {
  return ['setpriv', ...AS_ANOTHER, 'sh', '-c', line];
}

function canMakeForeigners(): boolean {
  const isRoot = process.getuid?.() === 0;
  const words = [...WITHOUT_KILL, 'setpriv', ...AS_ANOTHER, 'true'];
  return isRoot && spawnSync('setpriv', words).status === 0;
}
