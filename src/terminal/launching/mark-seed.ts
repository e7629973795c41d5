/**
 * The seed of the proofs of a shell's marks (terminal/shell/mark-proofs.ts): in a file for its user alone, which the script
 * reads before the user's files, and which is gone with the first proven mark. An environment would be readable as long
 * as the shell lives (/proc/PID/environ).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { errnoOf } from '../../base/errno.js';
import type { FrozenMarkSeed, MarkSeed } from '../shell/mark-proofs.js';

const WORDS = 2 ** 32;

const PREFIX = 't4a-marks-';

/** A directory is shared by containers, whose pids mean nothing here: theirs are swept by their age. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Removes what killed daemons of this user have left. @param isRunning whether a process of this pid runs */
export function sweepMarkSeeds(isRunning: (pid: number) => boolean, folder = tmpdir()): void {
  for (const name of namesIn(folder)) {
    if (!name.startsWith(PREFIX)) continue;
    const [space, pid] = name.slice(PREFIX.length).split('-');
    const file = path.join(folder, name);
    try {
      const stat = lstatSync(file);
      if (!stat.isFile() || stat.uid !== process.getuid?.()) continue;
      const isOfHere = pid !== undefined && space === pidSpace();
      const isLeft = isOfHere ? !isRunning(Number(pid)) : Date.now() - stat.mtimeMs > MAX_AGE_MS;
      if (isLeft) rmSync(file);
    } catch {
      // ENOENT: its owner was quicker. EACCES, EPERM: it cannot be removed here.
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A directory may be entered and written, and not be listed.
    return [];
  }
}

/** Number of the namespace of pids; 0 on a system without such. */
function pidSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

export class MarkSeedFile {
  /** Undefined if it could not be written: then marks have no proofs. */
  seed: MarkSeed | undefined;
  /** Why it could not be written. */
  failure: string | undefined;
  /** See terminal/shell/mark-proofs.ts. */
  isCounted = false;
  readonly path: string;

  /** @param file of a shell that was started with it */
  constructor(file = path.join(tmpdir(), `${PREFIX}${pidSpace()}-${process.pid}-${randomBytes(12).toString('hex')}`)) {
    this.path = file;
  }

  static thaw({ path: file, seed, isCounted, failure }: FrozenMarkSeed): MarkSeedFile {
    return Object.assign(new MarkSeedFile(file), { seed, isCounted, failure });
  }

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
