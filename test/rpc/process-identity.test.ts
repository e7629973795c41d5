import { expect, onTestFinished, test } from 'vitest';
import { identityOf, isAlive } from '../../src/rpc/process-identity.js';

/** Beyond the largest pid of any system. */
const DEAD = 999_999_999;

test('a process is the same while its start time is the same', () => {
  const self = identityOf(process.pid);
  expect(self?.pid).toBe(process.pid);
  expect(identityOf(process.pid)).toEqual(self);
  expect(isAlive({ pid: process.pid, started: self?.started ?? null })).toBe(true);
  expect(isAlive({ pid: process.pid, started: null })).toBe(true);
  expect(isAlive({ pid: process.pid, started: 'another time' })).toBe(self?.started === null);
});

test('a missing process has no identity', () => {
  expect(identityOf(DEAD)).toBeUndefined();
  expect(isAlive({ pid: DEAD, started: null })).toBe(false);
});

test('two processes with different start times are different', () => {
  if (process.platform !== 'linux') return;
  expect(identityOf(process.pid)?.started).toMatch(/^[0-9a-f-]*\/\d+$/);
  expect(identityOf(1)?.started).not.toBe(identityOf(process.pid)?.started);
});

test('a system without /proc is queried by a signal, and by ps', () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }));
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const self = identityOf(process.pid);
  expect(self?.pid).toBe(process.pid);
  expect(identityOf(process.pid)).toEqual(self);
  // Another user's, for all but root.
  expect(identityOf(1)?.pid).toBe(1);
  expect(identityOf(DEAD)).toBeUndefined();
});
