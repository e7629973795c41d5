/** Where and with which environment `create` and `run` start a program: the caller's, never the daemon's. */
import { resolve } from 'node:path';
import { callersPlace } from '../../client/callers-place.js';
import { T4aError, quote } from '../../protocol/errors.js';
import type { Fields, Prepare } from '../presenters.js';
import type { Surroundings } from '../host.js';
import { attachedPicture } from './picture-file.js';

export const prepareSpawn: Prepare = ({ params, options }, surroundings) => placeOf(params, options, surroundings);

export const prepareRun: Prepare = ({ params, options }, surroundings) => {
  // A terminal that is there already is where it is; the daemon says so of what is given all the same.
  const env = options['env'] === undefined ? {} : { env: addedEnvironment(options) };
  const place = params['id'] === undefined ? placeOf(params, options, surroundings) : { ...params, ...env };
  const file = options['screenshot'];
  return file === undefined ? place : { ...place, screenshot: attachedPicture(file) };
};

function placeOf(params: Fields, options: Fields, surroundings: Surroundings): Fields {
  const cwd = resolve(currentDirectory(surroundings), typeof params['cwd'] === 'string' ? params['cwd'] : '.');
  return { ...params, ...callersPlace(cwd, surroundings.env, addedEnvironment(options)) };
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

function currentDirectory(surroundings: Surroundings): string {
  try {
    return surroundings.cwd();
  } catch {
    throw new T4aError('cwd_not_found', 'The current directory does not exist any more.', {
      hint: 'cd to another one.',
      field: 'cwd',
    });
  }
}
