/**
 * The file in which the owner of a machine sets things once: fields of `config` for the daemon, and settings of those who
 * ask it (client-settings.ts). Its path and its text; both parse it with this.
 */
import { errnoOf } from '../base/errno.js';
import { jsonPlaces } from '../base/json-places.js';
import { RefusedFile } from '../base/settings-file.js';
import { isT4aError, T4aError, type ErrorDetails } from './errors.js';

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** https://specifications.freedesktop.org/basedir-spec/latest/: a path that is not absolute is to be ignored. */
export function configFilePath(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const given = env['XDG_CONFIG_HOME'];
  return `${given?.startsWith('/') === true ? given.replace(/\/+$/, '') : `${home}/.config`}/t4a/config.json`;
}

/** Error of a file whose content is not known, as without descriptors. */
export class UnreadConfigFile extends T4aError {}

/** The error for an unreadable file: with another user's HOME it is no mistake of the reader. */
export type OnRefused = (says: string) => void;

/**
 * @returns undefined where there is none, or none for who asks
 * @throws T4aError `usage` that names the file, and the line if it is not JSON
 */
export function readConfigFile(
  path: string,
  read: (path: string) => string,
  onRefused: OnRefused = () => {},
): ConfigFile | undefined {
  let text: string;
  try {
    text = read(path);
  } catch (error) {
    if (isT4aError(error)) throw error;
    if (error instanceof RefusedFile) {
      if (!error.isOthers) throw new T4aError('usage', `${JSON.stringify(path)} ${error.message}: it is not read.`);
      onRefused(`${JSON.stringify(path)} ${error.message}, and counts as absent`);
      return undefined;
    }
    const reason = errnoOf(error) ?? '';
    if (['ENOENT', 'ENOTDIR'].includes(reason)) return undefined;
    if (['EACCES', 'EPERM'].includes(reason)) {
      onRefused(`${JSON.stringify(path)} may not be read (${reason}), and counts as absent`);
      return undefined;
    }
    throw new UnreadConfigFile('usage', `${JSON.stringify(path)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
  return parseConfigFile(path, text);
}

function parseConfigFile(path: string, text: string): ConfigFile {
  let fields: unknown;
  try {
    fields = JSON.parse(text);
  } catch {
    const { line, says } = jsonPlaces(text).error ?? { line: 1, says: 'expected JSON' };
    throw new T4aError('usage', `In ${JSON.stringify(path)}, line ${line}: ${says}.`);
  }
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
    return { path, text, fields: fields as Record<string, unknown> };
  }
  throw new T4aError('usage', `${JSON.stringify(path)} is not a JSON object.`, { hint: EXAMPLE });
}

/** Error of a field of the file, with the place. */
export function configFileError(file: ConfigFile, field: string, says: string, details: ErrorDetails = {}): T4aError {
  const line = jsonPlaces(file.text).lines.get(field);
  const place = line === undefined ? '' : `, line ${line}`;
  return new T4aError('usage', `In ${JSON.stringify(file.path)}${place}: ${says}`, { ...details, field });
}

const EXAMPLE = 'For example {"scrollback":5000}.';
