/** Tests that only the machine's root can make: they change what another user may do, or what is mounted. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { it } from 'vitest';
import { ROOT } from './consumer.js';
import { itCannot, itNeeds } from './programs.js';

/** `it`, for tests that need to be root on Linux and these programs; left out loudly elsewhere. */
export function itAsRoot(...programs: readonly string[]): typeof it {
  if (process.platform === 'linux' && process.getuid?.() === 0) return itNeeds(...programs);
  return itCannot('root');
}

/** The same, where another user can run what was built here. */
export function itAsRootForAll(...programs: readonly string[]): typeof it {
  for (let at = ROOT; at !== '/'; at = path.dirname(at)) {
    if ((statSync(at).mode & 0o005) === 0o005) continue;
    return itCannot(`checkout that other users may enter (${at})`);
  }
  return itAsRoot(...programs);
}
