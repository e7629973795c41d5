import {
  chownSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { connect } from '../../src/client/client.js';
import type { ConnectOptions } from '../../src/client/open-connection.js';
import { StartClaim } from '../../src/client/start-claim.js';
import { PROTOCOL_VERSION } from '../../src/protocol/limits.js';
import { identityOf } from '../../src/rpc/process-identity.js';
import { bundleProgram } from '../support/bundle.js';
import { lineChild } from '../support/child.js';
import { serve } from '../support/serve.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';
import { testHandlers } from '../support/test-handlers.js';

const programs = mkdtempSync('/tmp/t4a-test-');
let daemonEntry: string;
let asker: string;

beforeAll(async () => {
  daemonEntry = await bundleProgram('small-daemon.ts', programs);
  asker = await bundleProgram('asker.ts', programs);
});
afterAll(() => rmSync(programs, { recursive: true, force: true, maxRetries: 5 }));

interface Behaviour {
  readonly fail?: string;
  readonly protocol?: number;
  readonly terminals?: number;
}

/** A place where a daemon may be started; every process that was started there is ended with the test. */
function daemonPlace(): TempDir & { starts: () => number[]; connect: (options?: ConnectOptions) => Promise<Client> } {
  const dir = tempDir();
  const starts = (): number[] => {
    const file = `${dir.socketPath}.starts`;
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number.parseFloat) : [];
  };
  onTestFinished(() => {
    for (const pid of starts()) killIfAlive(pid);
  });
  return {
    ...dir,
    starts,
    async connect(options) {
      const client = await connect({ socketPath: dir.socketPath, daemonEntry, ...options });
      onTestFinished(() => client.close());
      return client;
    },
  };
}

function killIfAlive(pid: number): void {
  if (identityOf(pid) !== undefined) process.kill(pid, 'SIGKILL');
}

/** The daemons that this starts inherit it. */
function behave(behaviour: Behaviour | undefined): void {
  if (behaviour === undefined) delete process.env['SMALL_DAEMON'];
  else process.env['SMALL_DAEMON'] = JSON.stringify(behaviour);
  onTestFinished(() => {
    delete process.env['SMALL_DAEMON'];
  });
}

/** The place of a daemon that runs already and behaves like that. */
async function meet(behaviour: Behaviour): Promise<ReturnType<typeof daemonPlace>> {
  behave(behaviour);
  const place = daemonPlace();
  const child = lineChild(daemonEntry, [], { ...process.env, T4A_SOCKET: place.socketPath });
  while (!existsSync(place.socketPath)) await new Promise(setImmediate);
  behave(undefined);
  expect(place.starts()).toEqual([child.pid]);
  return place;
}

async function ended(pid: number): Promise<void> {
  while (identityOf(pid) !== undefined) await new Promise(setImmediate);
}

describe('connecting without a running daemon', () => {
  test('starts one, which outlives its client, and the next client finds the same', async () => {
    const place = daemonPlace();
    const first = await place.connect();
    const { pid } = await first.call('ping');
    await first.close();
    expect((await (await place.connect()).call('ping')).pid).toBe(pid);
    expect(place.starts()).toEqual([pid]);
    expect(existsSync(`${place.socketPath}.start`)).toBe(false);
    expect(statSync(`${place.socketPath}.log`).mode & 0o777).toBe(0o600);
  });

  test('passes the idle timeout', async () => {
    const place = daemonPlace();
    await place.connect({ idleTimeoutMs: 1234 });
    expect(readFileSync(`${place.socketPath}.starts`, 'utf8')).toMatch(/^\d+ 1234\n$/);
  });

  test('recovers from a killed daemon that left its socket and its lock', async () => {
    const place = daemonPlace();
    const first = await place.connect();
    const { pid } = await first.call('ping');
    process.kill(pid, 'SIGKILL');
    await expect(first.call('list')).rejects.toMatchObject({ code: 'connection_lost' });
    await ended(pid);
    expect(existsSync(place.socketPath)).toBe(true);
    const second = await (await place.connect()).call('ping');
    expect(second.pid).not.toBe(pid);
  });

  test('by 50 clients at once, in 10 processes, leaves one daemon and 50 answers', async () => {
    const place = daemonPlace();
    const askers = Array.from({ length: 10 }, () => lineChild(asker, [place.socketPath, daemonEntry, '5']));
    for (const child of askers) expect(await child.line()).toBe('ready');
    for (const child of askers) child.say('go');
    const answers = await Promise.all(askers.map((child) => child.line()));
    const pids = answers.flatMap((answer) => JSON.parse(answer) as number[]);
    expect(pids).toHaveLength(50);
    expect(new Set(pids).size).toBe(1);
    const [winner] = pids;
    for (const pid of place.starts()) if (pid !== winner) await ended(pid);
    expect((await (await place.connect()).call('ping')).pid).toBe(winner);
  });

  test('is an error when it may not start one', async () => {
    const place = daemonPlace();
    await expect(place.connect({ autoStart: false })).rejects.toMatchObject({
      code: 'daemon_unreachable',
      details: { hint: 't4a daemon' },
    });
    expect(place.starts()).toEqual([]);
  });

  test('reports the last output of a daemon that fails at its start', async () => {
    behave({ fail: 'no fonts here' });
    const place = daemonPlace();
    writeFileSync(`${place.socketPath}.log`, 'words of an earlier daemon\n');
    await expect(place.connect()).rejects.toMatchObject({
      code: 'daemon_unreachable',
      message: expect.stringMatching(/exit status 3: no fonts here\.$/) as string,
    });
    expect(existsSync(`${place.socketPath}.start`)).toBe(false);
  });

  test('ends when its signal is aborted', async () => {
    const place = daemonPlace();
    await expect(place.connect({ signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });

  test('is not delayed by the files of a client that was killed while it started one', async () => {
    const place = daemonPlace();
    const child = lineChild(asker, ['/nowhere', daemonEntry, '0']);
    await child.line();
    await child.kill();
    writeFileSync(`${place.socketPath}.start`, String(child.pid));
    const client = await place.connect();
    expect((await client.call('ping')).pid).toBe(place.starts()[0]);
  });
});

describe('connecting to a daemon of another version', () => {
  test('that is older and has no terminals replaces it', async () => {
    const place = await meet({ protocol: PROTOCOL_VERSION - 1 });
    const pong = await (await place.connect()).call('ping');
    expect(pong.protocol).toBe(PROTOCOL_VERSION);
    const [old, current] = place.starts();
    expect(current).toBe(pong.pid);
    await ended(old ?? -1);
  });

  test('that is older and has terminals reports that, and leaves it running', async () => {
    const place = await meet({ protocol: PROTOCOL_VERSION - 1, terminals: 2 });
    await expect(place.connect()).rejects.toMatchObject({
      code: 'version_mismatch',
      details: { hint: expect.stringContaining('t4a shutdown') as string },
    });
    expect(place.starts()).toHaveLength(1);
    expect(identityOf(place.starts()[0] ?? -1)).toBeDefined();
  });

  test('that is newer reports that, and leaves it running', async () => {
    const place = await meet({ protocol: PROTOCOL_VERSION + 1 });
    await expect(place.connect()).rejects.toMatchObject({ code: 'version_mismatch' });
    expect(identityOf(place.starts()[0] ?? -1)).toBeDefined();
  });
});

describe('connecting to something other than a daemon', () => {
  test('that accepts and never answers ends with the timeout', async () => {
    const place = daemonPlace();
    const program = createServer(() => {});
    program.listen(place.socketPath);
    await once(program, 'listening');
    onTestFinished(() => void program.close());
    await expect(place.connect({ timeoutMs: 50 })).rejects.toMatchObject({
      code: 'daemon_unreachable',
      message: expect.stringContaining('50 ms') as string,
    });
    expect(place.starts()).toEqual([]);
  });

  test('that ends each connection is asked less and less', async () => {
    const place = daemonPlace();
    const began = performance.now();
    let late = 0;
    const program = createServer((socket) => {
      if (performance.now() - began > 1500) late++;
      socket.destroy();
    });
    program.listen(place.socketPath);
    await once(program, 'listening');
    onTestFinished(() => void program.close());
    await expect(place.connect({ timeoutMs: 2500 })).rejects.toMatchObject({ code: 'daemon_unreachable' });
    // Each 3 ms for a second, then each 40 or more.
    expect(late).toBeLessThan(1000 / 40 + 5);
  });

  test('that is a regular file is refused with socket_path, and nothing is started or changed', async () => {
    const place = daemonPlace();
    writeFileSync(place.socketPath, 'my notes');
    await expect(place.connect()).rejects.toMatchObject({ code: 'socket_path' });
    expect(readFileSync(place.socketPath, 'utf8')).toBe('my notes');
    expect(place.starts()).toEqual([]);
  });

  test('of another user is refused with socket_owner and a hint', async () => {
    const place = daemonPlace();
    const isRoot = process.getuid?.() === 0;
    writeFileSync(place.socketPath, '');
    // Root can give a file away; everybody else meets one of root's.
    if (isRoot) chownSync(place.socketPath, 12_345, 12_345);
    const socketPath = isRoot ? place.socketPath : '/etc/passwd';
    await expect(place.connect({ socketPath })).rejects.toMatchObject({
      code: 'socket_owner',
      details: { hint: expect.stringContaining('T4A_SOCKET') as string },
    });
    expect(place.starts()).toEqual([]);
  });

  test.each([
    ['in no directory', '/missing/s'],
    ['in a file', '/s.file/s'],
    ['too long', `/${'x'.repeat(120)}`],
  ])('because its path is %s is refused with socket_path', async (_reason, suffix) => {
    const place = daemonPlace();
    writeFileSync(place.join('s.file'), '');
    await expect(place.connect({ socketPath: place.path + suffix })).rejects.toMatchObject({ code: 'socket_path' });
  });

  test("is not delayed by another user's file in place of the claim", async () => {
    const place = daemonPlace();
    execFileSync('mkfifo', [`${place.socketPath}.start`]);
    if (process.getuid?.() === 0) chownSync(`${place.socketPath}.start`, 12_345, 12_345);
    const client = await place.connect();
    expect(place.starts()).toHaveLength(1);
    await client.call('ping');
    // Nor by a plain file of theirs, as new as a claim is.
    if (process.getuid?.() !== 0) return;
    const socketPath = place.join('other.sock');
    writeFileSync(`${socketPath}.start`, String(process.pid));
    expect(StartClaim.isTaken(socketPath)).toBe(true);
    chownSync(`${socketPath}.start`, 12_345, 12_345);
    expect(StartClaim.isTaken(socketPath)).toBe(false);
    expect(StartClaim.take(socketPath)).toBeDefined();
  });

  test('does not write its log through a symbolic link', async () => {
    const place = daemonPlace();
    symlinkSync(place.join('elsewhere'), `${place.socketPath}.log`);
    await expect(place.connect()).rejects.toMatchObject({ code: 'socket_path' });
    expect(existsSync(place.join('elsewhere'))).toBe(false);
  });

  test('does not write its log into a file with a second name', async () => {
    const place = daemonPlace();
    writeFileSync(place.join('precious'), 'kept');
    linkSync(place.join('precious'), `${place.socketPath}.log`);
    await expect(place.connect()).rejects.toMatchObject({ code: 'socket_path' });
    expect(readFileSync(place.join('precious'), 'utf8')).toBe('kept');
  });
});

test('an existing connection costs two round trips: ping, and the call', async () => {
  const asked: string[] = [];
  const { ping } = testHandlers();
  const { socketPath, server } = await serve({
    ping(params, call) {
      asked.push('ping');
      return ping(params, call);
    },
    list() {
      asked.push('list');
      return { terminals: [] };
    },
  });
  const counts: number[] = [];
  server.onConnectionCount((count) => counts.push(count));
  const client = await connect({ socketPath });
  await client.call('list');
  await client.close();
  expect(asked).toEqual(['ping', 'list']);
  expect(counts[0]).toBe(1);
  expect(Math.max(...counts)).toBe(1);
});
