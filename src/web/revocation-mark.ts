/**
 * The mark of a revocation: the time of a server's socket for its owner. Who revokes changes it, and the server looks at it before each
 * act, so that a server that is stopped, or hears nothing else, does nothing more for a key that was ended. It needs no room on any disk.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, lutimesSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { RightFile } from '../protocol/vocabulary.js';

/** The socket of an older server, which looks at no mark, begins with a digit of base 16. */
const MARKED = /^r[0-9a-f]{7}\.sock$/;

/** Not the pid: containers that share the folder have the same ones. */
export function newSocketName(): string {
  return `r${randomBytes(4).toString('hex').slice(1)}.sock`;
}

/** @returns whether the server of that socket does nothing more for a key of before, whenever it goes on */
export function markRevoked(path: string): boolean {
  if (!MARKED.test(basename(path))) return false;
  // Two marks have never the same time.
  const seconds = randomBytes(4).readUInt32BE() >>> 1;
  try {
    lutimesSync(path, seconds, seconds);
    return true;
  } catch {
    return false;
  }
}

export class RevocationMark {
  readonly #path: string;
  #seen: number | undefined;

  constructor(path: string) {
    this.#path = resolve(path);
    this.#seen = this.#now();
  }

  /** Whether there is one since the last look. */
  isNew(): boolean {
    const now = this.#now();
    // Where the socket was removed, no one can ask for an end.
    if (now === undefined || now === this.#seen) return false;
    this.#seen = now;
    return true;
  }

  /** Right that was given before the next mark, for the daemon. */
  get right(): RightFile | undefined {
    return this.#seen === undefined ? undefined : { path: this.#path, changed_at: this.#seen };
  }

  #now(): number | undefined {
    try {
      return lstatSync(this.#path, { throwIfNoEntry: false })?.mtimeMs;
    } catch {
      return undefined;
    }
  }
}
