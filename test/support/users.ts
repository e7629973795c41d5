/** Other users, for tests that need some: only root can give files away, and act as somebody else. */
import { chownSync, lchownSync, lstatSync } from 'node:fs';
import { it } from 'vitest';

/** Users that need not exist. */
export const STRANGER = 12_345;

export const isRoot = process.getuid?.() === 0;

/** `it`, for tests with files or processes of other users. Who is not root reads which were left out. */
export function itAsRoot(): typeof it | typeof it.skip {
  if (isRoot) return it;
  process.stderr.write('NOT TESTED without root: what other users do\n');
  return it.skip;
}

/** Gives a file away, or the link itself if it is one. */
export function giveToStranger(path: string): void {
  if (lstatSync(path).isSymbolicLink()) lchownSync(path, STRANGER, STRANGER);
  else chownSync(path, STRANGER, STRANGER);
}
