import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ownPidSpace } from '../../src/rpc/process-identity.js';
import { removeLeftovers } from '../../src/rpc/leftovers.js';
import { tempDir } from '../support/temp-dir.js';

/** Beyond the largest pid of any system. */
const DEAD = 999_999_999;

async function socketAt(path: string, ageMs: number): Promise<void> {
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const madeAt = new Date(Date.now() - ageMs);
  utimesSync(path, madeAt, madeAt);
}

test.each([
  ['s.start', `${DEAD}\n`],
  ['s.start', `{"pid":${DEAD},"started":null}`],
  ['s.lock.0a1b', `{"pid":${DEAD}}`],
  ['s.lock.0a1b.tmp', String(DEAD)],
  // A pid that was given out again.
  ['s.lock.0a1b', JSON.stringify({ pid: process.pid, started: 'earlier', nonce: '0a', ...ownPidSpace() })],
  ['s.lock.0a1b', JSON.stringify({ pid: process.pid, nonce: '0a', ...ownPidSpace(), boot: 'before' })],
])('%s with %j, whose process has ended, is removed', (name, content) => {
  const { socketPath, join } = tempDir();
  writeFileSync(join(name), content);
  removeLeftovers(socketPath);
  expect(existsSync(join(name))).toBe(false);
});

test.each([
  ['s.start', `${process.pid}\n`],
  ['s.lock.0a1b', `{"pid":${process.pid}}`],
  ['s.start', ''],
  ['s.start', `pid ${DEAD}`],
  ['s.lock', `{"pid":${DEAD}}`],
  ['s.started', String(DEAD)],
  ['other.start', String(DEAD)],
  ['other.lock.0a1b', String(DEAD)],
  ['x.s.lock.0a1b', String(DEAD)],
  ['.t4a0a1b2c3d', String(DEAD)],
  // Of another machine, and of another container: their pids mean nothing here.
  ['s.lock.0a1b', JSON.stringify({ pid: DEAD, nonce: '0a', ...ownPidSpace(), host: 'other', boot: 'other' })],
  ['s.lock.0a1b', JSON.stringify({ pid: DEAD, nonce: '0a', ...ownPidSpace(), pid_namespace: 'pid:[1]' })],
])('%s with %j stays', (name, content) => {
  const { socketPath, join } = tempDir();
  writeFileSync(join(name), content);
  removeLeftovers(socketPath);
  expect(existsSync(join(name))).toBe(true);
});

test('sockets under temporary names are removed once they are old, and no others', async () => {
  const { socketPath, join } = tempDir();
  const old = ['.t4a0a1b', '.t4a0123456789abcdef'];
  const kept = ['.t4a0a1', '.t4a0123456789abcdef0', '.t4axxxx', 'x.t4a0a1b', 's.start', 's'];
  for (const name of [...old, ...kept]) await socketAt(join(name), 60_000);
  await socketAt(join('.t4affff'), -60_000);
  removeLeftovers(socketPath);
  expect(old.map((name) => existsSync(join(name)))).toEqual([false, false]);
  for (const name of [...kept, '.t4affff']) expect(existsSync(join(name)), name).toBe(true);
});

test('a directory, a link, and the target of a link stay', () => {
  const { socketPath, join } = tempDir();
  mkdirSync(join('s.lock.dir'));
  writeFileSync(join('elsewhere'), String(DEAD));
  symlinkSync(join('elsewhere'), join('s.start'));
  symlinkSync(join('nowhere'), join('s.lock.link'));
  removeLeftovers(socketPath);
  expect(['s.lock.dir', 'elsewhere', 's.start'].map((name) => existsSync(join(name)))).toEqual([true, true, true]);
});

test('a missing directory holds none', () => {
  expect(() => removeLeftovers(tempDir().join('missing', 's'))).not.toThrow();
});
