/** One file with a preset. Its words are commands: see own-file.ts. */
import { basename } from 'node:path';
import { isT4aError } from '../protocol/errors.js';
import { fieldError } from '../protocol/field-error.js';
import { errorIn, objectIn, readOwnFile } from './own-file.js';
import { fileForm, type PresetKind, presetName, wholeForm, type Preset } from './preset.js';

/** Thousands of arguments. */
export const MAX_PRESET_BYTES = 64 * 1024;

/** Fields of the file over those of the shipped preset of its name; `disabled` is not among them. */
export interface ReadPreset {
  readonly path: string;
  readonly name: string;
  readonly disabled: boolean;
  readonly preset: Preset;
}

/** @property name by which the preset is known: the one in the file, else that of the file */
export interface BrokenPreset {
  readonly path: string;
  readonly name: string;
  readonly error: string;
}

/** @param shipped presets of that kind, by their names */
export function readPresetFile(
  path: string,
  kind: PresetKind,
  shipped: ReadonlyMap<string, object>,
): ReadPreset | BrokenPreset {
  let name = basename(path, '.json');
  try {
    const text = readOwnFile(path, MAX_PRESET_BYTES);
    const fields = objectIn(path, text);
    if (presetName.safeParse(fields['name']).success) name = String(fields['name']);
    const form = fileForm(kind).safeParse(fields);
    if (!form.success) throw errorIn(path, text, fieldError(owner(kind), form.error, fields));
    const { disabled = false, ...given } = form.data as { disabled?: boolean };
    const merged = { ...shipped.get(name), ...given };
    const whole = wholeForm(kind).safeParse(disabled ? { argv: ['-'], ...merged } : merged);
    if (!whole.success) throw errorIn(path, text, fieldError(owner(kind), whole.error, merged));
    return { path, name, disabled, preset: whole.data as unknown as Preset };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return { path, name, error: error.message };
  }
}

function owner(kind: PresetKind): { name: string; schema: ReturnType<typeof fileForm>; hint: string } {
  return { name: kind, schema: fileForm(kind), hint: 'For example {"name":"mine","argv":["mine","--flag"]}.' };
}
