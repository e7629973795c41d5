/**
 * A file that t4a keeps of a project, in the person's folder for it: for them alone, whole at every instant, and changed by one t4a at a
 * time. What others can write is neither read nor changed.
 */
import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf, isUnseen } from '../base/errno.js';
import { makeFolder } from '../base/make-folder.js';
import { whyUnsafe } from '../base/ownership.js';
import { lessenFile } from '../base/lessened-file.js';
import { type Draft, replaceBy, waitForDraft } from '../base/private-file.js';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { T4aError } from '../protocol/errors.js';

/** Undefined: it is absent, or in a home that may not be entered. @throws RefusedFile; the error of the system */
export function readProjectFile(path: string, maxBytes: number): string | undefined {
  try {
    checkFolder(dirname(path));
    checkSafe(path, lstatSync(path));
  } catch (error) {
    if (isUnseen(error)) return undefined;
    throw error;
  }
  const { text, stat } = openSettingsFile(path, maxBytes);
  checkSafe(path, stat);
  return text;
}

export interface ProjectChange {
  readonly what: string;
  /** Of the file that is read. */
  readonly maxBytes: number;
  /** The new text, from what stands there then. Undefined: there is none, or one that is not used. */
  readonly make: (before: string | undefined) => string;
  /** What is taken out of the file are rights: on a full disk they end, too. */
  readonly endsRights?: boolean;
}

/**
 * The new file is the claim as well: it is made under a name of its own, which another t4a waits for, and renamed. Read, changed and
 * written under it, so that no change is lost. What the system does not let be read is not written either.
 * @throws T4aError `usage`
 */
export function changeProjectFile(path: string, change: ProjectChange): void {
  const { what, maxBytes, endsRights = false } = change;
  const make = (): string => change.make(usedText(path, maxBytes));
  try {
    makeFolder(dirname(path), 0o700);
    checkFolder(dirname(path));
    if (!endsRights) replaceBy(claimed(`${path}.new`, what), path, make);
    else if (!lessenFile(path, make)) throw isClaimed(`${path}.new`, what);
  } catch (error) {
    if (error instanceof T4aError) throw error;
    const says =
      error instanceof RefusedFile ? error.message : `cannot be written (${errnoOf(error) ?? String(error)})`;
    throw new T4aError('usage', `${JSON.stringify(path)} ${says}: nothing was changed.`);
  }
}

/** @throws the error of the system */
function usedText(path: string, maxBytes: number): string | undefined {
  try {
    return readProjectFile(path, maxBytes);
  } catch (error) {
    if (error instanceof RefusedFile) return undefined;
    throw error;
  }
}

function claimed(path: string, what: string): Draft {
  const draft = waitForDraft(path);
  if (draft !== undefined) return draft;
  throw isClaimed(path, what);
}

function isClaimed(path: string, what: string): T4aError {
  return new T4aError('usage', `${JSON.stringify(path)} is there: another t4a changes ${what}.`, {
    hint: 'If none does, it gives way after ten seconds; without /proc, remove the file.',
  });
}

/** The folder, and the one that it is in: who can write those can put another file there. */
function checkFolder(folder: string): void {
  for (const one of [folder, dirname(folder)]) checkSafe(one, statSync(one), `is in ${JSON.stringify(one)}, which`);
}

/** @throws RefusedFile */
function checkSafe(path: string, stat: Stats, prefix?: string): void {
  const start = prefix === undefined ? '' : `${prefix} `;
  if (stat.isSymbolicLink()) throw new RefusedFile(`${start}is a link`);
  const why = whyUnsafe(path, stat);
  if (why !== undefined) throw new RefusedFile(`${start}${why}`);
}
