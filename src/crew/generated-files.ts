/** The generated files of an agent: for the user alone, in a folder of the terminal, whole at every instant. */
import { lstatSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { makeFolder } from '../base/make-folder.js';
import { isOthersToWrite, isOurs } from '../base/ownership.js';
import { writePrivateFile } from '../base/private-file.js';
import { quote, T4aError } from '../protocol/errors.js';
import { daemonKey, type GeneratedFile } from './inject.js';
import type { CrewPlaces } from './places.js';

const FOLDER_MODE = 0o700;
const OTHERS = 0o077;

export function generatedFolder({ generated }: CrewPlaces, terminal: string): string {
  return join(generated, terminal);
}

/** @throws T4aError `usage`: the folder is not the user's alone, or the file cannot be written */
export function writeGenerated(path: string, text: string): void {
  makePrivateFolder(dirname(path));
  try {
    writePrivateFile(path, text);
  } catch (error) {
    throw new T4aError('usage', `${JSON.stringify(path)} cannot be written (${errnoOf(error) ?? String(error)}).`);
  }
}

/** @throws T4aError `usage` */
export function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder, FOLDER_MODE);
  } catch (error) {
    throw new T4aError(
      'usage',
      `The folder ${JSON.stringify(folder)} cannot be made (${errnoOf(error) ?? String(error)}).`,
    );
  }
  const stat = lstatSync(folder);
  const isPrivate = stat.isDirectory() && isOurs(folder, stat) && (stat.mode & OTHERS) === 0;
  if (isPrivate) return;
  throw new T4aError('usage', `The folder ${JSON.stringify(folder)} is not a folder of yours alone (mode 700).`, {
    hint: `Remove it, or: chmod 700 ${JSON.stringify(folder)}`,
  });
}

/** Programs that read a file of the system only if nobody but root can change it skip one of t4a's, and start without its tools. */
export function whyUnread(program: string, files: readonly GeneratedFile[]): string | undefined {
  for (const { path, unlessRoots } of files) {
    const why = unlessRoots === undefined ? undefined : whyNotRoots(path);
    if (why === undefined) continue;
    return `${quote(program)} may have no tools of t4a: it reads a file only if root alone can change it, and ${why}. Enter this once: ${unlessRoots}`;
  }
  return undefined;
}

function whyNotRoots(path: string): string | undefined {
  const stat = statSync(path);
  if (stat.uid !== 0) return `${quote(path)} belongs to uid ${stat.uid}`;
  if (isOthersToWrite(stat)) return `${quote(path)} can be written by others`;
  const above = dirname(path);
  return above === path ? undefined : whyNotRoots(above);
}

/** Those of a terminal of that daemon, which has been removed. What is not there is no failure. */
export function removeGenerated(places: CrewPlaces, terminal: string, socketPath: string): void {
  const folder = generatedFolder(places, terminal);
  try {
    const own = readdirSync(folder).filter((name) => name.endsWith(`-${daemonKey(socketPath)}.json`));
    for (const name of own) rmSync(join(folder, name), { force: true });
    rmdirSync(folder);
  } catch (error) {
    // ENOTEMPTY: another daemon has a terminal of that name.
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EACCES'].includes(errnoOf(error) ?? '')) throw error;
  }
}
