/**
 * What a person sets once instead of with every command, and where it is set: a flag stands above the environment, that
 * above the configuration file, that above the default. Nothing is read before it is asked for.
 */
import { nearestWords } from '../base/nearest.js';
import { configFileError, type ConfigFile } from '../protocol/config-file.js';
import { T4aError, quote } from '../protocol/errors.js';
import { commandSyntax } from './argv/command-table.js';
import { CLIENT_SETTINGS } from './argv/commands.generated.js';
import type { Invocation } from './argv/parse.js';
import type { Surroundings } from './host.js';
import type { FlagSyntax } from './argv/syntax.js';
import { readValue } from './argv/values.js';

export type SettingName = 'socket' | 'color' | 'shell' | 'cols' | 'rows' | 'scale';

export interface Setting {
  readonly value: unknown;
  readonly source: 'flag' | 'environment' | 'file' | 'default';
}

/** Commands that take a setting as a field of their request, where the command line leaves it open. */
const FIELDS: readonly { readonly setting: SettingName; readonly commands: readonly string[] }[] = [
  { setting: 'cols', commands: ['create', 'run'] },
  { setting: 'rows', commands: ['create', 'run'] },
  { setting: 'scale', commands: ['screenshot'] },
];

/** @param flag what the command line says @throws T4aError that names the variable, or the file and the line */
export function settingOf(name: SettingName, flag: unknown, surroundings: Surroundings): Setting {
  if (flag !== undefined) return { value: flag, source: 'flag' };
  const syntax = syntaxOf(name);
  const ofEnvironment = fromEnvironment(syntax, surroundings.env);
  if (ofEnvironment !== undefined) return { value: ofEnvironment, source: 'environment' };
  const ofFile = fromFile(syntax, surroundings.configFile());
  return ofFile === undefined ? { value: undefined, source: 'default' } : { value: ofFile, source: 'file' };
}

/** The invocation with what the settings say of it. */
export function withSettings(invocation: Invocation, surroundings: Surroundings): Invocation {
  const { command, params } = invocation;
  const wanted = FIELDS.filter(({ setting, commands }) => commands.includes(command.name) && isOpen(setting, params));
  const set = wanted
    .map(({ setting }) => [setting, settingOf(setting, undefined, surroundings).value] as const)
    .filter(([, value]) => value !== undefined);
  return { ...invocation, params: { ...withShell(invocation, surroundings), ...Object.fromEntries(set) } };
}

/** A size of cells that was asked for by its purpose is asked for. */
function isOpen(setting: SettingName, params: Invocation['params']): boolean {
  return params[setting] === undefined && !(setting === 'scale' && params['profile'] !== undefined);
}

function withShell({ command, params }: Invocation, surroundings: Surroundings): Invocation['params'] {
  if (command.name !== 'create' || params['cmd_args'] !== undefined) return params;
  const { value } = settingOf('shell', undefined, surroundings);
  return value === undefined ? params : { ...params, cmd_args: [value] };
}

function fromEnvironment(syntax: FlagSyntax, env: Surroundings['env']): unknown {
  const name = `T4A_${syntax.field.toUpperCase()}`;
  const text = env[name];
  // https://no-color.org: whatever it says.
  if (!text) return syntax.field === 'color' && env['NO_COLOR'] ? 'never' : undefined;
  const value = readValue(syntax, text, `$${name}`);
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

/** A mistyped name would otherwise say nothing for as long as the daemon, which checks the rest, runs already. */
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
