/** Other users, for tests that need some: only root can give files away, and act as another user. */
import { chownSync, lchownSync, lstatSync } from 'node:fs';
import type { it } from 'vitest';
import { itCannot, itNeeds } from './programs.js';

/** Users that need not exist. */
export const STRANGER = 12_345;

export const isRoot = process.getuid?.() === 0;

/** `it`, for tests with files or processes of other users, and these programs. Others leave them out by name. */
export function itAsRoot(...programs: readonly string[]): typeof it {
  if (isRoot) return itNeeds(...programs);
  return itCannot('root');
}

/** Gives a file away, or the link itself if it is one. */
export function giveToStranger(path: string): void {
  if (lstatSync(path).isSymbolicLink()) lchownSync(path, STRANGER, STRANGER);
  else chownSync(path, STRANGER, STRANGER);
}
