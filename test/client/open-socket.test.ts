/** One attempt to connect, and one search for a daemon. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { daemonPath, findDaemon, placeToServe } from '../../src/client/find-daemon.js';
import { isSocketPresent, openSocket, unreachable } from '../../src/client/open-socket.js';
import {
  makeOwnDirectory,
  ownSockets,
  placeToStart,
  problemOfShared,
  socketPlaces,
  type SocketPlaces,
} from '../../src/client/socket-places.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';

afterEach(() => vi.unstubAllEnvs());

async function listening(path: string): Promise<Server> {
  const server = createServer((socket) => void socket.on('error', () => {}));
  server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

/** A socket without a listener, as a killed daemon leaves it. */
function deadSocket(path: string): void {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 9))`;
  try {
    execFileSync(process.execPath, ['-e', script]);
  } catch {
    // It was killed, as it was to be.
  }
}

describe('a socket', () => {
  test('with a listener is connected to', async () => {
    const { socketPath } = tempDir();
    const server = await listening(socketPath);
    const accepted = once(server, 'connection');
    const socket = await openSocket(socketPath);
    if (socket === 'absent') throw new Error('nobody listens');
    await accepted;
    expect(socket.listenerCount('error')).toBe(0);
    socket.destroy();
  });

  test('that does not exist, or that a dead daemon has left, is absent', async () => {
    const { socketPath } = tempDir();
    expect(isSocketPresent(socketPath)).toBe(false);
    expect(await openSocket(socketPath)).toBe('absent');
    deadSocket(socketPath);
    expect(isSocketPresent(socketPath)).toBe(true);
    expect(await openSocket(socketPath)).toBe('absent');
  });

  test.each([
    ['a file', (path: string) => writeFileSync(path, '')],
    ['a directory', (path: string) => mkdirSync(path)],
    ['a link', (path: string) => symlinkSync('nothing', path)],
  ])('that is %s is refused', async (_, make) => {
    const { socketPath } = tempDir();
    make(socketPath);
    await expect(openSocket(socketPath)).rejects.toMatchObject({ code: 'socket_path' });
  });

  test('is not opened after the signal was aborted, or with an invalid path', async () => {
    const { socketPath, join } = tempDir();
    await listening(socketPath);
    await expect(openSocket(socketPath, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    await expect(openSocket(join('x'.repeat(120)))).rejects.toMatchObject({ code: 'socket_path' });
    await expect(openSocket(join('a', 'b'))).resolves.toBe('absent');
  });

  test('in a path that is no directory is refused', async () => {
    const { join } = tempDir();
    writeFileSync(join('file'), '');
    await expect(openSocket(join('file', 's'))).rejects.toMatchObject({ code: 'socket_path' });
  });
});

test('the error of an unreachable daemon names its log, unless there is a better hint', () => {
  expect(unreachable('/s', 'it is gone')).toMatchObject({
    code: 'daemon_unreachable',
    message: 'No daemon could be reached on "/s": it is gone.',
    details: { hint: 'Its log is "/s.log".' },
  });
  expect(unreachable('/s', 'it is gone', 'Wait.').details.hint).toBe('Wait.');
});

/** Places of a user in a directory of the test's. */
function places(): TempDir & { readonly places: SocketPlaces } {
  const dir = tempDir();
  vi.stubEnv('T4A_SOCKET', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', dir.path);
  const uid = process.getuid?.() ?? -1;
  return { ...dir, places: socketPlaces({ uid, runtimeDirectory: undefined, tmp: dir.path, run: dir.join('run') }) };
}

describe('a daemon', () => {
  test('is found at the named path, running or not', async () => {
    const { socketPath, places: all } = places();
    expect(await findDaemon(socketPath, undefined, all)).toEqual({ socketPath, socket: 'absent' });
    expect(await daemonPath(socketPath)).toBe(socketPath);
    const server = await listening(socketPath);
    const first = once(server, 'connection');
    const { socket } = await findDaemon(socketPath, undefined, all);
    await first;
    expect(socket).not.toBe('absent');
    if (socket !== 'absent') socket.destroy();
    const accepted = once(server, 'connection');
    vi.stubEnv('T4A_SOCKET', socketPath);
    expect(await daemonPath()).toBe(socketPath);
    const [connection] = (await accepted) as [Socket];
    connection.resume();
    await once(connection, 'close');
    expect(await placeToServe()).toBeUndefined();
  });

  test('is found at the first place with a listener, else at the place for a new one', async () => {
    const { places: all } = places();
    expect(await findDaemon(undefined, undefined, all)).toEqual({ socketPath: all.shared, socket: 'absent' });
    await listening(all.shared);
    mkdirSync(dirname(all.own), { mode: 0o700 });
    deadSocket(all.own);
    const found = await findDaemon(undefined, undefined, all);
    expect(found.socketPath).toBe(all.shared);
    if (found.socket !== 'absent') found.socket.destroy();
    await expect(findDaemon(undefined, AbortSignal.abort(new Error('enough')), all)).rejects.toThrow('enough');
  });
});

describe('a place of the user', () => {
  test('is searched in the order own, runtime, shared', async () => {
    const { places: all } = places();
    const [runtime = ''] = all.runtime;
    mkdirSync(dirname(runtime), { recursive: true, mode: 0o700 });
    mkdirSync(dirname(all.own), { mode: 0o700 });
    expect(ownSockets(all)).toEqual([]);
    for (const path of [all.shared, runtime, all.own]) await listening(path);
    expect(ownSockets(all)).toEqual([all.own, runtime, all.shared]);
    chmodSync(dirname(runtime), 0o720);
    expect(ownSockets(all)).toEqual([all.own, all.shared]);
  });

  test('is created on demand, for the user alone', () => {
    const { places: all } = places();
    makeOwnDirectory(all.shared, all);
    expect(existsSync(dirname(all.own))).toBe(false);
    makeOwnDirectory(all.own, all);
    makeOwnDirectory(all.own, all);
    expect(statSync(dirname(all.own)).mode & 0o777).toBe(0o700);
    chmodSync(dirname(all.own), 0o702);
    expect(() => makeOwnDirectory(all.own, all)).toThrow('others may write to its directory');
  });

  test.each([
    ['others may write to its directory', (path: string) => (mkdirSync(path), chmodSync(path, 0o770))],
    ['its directory is not a directory', (path: string) => writeFileSync(path, '')],
  ])('is skipped if %s, and named with that reason if there is no other', (why, squat) => {
    const { places: all } = places();
    writeFileSync(all.shared, '');
    squat(dirname(all.own));
    const [runtime = ''] = all.runtime;
    expect(() => placeToStart(all)).toThrow(
      expect.objectContaining({
        code: 'socket_path',
        message: expect.stringMatching(
          new RegExp(`^There is no place.*is not a socket is there.*${why}.*its directory does not exist`),
        ) as string,
      }),
    );
    mkdirSync(dirname(runtime), { recursive: true, mode: 0o700 });
    expect(placeToStart(all)).toBe(runtime);
  });

  test('is the shared one unless something there prevents a daemon', () => {
    const { places: all } = places();
    expect([placeToStart(all), problemOfShared(all)]).toEqual([all.shared, undefined]);
    writeFileSync(all.shared, '');
    expect(placeToStart(all)).toBe(all.own);
    expect(problemOfShared(all)).toContain('something that is not a socket is there');
  });

  test('is an error with the limit if the path is too long for a socket', () => {
    const { path, places: all } = places();
    writeFileSync(all.shared, '');
    const own = `${path}/${'x'.repeat(100)}/t4a.sock`;
    expect(() => placeToStart({ ...all, own })).toThrow("and a socket's path at most");
  });
});
