/**
 * All presets of a person: the shipped ones, and those of the files of $XDG_CONFIG_HOME/t4a/presets, merged by name. They are read when
 * they are needed. None comes from a project: a clone of a repository must not bring commands.
 */
import { opendirSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, isUnseen } from '../base/errno.js';
import { whyUnsafe } from '../base/ownership.js';
import { quote } from '../protocol/errors.js';
import type { CrewPlaces } from './places.js';
import { type Preset, PRESET_KINDS, type PresetKind, wholeForm } from './preset.js';
import { type BrokenPreset, type ReadPreset, readPresetFile } from './preset-file.js';
import { SHIPPED } from './shipped.js';

/** Of one kind. */
const MAX_FILES = 500;

export interface ListedPreset {
  readonly kind: PresetKind;
  readonly name: string;
  /** Undefined: it is shipped, and no file changes it. */
  readonly path: string | undefined;
  /** Undefined if it is broken: then `error` says why. */
  readonly preset: Preset | undefined;
  readonly error: string | undefined;
}

const FOLDERS: Readonly<Record<PresetKind, string>> = { agent: 'agents', process: 'processes' };

/** In the order of their kinds and names. A broken file is in the list, and takes the place of the preset that it is about. */
export function listPresets(places: CrewPlaces): ListedPreset[] {
  return PRESET_KINDS.flatMap((kind) => presetsOf(kind, join(places.presets, FOLDERS[kind])));
}

function presetsOf(kind: PresetKind, folder: string): ListedPreset[] {
  const shipped = new Map<string, object>();
  const listed = new Map<string, ListedPreset>();
  for (const fields of SHIPPED[kind]) {
    const preset = wholeForm(kind).parse(fields) as unknown as Preset;
    shipped.set(preset.name, fields);
    listed.set(preset.name, { kind, name: preset.name, path: undefined, preset, error: undefined });
  }
  const { files, error } = presetFiles(folder);
  const broken: ListedPreset[] = [];
  if (error !== undefined) {
    broken.push({ kind, name: FOLDERS[kind], path: folder, preset: undefined, error });
    // What the files would say of these is unknown.
    if (files === undefined) for (const [name, one] of listed) listed.set(name, { ...one, preset: undefined, error });
  }
  const taken = new Map<string, string>();
  for (const path of files ?? []) {
    const read = readPresetFile(path, kind, shipped);
    const other = taken.get(read.name);
    if (other !== undefined) {
      const says = `${JSON.stringify(path)} has the name ${quote(read.name)}, as ${JSON.stringify(other)} has: it is not used.`;
      broken.push({ kind, name: read.name, path, preset: undefined, error: says });
      continue;
    }
    taken.set(read.name, path);
    if (!isBroken(read) && read.disabled) listed.delete(read.name);
    else listed.set(read.name, { kind, name: read.name, path, ...outcomeOf(read) });
  }
  const byName = (one: ListedPreset, other: ListedPreset): number => (one.name < other.name ? -1 : 1);
  return [...[...listed.values()].toSorted(byName), ...broken];
}

function isBroken(read: ReadPreset | BrokenPreset): read is BrokenPreset {
  return 'error' in read;
}

function outcomeOf(read: ReadPreset | BrokenPreset): Pick<ListedPreset, 'preset' | 'error'> {
  return isBroken(read) ? { preset: undefined, error: read.error } : { preset: read.preset, error: undefined };
}

interface PresetFiles {
  /** In the order of their names; undefined if they may not be read. */
  readonly files: readonly string[] | undefined;
  readonly error?: string;
}

/**
 * A folder that is a link is what it leads to: people keep their settings elsewhere. One that cannot be seen, as in another user's HOME,
 * counts as absent, as config.json there does.
 */
function presetFiles(folder: string): PresetFiles {
  try {
    const stat = statIfSeen(folder);
    if (stat === undefined) return { files: [] };
    const says = whyUnsafe(folder, stat);
    if (says !== undefined) {
      const error = `${JSON.stringify(folder)} ${says}, and presets are commands: it is not read.`;
      return { files: undefined, error };
    }
    return filesOf(folder);
  } catch (error) {
    const reason = errnoOf(error);
    if (reason === undefined) throw error;
    return { files: undefined, error: `${JSON.stringify(folder)} cannot be read (${reason}).` };
  }
}

function statIfSeen(folder: string): Stats | undefined {
  try {
    return statSync(folder);
  } catch (error) {
    if (isUnseen(error)) return undefined;
    throw error;
  }
}

function filesOf(folder: string): PresetFiles {
  const files: string[] = [];
  const directory = opendirSync(folder);
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (!entry.name.endsWith('.json') || entry.name.startsWith('.')) continue;
      if (files.length === MAX_FILES) {
        return {
          files: undefined,
          error: `${JSON.stringify(folder)} has more than ${MAX_FILES} presets: it is not read.`,
        };
      }
      files.push(join(folder, entry.name));
    }
  } finally {
    directory.closeSync();
  }
  return { files: files.toSorted() };
}
