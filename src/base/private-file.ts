/**
 * Writes a file whole or not at all: a draft beside it, to the disk, then renamed. On a full disk nothing of the draft is left, and what
 * stood there stays. Only the owner may read or write it. The caller checks the folder (`whyUnsafe`). No import of this room is of Node:
 * its files are taken at each call.
 */
import { systemClock } from './clock.js';
import { errnoOf } from './errno.js';
import { dropStaleDraft } from './stale-draft.js';

const MODE = 0o600;

export interface Draft {
  readonly path: string;
  readonly file: number;
}

/** Loss that a power failure may cause: all of it, the new name of the file, or nothing. Files of rights lose nothing. */
export type Durability = 'none' | 'file' | 'folder';

export interface WriteOptions {
  /** Default: a name of this process. */
  readonly draft?: string;
  /** False: a power failure may lose it. */
  readonly isDurable?: boolean;
}

/** A draft that an ended process of the same number left is replaced. @throws the error of the system */
export function writePrivateFile(path: string, content: string | Uint8Array, options: WriteOptions = {}): void {
  const { draft = `${path}.${process.pid}.tmp`, isDurable = true } = options;
  files().rmSync(draft, { force: true });
  replaceBy({ path: draft, file: openDraft(draft) }, path, () => content, isDurable ? 'file' : 'none');
}

/** The same, without waiting for the disk. One caller at a time. */
export async function writePrivateFileLater(path: string, content: string | Uint8Array): Promise<void> {
  const { promises } = files();
  const draft = `${path}.new`;
  await promises.rm(draft, { force: true });
  const handle = await promises.open(draft, draftFlags(), MODE);
  try {
    try {
      await handle.writeFile(content);
      await handle.sync().catch(checkSync);
    } finally {
      await handle.close();
    }
    await promises.rename(draft, path);
  } catch (error) {
    await promises.rm(draft, { force: true });
    throw error;
  }
}

/** The longest wait of one writer for another. */
export const CLAIM_MS = 2000;
export const CLAIM_POLL_MS = 10;

/**
 * Waits for other writers, and blocks the thread meanwhile.
 * @param waitMs 0 for one try @returns undefined: another has it still @throws the error of the system
 */
export function waitForDraft(path: string, waitMs = CLAIM_MS): Draft | undefined {
  for (const startMs = systemClock.now(); ;) {
    const draft = claimDraft(path);
    if (draft !== undefined) return draft;
    if (systemClock.now() - startMs >= waitMs) return dropStaleDraft(path) ? claimDraft(path) : undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CLAIM_POLL_MS);
  }
}

/** The draft as the claim of one writer among several. @returns undefined: another has it @throws the error of the system */
export function claimDraft(path: string): Draft | undefined {
  try {
    return { path, file: openDraft(path) };
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return undefined;
    throw error;
  }
}

/**
 * Puts a draft in the place of a file. Nothing waits, so that only a killed process leaves its draft behind.
 * @param make the content; null removes the file @throws its error, or that of the system: then the file is as before
 */
export function replaceBy(
  draft: Draft,
  path: string,
  make: () => string | Uint8Array | null,
  durability: Durability = 'folder',
): void {
  const { renameSync, rmSync } = files();
  try {
    const content = fillDraft(draft, make, durability !== 'none');
    if (content === null) {
      rmSync(path);
      rmSync(draft.path);
    } else renameSync(draft.path, path);
    if (durability === 'folder') syncFolderOf(path);
  } catch (error) {
    rmSync(draft.path, { force: true });
    throw error;
  }
}

/** Closes it. @returns what `make` did @throws its error, or that of the system */
export function fillDraft<Content extends string | Uint8Array | null>(
  { file }: Draft,
  make: () => Content,
  isDurable = true,
): Content {
  try {
    const content = make();
    if (content !== null) files().writeFileSync(file, content);
    if (content !== null && isDurable) sync(file);
    return content;
  } finally {
    files().closeSync(file);
  }
}

/** Some file systems find out only here that they are full. */
export function sync(file: number): void {
  try {
    files().fsyncSync(file);
  } catch (error) {
    checkSync(error);
  }
}

/**
 * After a rename or a removal, which a power failure takes back otherwise. The change is done by then, so no failure here says that it is
 * not: there may be no descriptor left, or no such call for folders.
 */
export function syncFolderOf(path: string): void {
  const { closeSync, constants, fsyncSync, openSync } = files();
  let folder: number | undefined;
  try {
    folder = openSync(process.getBuiltinModule('node:path').dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
    fsyncSync(folder);
  } catch {
    // As above.
  } finally {
    if (folder !== undefined) closeSync(folder);
  }
}

/** Others have no such call. */
function checkSync(error: unknown): void {
  if (!['EINVAL', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error;
}

function openDraft(path: string): number {
  return files().openSync(path, draftFlags(), MODE);
}

function draftFlags(): number {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW } = files().constants;
  return O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW;
}

function files(): ReturnType<typeof process.getBuiltinModule<'node:fs'>> {
  return process.getBuiltinModule('node:fs');
}
