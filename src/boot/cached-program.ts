/**
 * Runs a bundled program, with its code from the cache if there is one. Used by small CommonJS entry files beside the
 * program.
 */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { Script } from 'node:vm';
import { CodeCache } from './code-cache.js';

export interface ProgramOptions {
  /**
   * The bundle, in ASCII: the function of a CommonJS module, `(function (exports, require, module, __filename, __dirname) {
   * … })`, that loads other modules by `require` alone, and defines much but does little.
   */
  readonly file: string;
  /** Hash of its content, different for each bundle. */
  readonly hash: string;
  /** The part of the program that will run: another part may need other code. */
  readonly part: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly require: (id: string) => unknown;
}

export interface RunningProgram {
  readonly exports: unknown;
  /** Call it when the usual code has been compiled: stores it for the next run, unless it is stored already. */
  readonly keepCode: () => void;
  /** Call it when the program failed in a way that stored code may cause: the next run compiles anew. */
  readonly discardCode: () => void;
}

/** @throws the error of loading the program */
export function runProgram({ file, hash, part, env, require }: ProgramOptions): RunningProgram {
  const home = cacheHome(env);
  const { source, size, mtimeMs } = readSource(file);
  const cache = home === undefined ? undefined : new CodeCache(home, part, { hash, size, mtimeMs });
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
    // Loading only defines (the daemon's `main` does not throw, it rejects): a defect of the program itself is thrown a
    // second
    // time, and no other effect happens twice.
    cache?.discard();
    return load(undefined);
  }
}

/** By the functions that read the cache, too: each of Node's takes time to load. */
function readSource(path: string): { readonly source: string } & Pick<Stats, 'size' | 'mtimeMs'> {
  const file = openSync(path, constants.O_RDONLY);
  try {
    const { size, mtimeMs } = fstatSync(file);
    const bytes = Buffer.allocUnsafeSlow(size);
    return { source: bytes.toString('latin1', 0, readSync(file, bytes)), size, mtimeMs };
  } finally {
    closeSync(file);
  }
}

/** Undefined if the user has no home directory. */
function cacheHome({ XDG_CACHE_HOME: named, HOME: home }: ProgramOptions['env']): string | undefined {
  if (named?.startsWith('/') === true) return named;
  return home?.startsWith('/') === true ? `${home}/.cache` : undefined;
}
