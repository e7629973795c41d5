/** Runs a bundled program, with its code from the cache where there is one. For small CommonJS entries beside the program. */
import { readFileSync, statSync } from 'node:fs';
import { Script } from 'node:vm';
import { CodeCache } from './code-cache.js';

export interface ProgramOptions {
  /** The bundle, of ASCII alone: a CommonJS module that loads others by `require` alone. */
  readonly file: string;
  /** What it is run for: another part may need other code. */
  readonly part: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly require: NodeJS.Require;
}

export interface RunningProgram {
  readonly exports: unknown;
  /** To be called when what is usually needed has been compiled: keeps that for the next time, if it is not kept yet. */
  readonly keepCode: () => void;
}

export function runProgram({ file, part, env, require }: ProgramOptions): RunningProgram {
  const home = cacheHome(env);
  const cache = home === undefined ? undefined : new CodeCache(home, part, statSync(file));
  const cachedData = cache?.read();
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`;
  const script = new Script(wrapped, { filename: file, cachedData });
  const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  const module = { exports: {} };
  run(module.exports, require, module, file, file.slice(0, file.lastIndexOf('/')));
  return {
    exports: module.exports,
    keepCode: () => {
      if (!isKept) cache?.write(script.createCachedData());
    },
  };
}

/** Undefined where the user has no home. */
function cacheHome({ XDG_CACHE_HOME: named, HOME: home }: ProgramOptions['env']): string | undefined {
  if (named?.startsWith('/') === true) return named;
  return home?.startsWith('/') === true ? `${home}/.cache` : undefined;
}
