import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleProgram } from '../support/bundle.js';

const MEBIBYTE = 1024 * 1024;
const dir = mkdtempSync(path.join(tmpdir(), 't4a-log-'));
let program = '';

beforeAll(async () => {
  program = await bundleProgram('log-writer.ts', dir);
});
afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));

function run(stderr: number | 'pipe', ...args: readonly string[]) {
  const stdio: StdioOptions = ['ignore', 'pipe', stderr];
  return spawnSync(process.execPath, [program, ...args], { stdio, encoding: 'utf8', maxBuffer: 4 * MEBIBYTE });
}

/** What is in the log after that: which lines, by their first characters, and how long it is. */
function logged(before: number, ...lengths: readonly number[]): { lines: string; bytes: number } {
  const file = path.join(dir, 'log');
  writeFileSync(file, before === 0 ? '' : `${'b'.repeat(before - 1)}\n`);
  const fd = openSync(file, 'a');
  expect(run(fd, 'sink', ...lengths.map(String)).status).toBe(0);
  closeSync(fd);
  const text = readFileSync(file, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => line.charAt(0));
  return { lines: lines.join(''), bytes: text.length };
}

test.each([
  ['goes on with what was there', 10, [20, 30], { lines: 'b01', bytes: 60 }],
  [
    'is kept as long as it is no longer than a mebibyte',
    0,
    [MEBIBYTE - 8, 8, 10],
    { lines: '012', bytes: MEBIBYTE + 10 },
  ],
  ['begins anew behind a mebibyte', 0, [MEBIBYTE, 8, 10, 20], { lines: '23', bytes: 30 }],
  ['begins anew also where it was that long at the start', MEBIBYTE + 1, [10, 20], { lines: '01', bytes: 30 }],
  ['begins anew each time', 0, [MEBIBYTE + 1, MEBIBYTE + 1, 10], { lines: '2', bytes: 10 }],
])('a log that is a file %s', (_, before, lengths, expected) => {
  expect(logged(before, ...lengths)).toEqual(expected);
});

test('a log that is no regular file is written as output comes', () => {
  const { status, stderr, stdout } = run('pipe', 'sink', String(MEBIBYTE + 1), '10');
  expect([status, stderr.length, stdout]).toEqual([0, MEBIBYTE + 11, '']);
});

test('an unwritable log ends no daemon', () => {
  const fd = openSync('/dev/null', 'r');
  const { status, stdout } = run(fd, 'sink', '10');
  closeSync(fd);
  expect([status, stdout]).toEqual([0, '']);
});

test('the reason of a failed start goes to standard error, else to standard output', () => {
  const heard = run('pipe', 'why');
  expect([heard.stderr, heard.stdout]).toEqual(['why\n', '']);
  const fd = openSync('/dev/null', 'r');
  const unheard = run(fd, 'why');
  closeSync(fd);
  expect(unheard.stdout).toBe('why\n');
});
