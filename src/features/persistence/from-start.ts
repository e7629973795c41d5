/** See `Launcher`: the feature is loaded before a terminal that is kept is created. */
import type { Core, StartRecording } from '../core.js';
import type { Feature, Later } from '../feature.js';

export function persistFromStart(
  { config }: Core,
  feature: Later<Feature>,
  recording: Promise<StartRecording> | undefined,
): Promise<StartRecording> | undefined {
  if (config.persist === '' || feature.value !== undefined) return recording;
  return Promise.all([recording, feature.load()]).then(([start]) => start ?? (() => Promise.resolve()));
}
