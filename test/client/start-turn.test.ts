import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { StartTurn } from '../../src/client/start-turn.js';
import { tempDir } from '../support/temp-dir.js';

const HOUR_S = 60 * 60;

function turnOf(pid: number | string, ageS: number): string {
  const { socketPath } = tempDir();
  writeFileSync(`${socketPath}.start`, String(pid));
  const madeAt = Date.now() / 1000 - ageS;
  utimesSync(`${socketPath}.start`, madeAt, madeAt);
  return socketPath;
}

test('is had by one at a time, and by the next when it is given back', () => {
  const { socketPath } = tempDir();
  const turn = StartTurn.take(socketPath);
  expect(turn).toBeDefined();
  expect(StartTurn.take(socketPath)).toBeUndefined();
  turn?.release();
  expect(existsSync(`${socketPath}.start`)).toBe(false);
  expect(StartTurn.take(socketPath)).toBeDefined();
});

test('is taken from whoever is gone or has had it for long, and from nobody else', () => {
  expect(StartTurn.take(turnOf(process.pid, 5))).toBeUndefined();
  expect(StartTurn.take(turnOf('', 5))).toBeUndefined();
  expect(StartTurn.take(turnOf(process.pid, 11))).toBeDefined();
  expect(StartTurn.take(turnOf(2 ** 22 + 1, 0))).toBeDefined();
});

test('is not kept for hours because the time of day was set back', () => {
  expect(StartTurn.take(turnOf(process.pid, -HOUR_S))).toBeDefined();
});

test('is known to others for as long as it is had', () => {
  const { socketPath } = tempDir();
  expect(StartTurn.isTaken(socketPath)).toBe(false);
  const turn = StartTurn.take(socketPath);
  expect(readFileSync(`${socketPath}.start`, 'utf8')).toBe(String(process.pid));
  expect(statSync(`${socketPath}.start`).mode & 0o777).toBe(0o600);
  expect(StartTurn.isTaken(socketPath)).toBe(true);
  turn?.release();
  expect(StartTurn.isTaken(socketPath)).toBe(false);
  expect(StartTurn.isTaken(turnOf(process.pid, 11))).toBe(false);
});

test('is had where no file can be made, for the daemon will say why', () => {
  const { join } = tempDir();
  expect(StartTurn.take(join('missing', 's'))).toBeDefined();
  const { socketPath } = tempDir();
  mkdirSync(`${socketPath}.start`);
  expect(StartTurn.isTaken(socketPath)).toBe(false);
  StartTurn.take(socketPath)?.release();
  expect(existsSync(`${socketPath}.start`)).toBe(true);
});
