/**
 * Runs a bundled program, with its code from the cache if there is one. Used by small CommonJS entry files beside the
 * program.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { Script } from 'node:vm';
import { CodeCache, type FileState } from './code-cache.js';

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
  const { source, state } = readSource(file);
  const cache = home === undefined ? undefined : new CodeCache(home, part, { hash, ...state });
  const load = (cachedData: Buffer | undefined): RunningProgram => {
    const script = new Script(source, { filename: file, cachedData });
    const isKept = cachedData !== undefined && script.cachedDataRejected !== true;
    const run = script.runInThisContext() as (...args: unknown[]) => void;
    const module = { exports: {} };
    run(module.exports, require, module, file, file.slice(0, file.lastIndexOf('/')));
    return {
      exports: module.exports,
      keepCode: () => {
        if (!isKept && isStill(file, source, state)) cache?.write(script.createCachedData());
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
function readSource(path: string): { readonly source: string; readonly state: FileState } {
  const file = openSync(path, constants.O_RDONLY);
  try {
    const state = fstatSync(file, { bigint: true });
    const bytes = Buffer.allocUnsafeSlow(Number(state.size));
    return { source: bytes.toString('latin1', 0, readSync(file, bytes)), state };
  } finally {
    closeSync(file);
  }
}

/** Two changes within one tick of the system's clock have the same time: 10 ms where it ticks slowest. */
const TICK_MS = 20;

/** Whether the code is that of the file on the disk, and a later change of it will be seen by its state. */
function isStill(path: string, source: string, { size, mtimeNs, ctimeNs, ino }: FileState): boolean {
  try {
    const ageMs = Date.now() - Number(ctimeNs / 1_000_000n);
    if (ageMs < TICK_MS) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TICK_MS - Math.max(0, ageMs));
    const { source: now, state } = readSource(path);
    if (state.size !== size || state.mtimeNs !== mtimeNs || state.ctimeNs !== ctimeNs || state.ino !== ino)
      return false;
    return now === source;
  } catch {
    return false;
  }
}

/** Undefined if the user has no home directory. */
function cacheHome({ XDG_CACHE_HOME: named, HOME: home }: ProgramOptions['env']): string | undefined {
  if (named?.startsWith('/') === true) return named;
  return home?.startsWith('/') === true ? `${home}/.cache` : undefined;
}
