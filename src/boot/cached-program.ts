/** Runs a bundled program, with its code from the cache where there is one. For small CommonJS entries beside the program. */
import { readFileSync, statSync } from 'node:fs';
import { Script } from 'node:vm';
import { CodeCache } from './code-cache.js';

export interface ProgramOptions {
  /** The bundle, of ASCII alone: a CommonJS module that loads others by `require` alone, and defines much but does little. */
  readonly file: string;
  /** Of its content: programs of different content have different ones. */
  readonly hash: string;
  /** What it is run for: another part may need other code. */
  readonly part: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly require: NodeJS.Require;
}

export interface RunningProgram {
  readonly exports: unknown;
  /** To be called when what is usually needed has been compiled: keeps that for the next time, if it is not kept yet. */
  readonly keepCode: () => void;
  /** To be called when the program failed in a way that may be its code's fault: the next time it is compiled. */
  readonly discardCode: () => void;
}

/** @throws what the program throws while it is loaded */
export function runProgram({ file, hash, part, env, require }: ProgramOptions): RunningProgram {
  const home = cacheHome(env);
  const { size, mtimeMs } = statSync(file);
  const cache = home === undefined ? undefined : new CodeCache(home, part, { hash, size, mtimeMs });
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`;
  const load = (cachedData: Buffer | undefined): RunningProgram => {
    const script = new Script(source, { filename: file, cachedData });
    const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
    const run = script.runInThisContext() as (...args: unknown[]) => void;
    const module = { exports: {} };
    run(module.exports, require, module, file, file.slice(0, file.lastIndexOf('/')));
    return {
      exports: module.exports,
      keepCode: () => {
        if (!isKept) cache?.write(script.createCachedData());
      },
      discardCode: () => cache?.discard(),
    };
  };
  const kept = cache?.read();
  if (kept === undefined) return load(undefined);
  try {
    return load(kept);
  } catch {
    // Loading defines and does no more (the daemon's `main` does not throw, it rejects): what is wrong with the program
    // itself is thrown a second time, and nothing else happens twice.
    cache?.discard();
    return load(undefined);
  }
}

/** Undefined where the user has no home. */
function cacheHome({ XDG_CACHE_HOME: named, HOME: home }: ProgramOptions['env']): string | undefined {
  if (named?.startsWith('/') === true) return named;
  return home?.startsWith('/') === true ? `${home}/.cache` : undefined;
}
