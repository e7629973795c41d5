/**
 * A folder with those above it. `mkdir` of Node with `recursive` never returns where the system answers ENOENT for a folder in one that is
 * there, as in /proc.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '../base/errno.js';

/** @param path absolute @param mode of those that are made @throws the error of the system */
export function makeFolder(path: string, mode: number): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at); at = dirname(at)) missing.push(at);
  for (const folder of missing.toReversed()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another has made it since; or it is a link that leads to nothing.
      if (errnoOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
    }
  }
}
