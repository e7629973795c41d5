/**
 * A folder with those above it. `mkdir` of Node with `recursive` never returns where the system answers ENOENT for a folder in one that is
 * there, as in /proc. This room also is in what browsers load, which have no files: those of Node are taken at each call.
 */
import { errnoOf } from './errno.js';

/** @param mode of those that are made @throws the error of the system */
export function makeFolder(path: string, mode = 0o777): void {
  for (const folder of missing(path)) {
    try {
      files().mkdirSync(folder, { mode });
    } catch (error) {
      checkMade(folder, error);
    }
  }
}

/** The same, without waiting for the disk. */
export async function makeFolderLater(path: string, mode = 0o777): Promise<void> {
  for (const folder of await missingLater(path)) {
    await files()
      .promises.mkdir(folder, { mode })
      .catch((error: unknown) => checkMade(folder, error));
  }
}

/** Folders to make, from above; the last one always, since what is there may be no folder. */
function missing(path: string): string[] {
  const folders = [path];
  for (let at = parentOf(path); !files().existsSync(at); at = parentOf(at)) folders.unshift(at);
  return folders;
}

async function missingLater(path: string): Promise<string[]> {
  const folders = [path];
  for (let at = parentOf(path); !(await isThere(at)); at = parentOf(at)) folders.unshift(at);
  return folders;
}

async function isThere(path: string): Promise<boolean> {
  return await files()
    .promises.access(path)
    .then(
      () => true,
      () => false,
    );
}

function checkMade(folder: string, error: unknown): void {
  // Another has made it since; or it is a file, or a link that leads to nothing.
  if (errnoOf(error) !== 'EEXIST' || !files().statSync(folder).isDirectory()) throw error;
}

function parentOf(path: string): string {
  return process.getBuiltinModule('node:path').dirname(path);
}

function files(): ReturnType<typeof process.getBuiltinModule<'node:fs'>> {
  return process.getBuiltinModule('node:fs');
}
