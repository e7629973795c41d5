/**
 * What a person sets once instead of with every command, and where it is set: a flag stands above the environment, that
 * above the configuration file, that above the default. Nothing is read before it is asked for.
 */
import { nearestWords } from '../base/nearest.js';
import { configFileError, type ConfigFile } from '../protocol/config-file.js';
import { T4aError, quote } from '../protocol/errors.js';
import { commandSyntax } from './argv/command-table.js';
import { CLIENT_SETTINGS } from './argv/commands.generated.js';
import type { Invocation } from './argv/invocation.js';
import type { Host } from './host.js';
import type { CommandSyntax, FlagSyntax } from './argv/syntax.js';
import { readValue } from './argv/values.js';

export type SettingName =
  | 'socket'
  | 'color'
  | 'json'
  | 'shell'
  | 'cols'
  | 'rows'
  | 'context'
  | 'idle'
  | 'scale'
  | 'cli_host';

/** Of `--wait idle`: longer than the pause of a program between two writes of one answer. */
export const DEFAULT_IDLE_MS = 500;

export interface Setting {
  readonly value: unknown;
  readonly source: 'flag' | 'environment' | 'file' | 'default';
}

/** @param flag what the command line says @throws T4aError that names the variable, or the file and the line */
export function settingOf(name: SettingName, flag: unknown, host: Host): Setting {
  if (flag !== undefined) return { value: flag, source: 'flag' };
  const syntax = syntaxOf(name);
  const ofEnvironment = fromEnvironment(syntax, host.env);
  if (ofEnvironment !== undefined) return { value: ofEnvironment, source: 'environment' };
  const ofFile = fromFile(syntax, host.configFile());
  return ofFile === undefined ? { value: undefined, source: 'default' } : { value: ofFile, source: 'file' };
}

/** The setting `json`. A broken configuration file is left to the commands that need it, and to doctor. */
export function printsJson(flag: unknown, host: Host): boolean {
  if (flag !== undefined) return flag === true;
  const ofEnvironment = fromEnvironment(syntaxOf('json'), host.env);
  if (ofEnvironment !== undefined) return ofEnvironment === true;
  try {
    return host.configFile()?.fields['json'] === true;
  } catch {
    return false;
  }
}

/** The setting `cli_host`. What cannot be read is left to the commands that need it, and to doctor. */
export function refusesHost(host: Pick<Host, 'env' | 'configFile'>): boolean {
  try {
    const syntax = syntaxOf('cli_host');
    return (fromEnvironment(syntax, host.env) ?? host.configFile()?.fields[syntax.field]) === false;
  } catch {
    return false;
  }
}

/** The invocation with its absent fields filled by settings. Those of a new program do not apply to a given terminal. */
export function withSettings(invocation: Invocation, host: Host): Invocation {
  const { command, params } = invocation;
  if (command.startsProgram === true && params['id'] !== undefined) return invocation;
  const set = Object.entries(command.settings ?? {})
    .filter(([field]) => isOpen(field, params))
    .map(([field, name]) => [field, settingOf(name as SettingName, undefined, host).value] as const)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => [field, takesList(command, field) ? [value] : value] as const);
  return { ...invocation, params: { ...params, ...Object.fromEntries(set) } };
}

/** A profile is a cell size, too, and a command line a program. */
function isOpen(field: string, params: Invocation['params']): boolean {
  if (field === 'cmd_args' && params['command'] !== undefined) return false;
  return params[field] === undefined && !(field === 'scale' && params['profile'] !== undefined);
}

function takesList({ positionals }: CommandSyntax, field: string): boolean {
  return positionals.some((positional) => positional.field === field && positional.rest === true);
}

const BOOLEANS: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false };

function fromEnvironment(syntax: FlagSyntax, env: Host['env']): unknown {
  const name = `T4A_${syntax.field.toUpperCase()}`;
  const text = env[name];
  // https://no-color.org: any value counts.
  if (!text) return syntax.field === 'color' && env['NO_COLOR'] ? 'never' : undefined;
  const value = syntax.type === 'boolean' ? (BOOLEANS[text] ?? text) : readValue(syntax, text, `$${name}`);
  const wrong = problemOf(syntax, value);
  if (wrong !== undefined) throw new T4aError('usage', `$${name} is ${quote(text)}: expected ${wrong}.`);
  return value;
}

function fromFile(syntax: FlagSyntax, file: ConfigFile | undefined): unknown {
  if (file === undefined) return undefined;
  checkNames(file);
  const value = file.fields[syntax.field];
  const wrong = value === undefined ? undefined : problemOf(syntax, value);
  if (wrong === undefined) return value;
  throw configFileError(file, syntax.field, `"${syntax.field}" is ${quote(value)}: expected ${wrong}.`);
}

/** The daemon checks the file at its start only, so a mistyped name would have no effect and no error while it runs. */
function checkNames(file: ConfigFile): void {
  const ofDaemon = commandSyntax('config')?.flags ?? [];
  const known = [...CLIENT_SETTINGS, ...ofDaemon].map(({ field }) => field).filter((field) => field !== 'sources');
  const unknown = Object.keys(file.fields).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const closest = nearestWords(unknown, known)[0];
  throw configFileError(file, unknown, `There is no setting ${quote(unknown)}.`, {
    hint: closest === undefined ? `One of: ${known.join(', ')}.` : `Did you mean "${closest}"?`,
    ...(closest === undefined ? {} : { closest }),
  });
}

/** @returns what was expected instead, in the rest of a sentence */
function problemOf({ field, type, values, minimum, maximum }: FlagSyntax, value: unknown): string | undefined {
  if (type === 'integer' || type === 'number') {
    const isNumber = typeof value === 'number' && (type === 'number' || Number.isInteger(value));
    const isWithin = isNumber && value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity);
    return isWithin ? undefined : `${type === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}`;
  }
  if (type === 'boolean')
    return typeof value === 'boolean' ? undefined : 'true or false (in the environment also 1 or 0)';
  if (values !== undefined) {
    return typeof value === 'string' && values.includes(value) ? undefined : `one of ${values.join(', ')}`;
  }
  if (typeof value !== 'string' || value === '') return 'a text';
  return field === 'socket' && !value.startsWith('/') ? 'an absolute path' : undefined;
}

function syntaxOf(name: SettingName): FlagSyntax {
  const syntax = CLIENT_SETTINGS.find(({ field }) => field === name);
  if (syntax === undefined) throw new Error(`no setting ${name}`);
  return syntax;
}
