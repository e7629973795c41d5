/**
 * The owner's settings, read when the daemon starts: the file `$XDG_CONFIG_HOME/t4a/config.json`, overridden by the
 * environment, where T4A_SCROLLBACK is the field `scrollback`. The schemas of the protocol check both. Of the clients'
 * settings in the file the daemon uses only `socket`; it checks the others and ignores them.
 */
import { z } from 'zod';
import type { Environment } from '../base/npx-environment.js';
import { readSettingsFile } from '../base/settings-file.js';
import { clientSettingsShape } from '../protocol/client-settings.js';
import { DEFAULT_CONFIG, type Config, type ConfigSource } from '../protocol/commands/config.js';
import { configShape } from '../protocol/config-shape.js';
import { configFileError, configFilePath, readConfigFile } from '../protocol/config-file.js';
import { T4aError } from '../protocol/errors.js';
import { fieldError } from '../protocol/field-error.js';

export interface OwnersConfig {
  readonly values: Partial<Config>;
  readonly sources: Partial<Record<keyof Config, ConfigSource>>;
  /** Socket path from the file. */
  readonly socket: string | undefined;
  /** Why the file was refused, if it may not be read. */
  readonly refused: string | undefined;
}

type FileFields = Readonly<Record<string, unknown>>;

const FIELDS = Object.keys(DEFAULT_CONFIG) as (keyof Config)[];

/** @throws T4aError that names the file, the line and the field, or the variable */
export function readOwnersConfig(env: Environment, home: string): OwnersConfig {
  const { fromFile, socket, refused } = readFile(configFilePath(env, home));
  const fromEnvironment = readEnvironment(env);
  return {
    values: { ...fromFile, ...fromEnvironment },
    sources: { ...sourcesOf(fromFile, 'file'), ...sourcesOf(fromEnvironment, 'environment') },
    socket,
    refused,
  };
}

interface OfFile extends Pick<OwnersConfig, 'socket' | 'refused'> {
  readonly fromFile: Partial<Config>;
}

function readFile(path: string): OfFile {
  let refused: string | undefined;
  const file = readConfigFile(path, readSettingsFile, (says) => (refused = says));
  if (file === undefined) return { fromFile: {}, socket: undefined, refused };
  const ofFile = z.strictObject({ ...configShape, ...clientSettingsShape }).partial();
  const checked = ofFile.safeParse(file.fields);
  if (!checked.success) {
    const { message, details } = problem(ofFile, checked.error, file.fields);
    throw configFileError(file, details.field ?? '', message, details);
  }
  const own = Object.entries(checked.data).filter(([field]) => FIELDS.includes(field as keyof Config));
  return { fromFile: Object.fromEntries(own), socket: checked.data.socket, refused };
}

function readEnvironment(env: Environment): Partial<Config> {
  const fields = variables(env);
  // Most environments set none, and the first check with a schema takes milliseconds.
  if (Object.keys(fields).length === 0) return {};
  const ofEnvironment = z.strictObject(configShape).partial();
  const checked = ofEnvironment.safeParse(fields);
  if (checked.success) return checked.data as Partial<Config>;
  const { message, details } = problem(ofEnvironment, checked.error, fields);
  throw new T4aError('usage', `In the environment: ${message}`, details);
}

/** Numbers and objects are parsed as JSON; anything else stays text. */
function variables(env: Environment): FileFields {
  return Object.fromEntries(
    FIELDS.flatMap((field) => {
      const text = env[`T4A_${field.toUpperCase()}`];
      return text === undefined || text === '' ? [] : [[field, readVariable(text)]];
    }),
  );
}

function readVariable(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function problem(schema: z.ZodType, error: z.ZodError, fields: FileFields): T4aError {
  return fieldError({ name: 'config', schema, hint: 't4a config --help' }, error, fields);
}

function sourcesOf(values: Partial<Config>, source: ConfigSource): Partial<Record<keyof Config, ConfigSource>> {
  return Object.fromEntries(Object.keys(values).map((field) => [field, source]));
}
