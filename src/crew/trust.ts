/**
 * Which presets a person lets run in a project: by the project's real path, the preset, and a hash of all that it says, so that an edit
 * asks again. The file is read as it is, and grants nothing if it is not what t4a writes or if others can write it. Trust prevents
 * accidents: whoever runs as the user can write the file.
 */
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { errnoOf } from '../base/errno.js';
import { RefusedFile } from '../base/settings-file.js';
import { T4aError, quote } from '../protocol/errors.js';
import type { IfFile } from '../protocol/vocabulary.js';
import { type CrewPlaces, projectFolder } from './places.js';
import { type Preset, PRESET_KINDS, type PresetKind, presetName } from './preset.js';
import { changeProjectFile, readProjectFile } from './project-file.js';

const MAX_GRANTS = 1000;

const grant = z.strictObject({
  kind: z.enum(PRESET_KINDS),
  preset: presetName,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const trustFile = z.strictObject({
  version: z.literal(1),
  /** A folder that has moved here from elsewhere has nothing of the old one. */
  project: z.string(),
  trusted: z.array(grant).max(MAX_GRANTS),
});

export type Grant = z.output<typeof grant>;

export interface Trust {
  readonly grants: readonly Grant[];
  /** Why the file grants nothing. */
  readonly problem: string | undefined;
}

/** @throws T4aError `cwd_not_found` */
export function projectOf(folder: string): string {
  try {
    const project = realpathSync(folder);
    if (statSync(project).isDirectory()) return project;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
  throw new T4aError('cwd_not_found', `${quote(folder)} is no directory that can be entered.`);
}

/** The same for all texts of a preset that mean the same. */
export function presetHash(kind: PresetKind, preset: Preset): string {
  return createHash('sha256')
    .update(sortedJson([kind, preset]))
    .digest('hex');
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** @param project its real path */
export function readTrust(places: CrewPlaces, project: string): Trust {
  const path = trustPath(places, project);
  try {
    return trustIn(path, project, readProjectFile(path, MAX_TRUST_BYTES));
  } catch (error) {
    if (error instanceof RefusedFile) return nothing(path, error.message);
    const reason = errnoOf(error);
    if (reason === undefined) throw error;
    return nothing(path, `cannot be read (${reason})`);
  }
}

function trustIn(path: string, project: string, text: string | undefined): Trust {
  if (text === undefined) return { grants: [], problem: undefined };
  try {
    const read = trustFile.safeParse(JSON.parse(text));
    if (!read.success) return nothing(path, 'is not as t4a writes it');
    if (read.data.project !== project) return nothing(path, `is about ${quote(read.data.project)}`);
    return { grants: read.data.trusted, problem: undefined };
  } catch (error) {
    if (error instanceof SyntaxError) return nothing(path, 'is not JSON');
    throw error;
  }
}

/** A thousand grants. */
const MAX_TRUST_BYTES = 512 * 1024;

export function isTrusted({ grants }: Trust, kind: PresetKind, preset: Preset): boolean {
  const hash = presetHash(kind, preset);
  return grants.some((one) => one.kind === kind && one.preset === preset.name && one.sha256 === hash);
}

/** What shows a daemon that the trust lasts at the instant of a start. */
export function lastingTrust(places: CrewPlaces, project: string, kind: PresetKind, preset: Preset): IfFile {
  return { path: trustPath(places, project), contains: presetHash(kind, preset) };
}

/** Grants of the file that are none any more are dropped with it. @throws T4aError `usage`: the file cannot be written */
export function grantTrust(places: CrewPlaces, project: string, kind: PresetKind, preset: Preset): void {
  const own: Grant = { kind, preset: preset.name, sha256: presetHash(kind, preset) };
  change(places, project, (grants) => [...grants.filter((one) => !isOf(one, kind, preset.name)), own]);
}

/** @returns whether there was anything to revoke @throws T4aError `usage` */
export function revokeTrust(places: CrewPlaces, project: string, kind: PresetKind | undefined, name: string): boolean {
  const { grants, problem } = readTrust(places, project);
  if (problem === undefined && !grants.some((one) => isOf(one, kind, name))) return false;
  let had = false;
  const edit = (before: readonly Grant[]): readonly Grant[] => {
    const left = before.filter((one) => !isOf(one, kind, name));
    had = left.length < before.length;
    return left;
  };
  change(places, project, edit, true);
  return had;
}

function isOf(one: Grant, kind: PresetKind | undefined, name: string): boolean {
  return one.preset === name && (kind === undefined || one.kind === kind);
}

function change(
  places: CrewPlaces,
  project: string,
  edit: (grants: readonly Grant[]) => readonly Grant[],
  endsRights = false,
): void {
  const path = trustPath(places, project);
  const make = (text: string | undefined): string => {
    const trusted = edit(trustIn(path, project, text).grants).slice(-MAX_GRANTS);
    return `${JSON.stringify({ version: 1, project, trusted }, null, 2)}\n`;
  };
  changeProjectFile(path, { what: 'the trust of the project', maxBytes: MAX_TRUST_BYTES, make, endsRights });
}

function trustPath(places: CrewPlaces, project: string): string {
  return join(projectFolder(places, project), 'trust.json');
}

function nothing(path: string, says: string): Trust {
  return { grants: [], problem: `${JSON.stringify(path)} ${says}: nothing is trusted.` };
}
