/** Requests of the shell to the crew of a person. */
import type { Size } from '../../mirror/fit.js';
import type { Preset, PresetKind } from '../../crew/preset.js';
import type { ListedPreset } from '../../crew/presets.js';

export interface ShellCrew {
  /** Real path of its folder. */
  readonly project: string;
  presets(): readonly ListedPreset[];
  isTrusted(kind: PresetKind, preset: Preset): boolean;
  trust(kind: PresetKind, preset: Preset): void;
  /** @returns id of its terminal, and what may be wrong with it */
  start(
    kind: PresetKind,
    preset: Preset,
    size: Size,
  ): Promise<{ readonly id: string; readonly warning: string | undefined }>;
  /** The first prompt. @returns why Enter was not pressed; undefined if it was */
  deliver(id: string, text: string, preset: Preset): Promise<string | undefined>;
  /** Scratchpads by name, without those of a folder that others can write. */
  scratchpads(): readonly { readonly name: string; readonly modifiedMs: number; readonly size: number }[];
  /** Text of a scratchpad. @throws Error that says why it cannot be read */
  scratchpad(name: string): string;
  /** Ends it with all that it has started. */
  close(id: string): Promise<void>;
}
