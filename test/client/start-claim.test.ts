import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { StartClaim } from '../../src/client/start-claim.js';
import { tempDir } from '../support/temp-dir.js';

const HOUR_S = 60 * 60;

function turnOf(pid: number | string, ageS: number): string {
  const { socketPath } = tempDir();
  writeFileSync(`${socketPath}.start`, String(pid));
  const madeAt = Date.now() / 1000 - ageS;
  utimesSync(`${socketPath}.start`, madeAt, madeAt);
  return socketPath;
}

test('the claim has one holder at a time, and the next one after its release', () => {
  const { socketPath } = tempDir();
  const turn = StartClaim.take(socketPath);
  expect(turn).toBeDefined();
  expect(StartClaim.take(socketPath)).toBeUndefined();
  turn?.release();
  expect(existsSync(`${socketPath}.start`)).toBe(false);
  expect(StartClaim.take(socketPath)).toBeDefined();
});

test('the claim is taken from an ended process, and after 10 s from any', () => {
  expect(StartClaim.take(turnOf(process.pid, 5))).toBeUndefined();
  expect(StartClaim.take(turnOf('', 5))).toBeUndefined();
  expect(StartClaim.take(turnOf(process.pid, 11))).toBeDefined();
  expect(StartClaim.take(turnOf(2 ** 22 + 1, 0))).toBeDefined();
});

test('the claim is not kept for hours because the time of day was set back', () => {
  expect(StartClaim.take(turnOf(process.pid, -HOUR_S))).toBeDefined();
});

test('the claim is visible to others while it is held', () => {
  const { socketPath } = tempDir();
  expect(StartClaim.isTaken(socketPath)).toBe(false);
  const turn = StartClaim.take(socketPath);
  expect(readFileSync(`${socketPath}.start`, 'utf8')).toBe(String(process.pid));
  expect(statSync(`${socketPath}.start`).mode & 0o777).toBe(0o600);
  expect(StartClaim.isTaken(socketPath)).toBe(true);
  turn?.release();
  expect(StartClaim.isTaken(socketPath)).toBe(false);
  expect(StartClaim.isTaken(turnOf(process.pid, 11))).toBe(false);
});

test('the claim is granted if no file can be made, since the daemon reports the reason', () => {
  const { join } = tempDir();
  expect(StartClaim.take(join('missing', 's'))).toBeDefined();
  const { socketPath } = tempDir();
  mkdirSync(`${socketPath}.start`);
  expect(StartClaim.isTaken(socketPath)).toBe(false);
  StartClaim.take(socketPath)?.release();
  expect(existsSync(`${socketPath}.start`)).toBe(true);
});
