/** What the command line loads for `t4a crew`. */
import type { Environment } from '../client/callers-place.js';
import { crewPlaces } from './places.js';
import { type ListedPreset, listPresets } from './presets.js';

/** @param env of the caller */
export function presetsFor(env: Environment): ListedPreset[] {
  return listPresets(crewPlaces(env));
}
