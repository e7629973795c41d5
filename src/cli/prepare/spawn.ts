/** The place where a program starts: the caller's directory and environment, never the daemon's. */
import { resolve } from 'node:path';
import { callersPlace } from '../../client/callers-place.js';
import { isT4aError, T4aError, quote } from '../../protocol/errors.js';
import type { Fields } from '../argv/invocation.js';
import type { Host } from '../host.js';
import type { Prepare } from './preparer.js';

/** The caller's directory and environment; of a terminal that exists already only what is given. */
export function withPlace(params: Fields, options: Fields, host: Host): Fields {
  if (params['id'] !== undefined) {
    return options['env'] === undefined ? params : { ...params, env: addedEnvironment(options) };
  }
  if (options['on'] !== undefined) return withFarPlace(params, options);
  const cwd = absolutePath(typeof params['cwd'] === 'string' ? params['cwd'] : '.', host);
  return { ...params, ...callersPlace(cwd, host.env, addedEnvironment(options), params['keep_agent_env'] === true) };
}

/** The caller's directory and environment, with the keys in it, stay on this machine. */
function withFarPlace(params: Fields, options: Fields): Fields {
  const { cwd } = params;
  if (typeof cwd === 'string' && !cwd.startsWith('/')) {
    throw new T4aError('usage', `--cwd is ${quote(cwd)}: expected an absolute path of ${quote(options['on'])}.`, {
      field: 'cwd',
    });
  }
  return { ...params, ...(options['env'] === undefined ? {} : { env: addedEnvironment(options) }) };
}

/** Refuses a flag about this machine, which the daemon of another host cannot see. */
export function refuseFar(flag: string, options: Fields): void {
  if (options['on'] === undefined) return;
  throw new T4aError('usage', `"${flag}" is about this machine, not ${quote(options['on'])}.`);
}

/** `--tied`: the caller is gone when the process that started this one is. */
export const prepareCreate: Prepare = ({ params, options }, host) => {
  if (params['tied'] !== true) return params;
  refuseFar('--tied', options);
  return { ...params, tied: host.parent() };
};

/** The daemon has a working directory of its own. */
export function absolutePath(path: string, host: Host): string {
  return path.startsWith('/') ? resolve(path) : resolve(currentDirectory(host), path);
}

function addedEnvironment(options: Fields): Record<string, string> {
  return Object.fromEntries(((options['env'] ?? []) as readonly string[]).map(readAssignment));
}

function readAssignment(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) {
    throw new T4aError('usage', `--env is ${quote(text)}: expected NAME=VALUE.`);
  }
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function currentDirectory(host: Host): string {
  try {
    return host.cwd();
  } catch (error) {
    if (isT4aError(error)) throw error;
    throw new T4aError('cwd_not_found', 'The current directory does not exist any more.', {
      hint: 'cd to another one.',
      field: 'cwd',
    });
  }
}
