/**
 * The agents and processes that a person has started in a project, in a file: what the daemon has of them is gone after a reboot. They are
 * started again on demand alone, by their presets as they are now, and only if those say what they said: nothing of the file is run.
 */
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { errnoOf } from '../base/errno.js';
import { RefusedFile } from '../base/settings-file.js';
import { terminalName } from '../protocol/vocabulary.js';
import { type CrewPlaces, projectFolder } from './places.js';
import { type Preset, PRESET_KINDS, type PresetKind, presetName } from './preset.js';
import type { ListedPreset } from './presets.js';
import { changeProjectFile, readProjectFile } from './project-file.js';
import { sharedPlace } from './conversation.js';
import { presetHash } from './trust.js';

/** The newest are kept. */
const MAX_ROOTS = 64;
/** Each with all that a preset may have of arguments would be 256 MiB: of those that are too long, the oldest go. */
const MAX_BYTES = 1024 * 1024;

const root = z.strictObject({
  id: terminalName,
  kind: z.enum(PRESET_KINDS),
  preset: presetName,
  argv: z.array(z.string()).min(1),
  cwd: z.string(),
  /** Of all that the preset said. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The daemon that it was started on. */
  daemon: z.string(),
  /** Id of its conversation. */
  conversation: z.uuid().optional(),
  /** Where it continues by the newest conversation, which may be another agent's by now. */
  shared: z.literal(true).optional(),
});

const rootsFile = z.strictObject({
  version: z.literal(1),
  project: z.string(),
  roots: z.array(root),
});

export type Root = z.output<typeof root>;

export interface Roots {
  readonly roots: readonly Root[];
  /** Why the file has none. */
  readonly problem: string | undefined;
}

/** @param project its real path */
export function readRoots(places: CrewPlaces, project: string): Roots {
  const path = rootsPath(places, project);
  try {
    return rootsIn(path, project, readProjectFile(path, 2 * MAX_BYTES));
  } catch (error) {
    if (error instanceof RefusedFile) return nothing(path, error.message);
    const reason = errnoOf(error);
    if (reason === undefined) throw error;
    return nothing(path, `cannot be read (${reason})`);
  }
}

function rootsIn(path: string, project: string, text: string | undefined): Roots {
  if (text === undefined) return { roots: [], problem: undefined };
  try {
    const read = rootsFile.safeParse(JSON.parse(text));
    if (!read.success) return nothing(path, 'is not as t4a writes it');
    if (read.data.project !== project) return nothing(path, `is about ${JSON.stringify(read.data.project)}`);
    return { roots: read.data.roots, problem: undefined };
  } catch (error) {
    if (error instanceof SyntaxError) return nothing(path, 'is not JSON');
    throw error;
  }
}

function nothing(path: string, says: string): Roots {
  return { roots: [], problem: `${JSON.stringify(path)} ${says}: nothing is resumed.` };
}

export function rootOf(
  project: string,
  daemon: string,
  id: string,
  kind: PresetKind,
  preset: Preset,
  conversation?: string,
): Root {
  const cwd = resolve(project, preset.working_dir ?? '.');
  const sha256 = presetHash(kind, preset);
  const own = conversation === undefined ? {} : { conversation };
  return { id, kind, preset: preset.name, argv: [...preset.argv], cwd, sha256, daemon, ...own };
}

/** @param keeps those that stay @throws T4aError `usage`: the file cannot be written */
export function addRoot(places: CrewPlaces, project: string, added: Root, keeps: (root: Root) => boolean): void {
  change(places, project, (roots) => {
    const others = roots.filter((one) => one.id !== added.id && keeps(one));
    const isShared = others.some((one) => placeOf(one) === placeOf(added));
    return [...others, isShared ? { ...added, shared: true } : added];
  });
}

/** An agent has started where roots continue by the newest conversation. @param id its own @throws T4aError `usage` */
export function shareRoots(places: CrewPlaces, project: string, id: string, preset: Preset): void {
  const place = sharedPlace(preset, project);
  const isOf = (one: Root): boolean => one.id !== id && placeOf(one) === place;
  if (place === undefined || !readRoots(places, project).roots.some((one) => isOf(one) && one.shared !== true)) return;
  change(places, project, (roots) => roots.map((one) => (isOf(one) ? { ...one, shared: true as const } : one)));
}

function placeOf({ argv, cwd }: Root): string {
  return JSON.stringify([argv[0], cwd]);
}

/** What was ended on purpose is not resumed. @throws T4aError `usage` */
export function removeRoots(places: CrewPlaces, project: string, ids: readonly string[]): void {
  if (!readRoots(places, project).roots.some(({ id }) => ids.includes(id))) return;
  change(places, project, (roots) => roots.filter(({ id }) => !ids.includes(id)));
}

/** @returns why it is not started again; undefined if it can be */
export function whyNotAgain(
  { kind, preset: name, sha256 }: Root,
  presets: readonly ListedPreset[],
  isTrusted: (kind: PresetKind, preset: Preset) => boolean,
): string | undefined {
  const preset = presets.find((one) => one.kind === kind && one.name === name && one.error === undefined)?.preset;
  if (preset === undefined) return `there is no preset "${name}" any more`;
  if (presetHash(kind, preset) !== sha256) return `the preset "${name}" says something else by now`;
  return isTrusted(kind, preset) ? undefined : `the preset "${name}" is not trusted here`;
}

function change(places: CrewPlaces, project: string, edit: (roots: readonly Root[]) => readonly Root[]): void {
  const path = rootsPath(places, project);
  const make = (before: string | undefined): string => {
    let roots = edit(rootsIn(path, project, before).roots).slice(-MAX_ROOTS);
    for (;;) {
      const text = `${JSON.stringify({ version: 1, project, roots }, null, 2)}\n`;
      if (Buffer.byteLength(text) <= MAX_BYTES || roots.length <= 1) return text;
      roots = roots.slice(1);
    }
  };
  changeProjectFile(path, { what: 'the crew of the project', maxBytes: 2 * MAX_BYTES, make });
}

function rootsPath(places: CrewPlaces, project: string): string {
  return join(projectFolder(places, project), 'crew.json');
}
