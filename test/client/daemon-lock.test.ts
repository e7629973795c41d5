/** What a client reads in the lock of a daemon. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { daemonLock, servedProtocol } from '../../src/client/daemon-lock.js';
import { lockPath } from '../../src/protocol/socket-path.js';
import { tempDir } from '../support/temp-dir.js';

function lockOf(content: string): string {
  const { socketPath } = tempDir();
  writeFileSync(lockPath(socketPath), content);
  return socketPath;
}

test('the fields of a lock are read', () => {
  const socketPath = lockOf('{"pid":7,"started":"boot/1","protocol":3}\n');
  expect(daemonLock(socketPath)).toEqual({ pid: 7, started: 'boot/1', protocol: 3 });
  expect(servedProtocol(socketPath)).toBe(3);
});

test.each(['7', '"text"', 'null', 'true', '{"pid":', ''])('a lock that holds %j has no fields', (content) => {
  expect(daemonLock(lockOf(content))).toBeUndefined();
  expect(servedProtocol(lockOf(content))).toBeUndefined();
});

test('a missing lock, or a directory in its place, has no fields', () => {
  const { socketPath } = tempDir();
  expect(daemonLock(socketPath)).toBeUndefined();
  mkdirSync(lockPath(socketPath));
  expect(daemonLock(socketPath)).toBeUndefined();
});

test('a protocol that is not a number is unknown', () => {
  expect(servedProtocol('/s', { protocol: '1' })).toBeUndefined();
  expect(servedProtocol('/s', { pid: 1 })).toBeUndefined();
  expect(servedProtocol('/s', { protocol: 2 })).toBe(2);
});
