import { expect, onTestFinished, test } from 'vitest';
import { identityOf, isAlive, originOf, ownPidSpace, type PidSpace } from '../../src/rpc/process-identity.js';

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

const OWN: PidSpace = { host: 'one', boot: 'b1', pid_namespace: 'pid:[1]' };

test.each([
  ['this process', OWN, 'here'],
  ['this machine, which has another name since', { ...OWN, host: 'two' }, 'here'],
  ['this machine before it was started anew', { ...OWN, boot: 'b0' }, 'before'],
  ['another machine', { ...OWN, host: 'two', boot: 'b2' }, 'machine'],
  ['another machine without /proc', { host: 'two', boot: null, pid_namespace: null }, 'machine'],
  ['another container', { ...OWN, pid_namespace: 'pid:[2]' }, 'container'],
  ['another container with a name of its own', { ...OWN, host: 'two', pid_namespace: 'pid:[2]' }, 'container'],
  ['a system without namespaces', { ...OWN, boot: null, pid_namespace: null }, 'here'],
])('a pid of %s', (_, recorded, origin) => {
  expect(originOf(recorded, OWN)).toBe(origin);
});

test('a pid of this process is from here', () => {
  expect(originOf(ownPidSpace())).toBe('here');
});
