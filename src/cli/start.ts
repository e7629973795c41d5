#!/usr/bin/env node
/**
 * What `t4a` runs: a program beside this file, either that of the common commands or the whole command line. This one is
 * CommonJS when it runs.
 */
import { runProgram } from '../boot/cached-program.js';
import { PROGRAM_HASHES } from '../boot/program-hashes.js';
import type { main } from './main.js';
import type { serveHost } from './warm/main.js';

/** Of scripts/build.mjs: the commands of the smaller program. */
declare const T4A_COMMON_COMMANDS: readonly string[];

interface Program {
  readonly main: typeof main;
}

interface Whole extends Program {
  readonly serveHost: typeof serveHost;
}

const WHOLE = './cli-program.cjs';
let whole: Whole | undefined;

const { argv, env } = process;
const HOST = '__serve-cli';

/** `t4a COMMAND --help`, where people write it: code that was kept by help lacks what the command itself runs. */
const isHelp = ['--help', '-h'].includes(argv.at(-1) ?? '') && !argv.includes('--');

/** Commands need different parts of a program, and what is compiled for one is not in the cache of another. The host's V8 has other flags. */
const part = isHelp
  ? 'help'
  : argv[2] === HOST
    ? 'host'
    : (argv.slice(2).find((word) => /^[a-z]{1,20}$/.test(word)) ?? 'other');

function load(name: string, hash: string): Program {
  const { exports, keepCode } = runProgram({ file: `${__dirname}/${name}`, hash, part, env, require: requireFrom });
  process.once('exit', keepCode);
  return exports as Program;
}

/** The common program requires parts of the whole one, if it needs them after all. */
function requireFrom(id: string): unknown {
  return id === WHOLE ? loadWhole() : require(id);
}

function loadWhole(): Whole {
  return (whole ??= load('cli-program.cjs', PROGRAM_HASHES.cli) as Whole);
}

/** `t4a --socket PATH COMMAND` is what scripts write. After other flags the whole command line finds the command. */
const command = argv[argv[2] === '--socket' ? 4 : 2] ?? '';
/** What the native client has found; programs of this command line get to know nothing of it. */
const toHost = /^absent:(\d+)$/.exec(env['T4A_CALLED_BY_CLIENT'] ?? '')?.[1];
delete env['T4A_CALLED_BY_CLIENT'];

if (command === HOST) {
  void loadWhole().serveHost((url) => import(url), argv[3] ?? '', PROGRAM_HASHES.cli);
} else {
  const isCommon = !isHelp && T4A_COMMON_COMMANDS.includes(command);
  const program = isCommon ? load('cli-common.cjs', PROGRAM_HASHES.cliCommon) : loadWhole();
  program.main((url) => import(url), toHost === undefined ? undefined : Number(toHost));
}
