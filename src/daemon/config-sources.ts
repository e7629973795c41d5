/**
 * What the owner of the daemon has set before its start: the file `$XDG_CONFIG_HOME/t4a/config.json`, and above it the
 * environment, where T4A_SCROLLBACK is the field `scrollback`. Both are checked as a request of `config` is.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errnoOf } from '../base/errno.js';
import { configShape, type Config, type ConfigSource } from '../protocol/commands/config.js';
import { T4aError } from '../protocol/errors.js';
import { parseRequest } from '../protocol/request.js';

export interface OwnersConfig {
  readonly values: Partial<Config>;
  readonly sources: Partial<Record<keyof Config, ConfigSource>>;
}

type Environment = Readonly<Record<string, string | undefined>>;

const FIELDS = Object.keys(configShape) as (keyof Config)[];

/** @throws T4aError that names the file or the variable at fault */
export function readOwnersConfig(env: Environment, home: string): OwnersConfig {
  const file = configFile(env, home);
  const fromFile = checked(readObject(file), `In ${JSON.stringify(file)}: `);
  const fromEnvironment = checked(variables(env), 'In the environment: ');
  return {
    values: { ...fromFile, ...fromEnvironment },
    sources: { ...sourcesOf(fromFile, 'file'), ...sourcesOf(fromEnvironment, 'environment') },
  };
}

export function configFile(env: Environment, home: string): string {
  return path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 't4a/config.json');
}

function readObject(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return {};
    throw new T4aError('usage', `${JSON.stringify(file)} cannot be read (${errnoOf(error) ?? String(error)}).`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new T4aError('usage', `${JSON.stringify(file)} is not a JSON object.`, {
    hint: 'For example {"scrollback":5000}.',
  });
}

/** Numbers and objects as JSON, anything else as the text that it is. */
function variables(env: Environment): Record<string, unknown> {
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

function checked(fields: Record<string, unknown>, where: string): Partial<Config> {
  // Names a request would take and a file must not.
  const { cmd: _cmd, req: _req, sources: _sources, ...own } = fields;
  const { request } = parseRequest({ cmd: 'config', ...own });
  if (request instanceof T4aError) throw new T4aError(request.code, where + request.message, request.details);
  return Object.fromEntries(Object.entries(own));
}

function sourcesOf(values: Partial<Config>, source: ConfigSource): Partial<Record<keyof Config, ConfigSource>> {
  return Object.fromEntries(Object.keys(values).map((field) => [field, source]));
}
