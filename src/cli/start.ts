#!/usr/bin/env node
/** What `t4a` runs: the program beside this file. This one is CommonJS when it runs. */
import { runProgram } from '../boot/cached-program.js';
import { PROGRAM_HASHES } from '../boot/program-hashes.js';
import type { main } from './main.js';

/** Commands need different parts of the program, and what is compiled for one is not in the cache of another. */
const part = process.argv.slice(2).find((word) => /^[a-z]{1,20}$/.test(word)) ?? 'other';

const { exports, keepCode } = runProgram({
  file: `${__dirname}/cli-program.cjs`,
  hash: PROGRAM_HASHES.cli,
  part,
  env: process.env,
  require,
});
process.once('exit', keepCode);
(exports as { readonly main: typeof main }).main((url) => import(url));
