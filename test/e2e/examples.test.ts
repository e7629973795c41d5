/** The programs of docs/examples, run unchanged with a real compiler and its error. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { itNeeds } from '../support/programs.js';

const EXAMPLES = fileURLToPath(new URL('../../docs/examples', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../dist/client.js', import.meta.url));
const run = promisify(execFile);

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon({ env: { LC_ALL: 'C.UTF-8' } });
});
afterAll(() => daemon.stop());

/** A program that lacks a semicolon. */
function brokenProgram(name: string): string {
  const directory = path.join(daemon.dir, name);
  mkdirSync(directory);
  const lines = ['#include <stdio.h>', 'int main(void) {', '  puts("hello, world")', '  return 0;', '}', ''];
  writeFileSync(path.join(directory, 'hello.c'), lines.join('\n'));
  return directory;
}

const EXPECTED = [
  /^build: matched, exit code 1, picture of \d{4,} bytes$/,
  /^line 3: expected .;. before .return.$/,
  /^editor: exit code 0$/,
  /^build: matched, exit code 0$/,
  /^hello, world$/,
];

function expectTurn(stdout: string): void {
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(EXPECTED.length);
  for (const [i, pattern] of EXPECTED.entries()) expect(lines[i]).toMatch(pattern);
}

describe('a typical turn of an agent', () => {
  itNeeds(
    'bash',
    'cc',
    'vim',
  )('written in TypeScript fixes and builds a program', async () => {
    const outfile = path.join(daemon.dir, 'turn.mjs');
    const entryPoints = [path.join(EXAMPLES, 'turn.ts')];
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', alias: { t4a: CLIENT } });
    const env = { ...process.env, T4A_SOCKET: daemon.socketPath };
    const { stdout } = await run(process.execPath, [outfile, brokenProgram('typescript')], { env });
    expectTurn(stdout);
  });

  itNeeds(
    'bash',
    'cc',
    'vim',
    'python3',
  )('written in Python fixes and builds a program', async () => {
    const env = { ...process.env, T4A_SOCKET: daemon.socketPath };
    const { stdout } = await run('python3', [path.join(EXAMPLES, 'turn.py'), brokenProgram('python')], { env });
    expectTurn(stdout);
  });
});
