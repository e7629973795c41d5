/**
 * Changes a file of JSON so that it grants less. What ends a right needs no room: on a full disk, where no other file can be written, it is
 * overwritten in its place, by one call that leaves it whole, and is then cut; or it is removed. Nothing of Node is imported, as in
 * `private-file.ts`.
 */
import { errnoOf } from './errno.js';
import { type Draft, fillDraft, sync, syncFolderOf, waitForDraft } from './private-file.js';

/**
 * Under the claim of `PATH.new`.
 * @param make its new text, of JSON; null removes it
 * @param waitMs for another writer; the thread is blocked meanwhile
 * @returns false: another has the claim still @throws the error of `make`, or that of the system: then the file is as before
 */
export function lessenFile(path: string, make: () => string | null, waitMs?: number): boolean {
  const claim = `${path}.new`;
  for (;;) {
    const draft = claimOf(claim, waitMs);
    if (draft === undefined) return false;
    if ('path' in draft) {
      lessenBy(draft, path, make);
      return true;
    }
    lessenInPlace(path, make(), draft.noRoom);
    // One that has found room meanwhile may have read what was there before, and puts it back.
    if (!files().existsSync(claim)) return true;
  }
}

function claimOf(claim: string, waitMs: number | undefined): Draft | { readonly noRoom: unknown } | undefined {
  try {
    return waitForDraft(claim, waitMs);
  } catch (error) {
    if (needsRoom(error)) return { noRoom: error };
    throw error;
  }
}

function lessenBy(draft: Draft, path: string, make: () => string | null): void {
  const { renameSync, rmSync } = files();
  let isClaimed = true;
  try {
    const { content, noRoom } = writtenIn(draft, make);
    if (content === null || noRoom !== undefined) return lessenInPlace(path, content, noRoom);
    try {
      renameSync(draft.path, path);
    } catch (error) {
      if (!needsRoom(error)) throw error;
      return lessenInPlace(path, content, error);
    }
    // Order: from then on another may have a claim of that name.
    isClaimed = false;
    syncFolderOf(path);
  } finally {
    if (isClaimed) rmSync(draft.path, { force: true });
  }
}

interface Written {
  readonly content: string | null;
  /** Why the draft does not have it. */
  readonly noRoom: unknown;
}

function writtenIn(draft: Draft, make: () => string | null): Written {
  let content: string | null | undefined;
  try {
    return { content: fillDraft(draft, () => (content = make())), noRoom: undefined };
  } catch (error) {
    if (content === undefined || !needsRoom(error)) throw error;
    return { content, noRoom: error };
  }
}

/** @param noRoom thrown if this is no way either */
function lessenInPlace(path: string, content: string | null, noRoom: unknown): void {
  const { closeSync, constants, fstatSync, ftruncateSync, openSync, rmSync, writeSync } = files();
  if (content === null) {
    rmSync(path, { force: true });
    return syncFolderOf(path);
  }
  const file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    const bytes = shortened(content, stat.size);
    if (bytes === undefined || !stat.isFile()) throw noRoom;
    // Blanks may follow JSON: who reads before it is cut reads the new text.
    const padded = Buffer.alloc(stat.size, ' ');
    bytes.copy(padded);
    if (writeSync(file, padded, 0, padded.length, 0) < padded.length) throw noRoom;
    ftruncateSync(file, bytes.length);
    sync(file);
  } finally {
    closeSync(file);
  }
}

/** Content without blanks, if it would be too long otherwise: people write files by hand. */
function shortened(content: string, mostBytes: number): Buffer | undefined {
  const isFitting = (bytes: Buffer): boolean => bytes.length <= mostBytes;
  const whole = Buffer.from(content);
  return isFitting(whole) ? whole : [Buffer.from(JSON.stringify(JSON.parse(content)))].find(isFitting);
}

function needsRoom(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errnoOf(error) ?? '');
}

function files(): ReturnType<typeof process.getBuiltinModule<'node:fs'>> {
  return process.getBuiltinModule('node:fs');
}
