/**
 * The `python3` of version managers (pyenv, asdf) is a shell script that looks for the version at each start: 0.9 s of a processor
 * where Python itself takes 0.1. Tests start it some hundred times.
 */
import { spawnSync } from 'node:child_process';
import { openSync, readSync, closeSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from './find-program.js';

/** @returns the search path with the folder of the Python that a shim starts in front */
export function withoutPythonShims(searchPath: string): string {
  const found = findProgram('python3');
  if (found === undefined || !isScript(found)) return searchPath;
  const { stdout, status } = spawnSync(found, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const real = stdout.trim();
  return status === 0 && path.isAbsolute(real) ? `${path.dirname(real)}${path.delimiter}${searchPath}` : searchPath;
}

function isScript(file: string): boolean {
  const start = Buffer.alloc(2);
  const opened = openSync(file, 'r');
  readSync(opened, start);
  closeSync(opened);
  return start.toString('latin1') === '#!';
}
