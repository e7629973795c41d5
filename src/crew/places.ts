/** Folders of the crew: those of the person, by the XDG specification. Nothing of a project is in them. */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { homeDirectory } from '../base/home-directory.js';
import type { Environment } from '../client/callers-place.js';
import { whyUnsafe } from '../base/ownership.js';

export interface CrewPlaces {
  /** A file. */
  readonly settings: string;
  /** Has `agents` and `processes`. */
  readonly presets: string;
  /** A folder for each project. */
  readonly projects: string;
  /** Generated files of agents, a folder for each terminal. Never /tmp itself: some agents refuse files in a folder that all may write. */
  readonly generated: string;
}

/** Variable for the tools of an agent, which may have changed their environment, or its preset has: codex passes no XDG_* on. */
export const PLACES_VARIABLE = 'T4A_CREW_PLACES';

export function handedOver(places: CrewPlaces): string {
  return JSON.stringify(places);
}

const path = z.string().refine(isAbsolute);
const given = z.strictObject({ settings: path, presets: path, projects: path, generated: path });

function placesIn(text: string | undefined): CrewPlaces | undefined {
  if (text === undefined) return undefined;
  try {
    return given.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** https://specifications.freedesktop.org/basedir-spec/latest/: a path that is not absolute is to be ignored. */
export function crewPlaces(env: Environment): CrewPlaces {
  const handed = placesIn(env[PLACES_VARIABLE]);
  if (handed !== undefined) return handed;
  const home = homeDirectory(env);
  const place = (variable: string, ...fallback: string[]): string => {
    const named = env[variable];
    return named !== undefined && isAbsolute(named) ? named : join(home, ...fallback);
  };
  const runtime = env['XDG_RUNTIME_DIR'];
  const passing = runtime !== undefined && isSafe(runtime) ? runtime : place('XDG_STATE_HOME', '.local', 'state');
  const config = join(place('XDG_CONFIG_HOME', '.config'), 't4a');
  return {
    settings: join(config, 'crew.json'),
    presets: join(config, 'presets'),
    projects: join(place('XDG_DATA_HOME', '.local', 'share'), 't4a', 'projects'),
    generated: join(passing, 't4a', 'crew'),
  };
}

/** The specification wants a folder of the user's alone; sudo passes on that of another user. */
function isSafe(folder: string): boolean {
  if (!isAbsolute(folder)) return false;
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat?.isDirectory() === true && whyUnsafe(folder, stat) === undefined;
}

/** @param project real path of its folder */
export function projectFolder({ projects }: CrewPlaces, project: string): string {
  return join(projects, createHash('sha256').update(project).digest('hex').slice(0, PROJECT_KEY_LENGTH));
}

const PROJECT_KEY_LENGTH = 16;
