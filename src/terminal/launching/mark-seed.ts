/**
 * The seed of the proofs of a shell's marks (terminal/shell/mark-proofs.ts): in a file for its user alone, which the script
 * reads before the user's files, and which is gone with the first proven mark. An environment would be readable as long
 * as the shell lives (/proc/PID/environ).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errnoOf } from '../../base/errno.js';
import type { MarkSeed } from '../shell/mark-proofs.js';

const WORDS = 2 ** 32;

export class MarkSeedFile {
  /** Undefined if it could not be written: then marks have no proofs. */
  seed: MarkSeed | undefined;
  /** Why it could not be written. */
  failure: string | undefined;
  /** See terminal/shell/mark-proofs.ts. */
  isCounted = false;
  readonly path = path.join(tmpdir(), `t4a-marks-${randomBytes(12).toString('hex')}`);

  /** Call it before each start of the shell. */
  renew(): void {
    const seed: MarkSeed = [randomInt(WORDS), randomInt(WORDS), randomInt(WORDS), randomInt(WORDS)];
    this.remove();
    try {
      writeFileSync(this.path, `${seed.join(' ')}\n`, { mode: 0o600, flag: 'wx' });
      this.seed = seed;
      this.failure = undefined;
    } catch (error) {
      // The disk is full, or nothing may be written there.
      this.seed = undefined;
      this.failure = `${path.dirname(this.path)}: ${errnoOf(error) ?? 'unknown error'}`;
    }
  }

  remove(): void {
    try {
      rmSync(this.path, { force: true });
    } catch {
      // Its directory has gone, or may not be written any more.
    }
  }
}
