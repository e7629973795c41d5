import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InstanceLock } from '../../src/rpc/instance-lock.js';
import { identityOf, ownPidSpace } from '../../src/rpc/process-identity.js';
import { bundleProgram } from '../support/bundle.js';
import { lineChild, type LineChild } from '../support/child.js';
import { itNeeds } from '../support/programs.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';
import { casesOf } from '../support/trial.js';

/** Beyond the largest pid of any system. */
const DEAD = 999_999_999;

const programs = mkdtempSync('/tmp/t4a-test-');
let racer: string;

beforeAll(async () => {
  racer = await bundleProgram('lock-racer.ts', programs);
});
afterAll(() => rmSync(programs, { recursive: true, force: true, maxRetries: 5 }));

async function startRacer(path: string): Promise<LineChild> {
  const child = lineChild(racer, [path]);
  expect(await child.line()).toBe('ready');
  return child;
}

/** A lock whose owner was killed. */
async function leaveStaleLock(path: string): Promise<void> {
  const child = await startRacer(path);
  child.say('go');
  expect(await child.line()).toBe('owned');
  await child.kill();
}

function writeLock(path: string, owner: object): void {
  writeFileSync(path, `${JSON.stringify(owner)}\n`);
}

function place(): TempDir & { lock: string } {
  const dir = tempDir();
  return { ...dir, lock: dir.join('s.lock') };
}

describe('the instance lock', () => {
  test('has one holder, until it is released', async () => {
    const { lock, path } = place();
    const first = await InstanceLock.acquire(lock);
    expect(await InstanceLock.acquire(lock)).toBeUndefined();
    first?.release();
    const second = await InstanceLock.acquire(lock);
    expect(second).toBeDefined();
    // A release that comes too late does not take the lock from its next holder.
    first?.release();
    expect(readdirSync(path)).toEqual(['s.lock']);
    second?.release();
    expect(readdirSync(path)).toEqual([]);
  });

  test('names its owner, and only the user can read it', async () => {
    const { lock } = place();
    await InstanceLock.acquire(lock);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ ...identityOf(process.pid) });
    expect(statSync(lock).mode & 0o777).toBe(0o600);
  });

  test('of a killed process is taken over', async () => {
    const { lock, path } = place();
    await leaveStaleLock(lock);
    expect(await InstanceLock.acquire(lock)).toBeDefined();
    expect(readdirSync(path)).toEqual(['s.lock']);
  });

  test('of a process whose pid now belongs to another process is taken over', async () => {
    const { lock } = place();
    writeLock(lock, { pid: process.pid, started: 'another/1', nonce: 'abc' });
    expect(await InstanceLock.acquire(lock)).toBeDefined();
  });

  test('of a living process is respected, also if its start time is unknown', async () => {
    const { lock } = place();
    writeLock(lock, { ...identityOf(process.pid), nonce: 'abc' });
    expect(await InstanceLock.acquire(lock)).toBeUndefined();
    writeLock(lock, { pid: process.pid, nonce: 'abc' });
    expect(await InstanceLock.acquire(lock)).toBeUndefined();
  });

  test('of another machine is never taken, and the refusal has its name and a next step', async () => {
    const { lock } = place();
    const other = { ...identityOf(process.pid), host: 'login-2', boot: 'another', pid_namespace: null, nonce: 'abc' };
    writeLock(lock, { ...other, pid: DEAD });
    utimesSync(lock, 0, 0);
    const before = readFileSync(lock, 'utf8');
    const refused = InstanceLock.acquire(lock);
    await expect(refused).rejects.toMatchObject({ code: 'socket_path' });
    await expect(refused).rejects.toThrow(/machine "login-2" .*T4A_SOCKET.*remove /);
    expect(readFileSync(lock, 'utf8')).toBe(before);
  });

  test('of this machine before it was started anew is taken over', async () => {
    const { lock } = place();
    writeLock(lock, { ...identityOf(process.pid), ...ownPidSpace(), boot: 'another', nonce: 'abc' });
    const taken = InstanceLock.acquire(lock);
    if (ownPidSpace().boot === null) expect(await taken).toBeUndefined();
    else expect(await taken).toBeDefined();
  });

  test('of another container is respected while its owner renews it, and taken over later', async () => {
    if (ownPidSpace().pid_namespace === null) return;
    const { lock } = place();
    writeLock(lock, { pid: DEAD, ...ownPidSpace(), pid_namespace: 'pid:[1]', nonce: 'abc' });
    await expect(InstanceLock.acquire(lock)).rejects.toThrow(/another container/);
    const aMinuteAgo = Date.now() / 1000 - 60;
    utimesSync(lock, aMinuteAgo, aMinuteAgo);
    expect(await InstanceLock.acquire(lock)).toBeDefined();
  });

  test('is made anew by its owner, with the same nonce, and left to the one who has it since', async () => {
    const { lock } = place();
    const first = await InstanceLock.acquire(lock);
    expect(first?.keep()).toBe('kept');
    rmSync(lock);
    expect(first?.keep()).toBe('restored');
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ nonce: first?.nonce, pid: process.pid });
    rmSync(lock);
    const second = await InstanceLock.acquire(lock);
    expect(first?.keep()).toEqual({ holder: `pid ${process.pid}` });
    second?.release();
    expect(first?.keep()).toBe('restored');
  });

  test('comes back to its owner from a successor that was killed', async () => {
    const { lock, path } = place();
    const first = await InstanceLock.acquire(lock);
    rmSync(lock);
    await leaveStaleLock(lock);
    expect(first?.keep()).toBe('restored');
    expect(readdirSync(path)).toEqual(['s.lock']);
  });

  test('that a power failure left empty is taken over', async () => {
    const { lock } = place();
    writeFileSync(lock, '');
    expect(await InstanceLock.acquire(lock)).toBeDefined();
  });

  test('is taken over although a process died during its takeover', async () => {
    const { lock, path } = place();
    await leaveStaleLock(lock);
    const { nonce } = JSON.parse(readFileSync(lock, 'utf8')) as { nonce: string };
    await leaveStaleLock(`${lock}.${nonce}`);
    expect(await InstanceLock.acquire(lock)).toBeDefined();
    expect(readdirSync(path)).toEqual(['s.lock']);
  });

  test('is left to a process that is taking it over already', async () => {
    const { lock } = place();
    await leaveStaleLock(lock);
    const { nonce } = JSON.parse(readFileSync(lock, 'utf8')) as { nonce: string };
    const removal = await InstanceLock.acquire(`${lock}.${nonce}`);
    const waiting = InstanceLock.acquire(lock);
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ nonce });
    removal?.release();
    expect(await waiting).toBeDefined();
  });

  test('is refused if its place holds something else, which stays', async () => {
    const { lock, join } = place();
    writeFileSync(lock, 'my notes');
    await expect(InstanceLock.acquire(lock)).rejects.toMatchObject({ code: 'socket_path' });
    expect(readFileSync(lock, 'utf8')).toBe('my notes');
    symlinkSync(lock, join('link.lock'));
    await expect(InstanceLock.acquire(join('link.lock'))).rejects.toMatchObject({ code: 'socket_path' });
    // What a link leads to may be a lock itself, of a dead process and of a living one.
    writeLock(join('dead.lock'), { pid: DEAD, nonce: 'abc' });
    writeLock(join('living.lock'), { ...identityOf(process.pid), nonce: 'def' });
    for (const name of ['dead', 'living']) {
      const [target, link] = [join(`${name}.lock`), join(`${name}-link.lock`)];
      const before = readFileSync(target, 'utf8');
      symlinkSync(target, link);
      await expect(InstanceLock.acquire(link), name).rejects.toMatchObject({ code: 'socket_path' });
      expect([readlinkSync(link), readFileSync(target, 'utf8')]).toEqual([target, before]);
    }
    mkdirSync(join('dir.lock'));
    await expect(InstanceLock.acquire(join('dir.lock'))).rejects.toMatchObject({ code: 'socket_path' });
  });

  test.each(casesOf([10, 30], (count) => count === 10))(
    'has exactly one owner if %i processes race for it, with a dead one in place',
    async (count) => {
      const { lock, path } = place();
      await leaveStaleLock(lock);
      const racers = await Promise.all(Array.from({ length: count }, () => startRacer(lock)));
      for (const child of racers) child.say('go');
      const results = await Promise.all(racers.map(async (child) => ({ child, said: await child.line() })));
      const owners = results.filter(({ said }) => said === 'owned');
      expect(owners).toHaveLength(1);
      expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: owners[0]?.child.pid });
      expect(readdirSync(path)).toEqual(['s.lock']);
      expect(await Promise.all(racers.map((child) => child.end()))).toEqual(racers.map(() => 0));
      expect(readdirSync(path)).toEqual([]);
    },
  );
});

itNeeds('prlimit')('a lock for which there is no room is not there, and leaves nothing behind', async () => {
  const { lock, path } = place();
  const child = await startRacer(lock);
  execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=100']);
  child.say('go');
  await expect(child.line()).rejects.toThrow('ended without a further line');
  expect(readdirSync(path)).toEqual([]);
});

describe('the identity of a process', () => {
  test('is undefined for an ended process, even before its parent has reaped it', async () => {
    const child = await startRacer('/nowhere');
    const before = identityOf(child.pid);
    expect(before).toMatchObject({ pid: child.pid });
    await child.kill();
    expect(identityOf(child.pid)).toBeUndefined();
  });
});
