/**
 * A file of JSON that acts for the person who wrote it: one that is a link, that another user owns or that others can write is refused, as
 * is what is no regular file, before it is read. Errors have file and line.
 */
import { lstatSync } from 'node:fs';
import { errnoOf } from '../base/errno.js';
import { jsonPlaces } from '../base/json-places.js';
import { isOthersToWrite } from '../base/ownership.js';
import { openSettingsFile, RefusedFile } from '../base/settings-file.js';
import { T4aError, quote } from '../protocol/errors.js';

/** @throws T4aError `usage` */
export function readOwnFile(path: string, maxBytes: number): string {
  try {
    const before = lstatSync(path);
    if (before.isSymbolicLink()) throw new RefusedFile('is a link, no regular file');
    if (isOthersToWrite(before) && before.isFile()) throw new RefusedFile('can be written by others');
    const { text, stat } = openSettingsFile(path, maxBytes);
    if (stat.ino !== before.ino || stat.dev !== before.dev) throw new RefusedFile('was replaced while it was read');
    return text;
  } catch (error) {
    if (error instanceof RefusedFile) throw new T4aError('usage', `${quoted(path)} ${error.message}: it is not read.`);
    throw new T4aError('usage', `${quoted(path)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
}

/** @throws T4aError `usage` */
export function objectIn(path: string, text: string): Record<string, unknown> {
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

/** With the line of the field, or of the nearest one around it. */
export function errorIn(path: string, text: string, error: T4aError): T4aError {
  const { lines } = jsonPlaces(text);
  let line: number | undefined;
  for (let field = error.details.field ?? ''; field !== '' && line === undefined;) {
    line = lines.get(field);
    field = field.slice(0, Math.max(0, field.lastIndexOf('.')));
  }
  return new T4aError('usage', `In ${quoted(path)}, line ${line ?? 1}: ${error.message}`, error.details);
}

const quoted = (path: string): string => JSON.stringify(path);
