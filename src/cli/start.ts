#!/usr/bin/env node
/** What `t4a` runs: the program beside this file, its code from the cache where there is one. */
import { readFileSync, statSync } from 'node:fs';
import { Script } from 'node:vm';
import { CodeCache } from './code-cache.js';
import type { main } from './main.js';

// This file is CommonJS when it runs; modules that only spell paths would take as long as reading the cache.
const program = `${__dirname}/cli-program.cjs`;

/** Undefined where the user has no home. */
function cacheHome(): string | undefined {
  const { XDG_CACHE_HOME: named, HOME: home } = process.env;
  if (named?.startsWith('/') === true) return named;
  return home?.startsWith('/') === true ? `${home}/.cache` : undefined;
}

/** Commands need different parts of the program, and what is compiled for one is not in the cache of another. */
function commandName(): string {
  return /^[a-z]{1,20}$/.exec(process.argv[2] ?? '')?.[0] ?? 'other';
}

const home = cacheHome();
const cache = home === undefined ? undefined : new CodeCache(home, commandName(), statSync(program));
const cachedData = cache?.read();
const wrapped = `(function (exports, require, module, __filename, __dirname) {${readFileSync(program, 'latin1')}\n})`;
const script = new Script(wrapped, { filename: program, cachedData });
// At the end, when all that a command needs has been compiled.
if (cachedData === undefined || script.cachedDataRejected === true) {
  process.once('exit', () => cache?.write(script.createCachedData()));
}
const run = script.runInThisContext() as (...args: unknown[]) => void;
const loaded: { exports: { main?: typeof main } } = { exports: {} };
run(loaded.exports, require, loaded, program, __dirname);
loaded.exports.main?.((url) => import(url));
