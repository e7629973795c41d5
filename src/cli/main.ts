#!/usr/bin/env node
/** The process of the CLI: its arguments, environment and streams in, its exit status out. */
import { isatty } from 'node:tty';
import { pathToFileURL } from 'node:url';
import { defaultDaemonEntry } from '../client/paths.js';
import { disarm } from './disarm.js';
import { runCommandLine } from './run-command-line.js';
import { ClosedOutput, type Surroundings } from './surroundings.js';
import { writeOut } from './write-out.js';

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;

const surroundings: Surroundings = {
  env: process.env,
  cwd: () => process.cwd(),
  stdinIsTerminal: isatty(STDIN),
  stdoutIsTerminal: isatty(STDOUT),
  columns: () => (isatty(STDOUT) ? process.stdout.columns || undefined : undefined),
  stdin: () => process.stdin,
  out: (data) => writeOut(STDOUT, typeof data === 'string' && isatty(STDOUT) ? disarm(data) : data),
  note: (text) => noteOnStderr(text),
};

/** Nobody reads the notes: no reason to stop. */
function noteOnStderr(text: string): void {
  try {
    writeOut(STDERR, isatty(STDERR) ? disarm(text) : text);
  } catch (error) {
    if (!(error instanceof ClosedOutput)) throw error;
  }
}

/** The daemon's program reads its own argv, and its end is the process's. */
async function runDaemon(args: readonly string[]): Promise<never> {
  const entry = defaultDaemonEntry();
  process.argv.splice(1, Number.POSITIVE_INFINITY, entry, ...args);
  await import(pathToFileURL(entry).href);
  return new Promise(() => {});
}

runCommandLine(process.argv.slice(2), surroundings, runDaemon).then(
  // Everything is written by now, so there is nothing to wait for: neither an open connection nor its timers.
  (status) => process.exit(status),
  (error: unknown) => {
    noteOnStderr(`t4a: A defect of t4a: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
