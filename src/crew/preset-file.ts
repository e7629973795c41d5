/**
 * One file with a preset. Its words are commands, so a file that is a link, that another user owns or that others can write is
 * refused, as is what is no regular file, before it is read.
 */
import { lstatSync } from 'node:fs';
import { basename } from 'node:path';
import { errnoOf } from '../base/errno.js';
import { jsonPlaces } from '../base/json-places.js';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { T4aError, isT4aError, quote } from '../protocol/errors.js';
import { fieldError } from '../protocol/field-error.js';
import { fileForm, type PresetKind, presetName, wholeForm, type Preset } from './preset.js';

/** Thousands of arguments. */
export const MAX_PRESET_BYTES = 64 * 1024;

const OTHERS_WRITE = 0o022;

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
    const text = readChecked(path);
    const fields = jsonObject(path, text);
    if (presetName.safeParse(fields['name']).success) name = String(fields['name']);
    const form = fileForm(kind).safeParse(fields);
    if (!form.success) throw placed(path, text, fieldError(owner(kind), form.error, fields));
    const { disabled = false, ...given } = form.data as { disabled?: boolean };
    const merged = { ...shipped.get(name), ...given };
    const whole = wholeForm(kind).safeParse(disabled ? { argv: ['-'], ...merged } : merged);
    if (!whole.success) throw placed(path, text, fieldError(owner(kind), whole.error, merged));
    return { path, name, disabled, preset: whole.data as unknown as Preset };
  } catch (error) {
    if (!isT4aError(error)) throw error;
    return { path, name, error: error.message };
  }
}

function owner(kind: PresetKind): { name: string; schema: ReturnType<typeof fileForm>; hint: string } {
  return { name: kind, schema: fileForm(kind), hint: 'For example {"name":"mine","argv":["mine","--flag"]}.' };
}

/** @throws T4aError `usage` */
function readChecked(path: string): string {
  try {
    const before = lstatSync(path);
    if (before.isSymbolicLink()) throw new RefusedFile('is a link, no regular file');
    if ((before.mode & OTHERS_WRITE) !== 0 && before.isFile()) throw new RefusedFile('can be written by others');
    const { text, stat } = openSettingsFile(path, MAX_PRESET_BYTES);
    if (stat.ino !== before.ino || stat.dev !== before.dev) throw new RefusedFile('was replaced while it was read');
    return text;
  } catch (error) {
    if (error instanceof RefusedFile) throw new T4aError('usage', `${quoted(path)} ${error.message}: it is not read.`);
    throw new T4aError('usage', `${quoted(path)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
}

function jsonObject(path: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { line, says } = jsonPlaces(text).error ?? { line: 1, says: 'expected JSON' };
    throw new T4aError('usage', `In ${quoted(path)}, line ${line}: ${says}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new T4aError('usage', `In ${quoted(path)}, line 1: expected an object, found ${quote(value)}.`);
}

/** The line of the field, or of the nearest one around it. */
function placed(path: string, text: string, error: T4aError): T4aError {
  const { lines } = jsonPlaces(text);
  let line: number | undefined;
  for (let field = error.details.field ?? ''; field !== '' && line === undefined;) {
    line = lines.get(field);
    field = field.slice(0, Math.max(0, field.lastIndexOf('.')));
  }
  return new T4aError('usage', `In ${quoted(path)}, line ${line ?? 1}: ${error.message}`, error.details);
}

const quoted = (path: string): string => JSON.stringify(path);
