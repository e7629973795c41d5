/** `npm run trials -- without-programs`: the tests that drive programs, with those programs hidden. Needs root and a mount namespace. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Report } from './support/report.js';

export const FLAGS = {};

export async function trial({ root }: { readonly root: string }): Promise<Report> {
  const { status, signal } = spawnSync(path.join(root, 'trials/without-programs/run'), { stdio: 'inherit' });
  return { figures: [], failures: status === 0 ? [] : [`The tests ended with ${signal ?? status}.`] };
}
