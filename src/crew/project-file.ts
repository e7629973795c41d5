/**
 * A file that t4a keeps of a project, in the person's folder for it: for them alone, whole at every instant, and changed by one t4a at a
 * time. What others can write is neither read nor changed.
 */
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '../base/clock.js';
import { errnoOf } from '../base/errno.js';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { isOurs } from '../client/ownership.js';
import { T4aError } from '../protocol/errors.js';
import { makeFolder } from '../base/make-folder.js';

/** @throws RefusedFile; the error of the system, such as ENOENT */
export function readProjectFile(path: string, maxBytes: number): string {
  checkFolder(dirname(path));
  checkSafe(path, lstatSync(path));
  const { text, stat } = openSettingsFile(path, maxBytes);
  checkSafe(path, stat);
  return text;
}

/** Longest wait for another t4a that changes the same file. A claim that was left behind is not removed: two could do that at once. */
const CLAIM_MS = 2000;

/**
 * The new file is the claim as well: it is made under a name of its own, which another t4a waits for, and renamed. Read, changed and
 * written under it, so that no change is lost.
 *
 * @param make the new text, from what stands there then @throws T4aError `usage`
 */
export function changeProjectFile(path: string, what: string, make: () => string): void {
  const claim = `${path}.new`;
  try {
    makeFolder(dirname(path), 0o700);
    checkFolder(dirname(path));
    const file = openClaim(claim, what);
    try {
      writeFileSync(file, make());
      fsyncSync(file);
      renameSync(claim, path);
    } catch (error) {
      rmSync(claim, { force: true });
      throw error;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof T4aError) throw error;
    const says =
      error instanceof RefusedFile ? error.message : `cannot be written (${errnoOf(error) ?? String(error)})`;
    throw new T4aError('usage', `${JSON.stringify(path)} ${says}: nothing was changed.`);
  }
}

function openClaim(claim: string, what: string): number {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = constants;
  for (const startMs = systemClock.now(); ;) {
    try {
      return openSync(claim, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o600);
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error;
    }
    if (systemClock.now() - startMs > CLAIM_MS) {
      throw new T4aError('usage', `${JSON.stringify(claim)} is there: another t4a changes ${what}.`, {
        hint: 'If none does, remove the file.',
      });
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CLAIM_POLL_MS);
  }
}

const CLAIM_POLL_MS = 10;

const OTHERS_WRITE = 0o022;

/** The folder, and the one that it is in: who can write those can put another file there. */
function checkFolder(folder: string): void {
  for (const one of [folder, dirname(folder)]) checkSafe(one, statSync(one), `is in ${JSON.stringify(one)}, which`);
}

/** @throws RefusedFile */
function checkSafe(path: string, stat: Stats, prefix?: string): void {
  const start = prefix === undefined ? '' : `${prefix} `;
  if (stat.isSymbolicLink()) throw new RefusedFile(`${start}is a link`);
  if (!isOurs(path, stat)) throw new RefusedFile(`${start}belongs to another user (uid ${stat.uid})`, true);
  if ((stat.mode & OTHERS_WRITE) !== 0) throw new RefusedFile(`${start}can be written by others`);
}
