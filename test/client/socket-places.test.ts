/** The daemon's place if no setting names its socket, and other users have files there. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findDaemon } from '../../src/client/find-daemon.js';
import { openConnection, type ConnectOptions, type OpenConnection } from '../../src/client/open-connection.js';
import { ownSockets, placeToStart, socketPlaces, type SocketPlaces } from '../../src/client/socket-places.js';
import { identityOf } from '../../src/rpc/process-identity.js';
import { bundleProgram } from '../support/bundle.js';
import { tempDir, type TempDir } from '../support/temp-dir.js';
import { giveToStranger, itAsRoot } from '../support/users.js';

const programs = mkdtempSync('/tmp/t4a-test-');
const uid = process.getuid?.() ?? -1;
let daemonEntry: string;

beforeAll(async () => {
  daemonEntry = await bundleProgram('small-daemon.ts', programs);
});
afterAll(() => rmSync(programs, { recursive: true, force: true, maxRetries: 5 }));
afterEach(() => vi.unstubAllEnvs());

interface Machine extends TempDir {
  readonly places: SocketPlaces;
  readonly connect: (options?: ConnectOptions) => Promise<OpenConnection & { readonly socketPath: string }>;
}

/** A machine of the test's own: its /tmp and /run/user are in a directory of the test's. */
function machine(runtimeDirectory?: string): Machine {
  const dir = tempDir();
  const [tmp, run] = [dir.join('tmp'), dir.join('run')];
  mkdirSync(tmp);
  chmodSync(tmp, 0o1777);
  mkdirSync(run);
  vi.stubEnv('T4A_SOCKET', undefined);
  vi.stubEnv('XDG_CONFIG_HOME', dir.path);
  const places = socketPlaces({ uid, runtimeDirectory, tmp, run });
  onTestFinished(() => {
    for (const path of [places.shared, places.own, ...places.runtime]) killStarted(path);
  });
  return {
    ...dir,
    places,
    async connect(options = {}) {
      const open = await openConnection({ daemonEntry, ...options }, undefined, places);
      onTestFinished(() => open.connection.close());
      return { ...open, socketPath: open.connection.socketPath };
    },
  };
}

function killStarted(socketPath: string): void {
  const file = `${socketPath}.starts`;
  const pids = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').map(Number.parseFloat) : [];
  for (const pid of pids) if (identityOf(pid) !== undefined) process.kill(pid, 'SIGKILL');
}

const MAKE: Readonly<Record<string, (path: string) => void>> = {
  'a file': (path) => writeFileSync(path, 'mine'),
  'a directory': (path) => mkdirSync(path),
  'a FIFO': (path) => execFileSync('mkfifo', [path]),
  'a symbolic link': (path) => symlinkSync('/etc/passwd', path),
};

function strangersFile(path: string, make = 'a file'): void {
  MAKE[make]?.(path);
  giveToStranger(path);
}

describe('without a named path the daemon', () => {
  test('is at the shared one if no other user is there, and creates no directory', async () => {
    const { places, connect } = machine();
    const first = await connect();
    expect(first).toMatchObject({ socketPath: places.shared, hasStarted: true });
    expect(existsSync(dirname(places.own))).toBe(false);
    expect(await connect()).toMatchObject({ socketPath: places.shared, hasStarted: false, daemon: first.daemon });
  });

  itAsRoot()('is in a directory of its user if another one has files at the shared path', async () => {
    const { places, connect } = machine();
    strangersFile(places.shared);
    const { socketPath } = await connect();
    expect(socketPath).toBe(places.own);
    const { mode, uid: owner } = lstatSync(dirname(places.own));
    expect([mode & 0o777, owner]).toEqual([0o700, uid]);
  });

  for (const name of ['t4a.sock', 't4a.sock.lock', 't4a.sock.log']) {
    itAsRoot()(`is not placed at the shared path if another user has anything at ${name}`, () => {
      for (const make of Object.keys(MAKE)) {
        const { places } = machine();
        strangersFile(join(dirname(places.shared), name), make);
        expect(placeToStart(places), make).toBe(places.own);
      }
    });
  }

  itAsRoot()('is at the shared one if another user has only claimed the start', async () => {
    const { places, connect } = machine();
    strangersFile(`${places.shared}.start`);
    expect((await connect()).socketPath).toBe(places.shared);
  });

  test('is in a directory of its user if something other than a socket is at the shared path', async () => {
    const { places, connect } = machine();
    mkdirSync(places.shared);
    expect((await connect()).socketPath).toBe(places.own);
  });

  itAsRoot()('is found again by the next client when the shared path is free again', async () => {
    const { places, connect } = machine();
    strangersFile(`${places.shared}.log`);
    const { daemon } = await connect();
    rmSync(`${places.shared}.log`);
    expect(await connect()).toMatchObject({ socketPath: places.own, daemon });
    expect(existsSync(places.shared)).toBe(false);
  });

  itAsRoot()('at the shared path is found beside any other files', async () => {
    const { places, connect } = machine();
    const { daemon } = await connect();
    rmSync(`${places.shared}.log`);
    strangersFile(`${places.shared}.log`);
    expect(await connect()).toMatchObject({ socketPath: places.shared, daemon });
  });

  test('returns to the shared path after it has ended and left its directory', async () => {
    const { places, connect } = machine();
    mkdirSync(dirname(places.own), { mode: 0o700 });
    expect((await connect()).socketPath).toBe(places.shared);
  });

  test('is found where another client is starting it', () => {
    const { places } = machine();
    mkdirSync(dirname(places.own), { mode: 0o700 });
    writeFileSync(`${places.own}.start`, String(process.pid));
    expect(placeToStart(places)).toBe(places.own);
  });

  itAsRoot()('is started elsewhere if another user takes the path between the check and the start', async () => {
    const { places, connect } = machine();
    vi.stubEnv('SMALL_DAEMON', JSON.stringify({ robbedAt: places.shared }));
    expect((await connect()).socketPath).toBe(places.own);
    expect(readFileSync(`${places.shared}.starts`, 'utf8')).not.toBe('');
  });

  itAsRoot()('is not started for a question, and no directory is created', async () => {
    const { places, connect } = machine();
    strangersFile(places.shared);
    await expect(connect({ autoStart: false })).rejects.toMatchObject({
      code: 'daemon_unreachable',
      message: `No daemon listens on ${JSON.stringify(places.own)}.`,
    });
    expect(existsSync(dirname(places.own))).toBe(false);
  });
});

describe('a directory of the user', () => {
  const SQUATS: Readonly<Record<string, (directory: string) => void>> = {
    'is of another user': (directory) => strangersFile(directory, 'a directory'),
    'is a link of another user': (directory) => {
      mkdirSync(`${directory}.ours`, { mode: 0o700 });
      symlinkSync(`${directory}.ours`, directory);
      giveToStranger(directory);
    },
    'is a file of another user': (directory) => strangersFile(directory),
  };

  for (const [state, squat] of Object.entries(SQUATS)) {
    itAsRoot()(`that ${state} is skipped for the runtime directory, set or not`, async () => {
      const { places, connect } = machine();
      strangersFile(places.shared);
      squat(dirname(places.own));
      const [runtime = ''] = places.runtime;
      mkdirSync(dirname(runtime), { mode: 0o700 });
      const { daemon, socketPath } = await connect();
      expect(socketPath).toBe(runtime);
      expect((await connect()).daemon).toEqual(daemon);
    });
  }

  itAsRoot()('that others can write to, or that is a link, is not searched', async () => {
    const { places, connect } = machine();
    strangersFile(places.shared);
    const { socketPath } = await connect();
    const directory = dirname(socketPath);
    expect(ownSockets(places)).toEqual([places.own]);
    chmodSync(directory, 0o777);
    expect(ownSockets(places)).toEqual([]);
    chmodSync(directory, 0o700);
    execFileSync('mv', [directory, `${directory}.moved`]);
    symlinkSync(`${directory}.moved`, directory);
    expect(ownSockets(places)).toEqual([]);
    expect(readlinkSync(directory)).toBe(`${directory}.moved`);
    rmSync(directory);
    execFileSync('mv', [`${directory}.moved`, directory]);
    // The directory is another user's and the socket in it this user's, and the other way round.
    for (const path of [directory, socketPath]) {
      giveToStranger(path);
      expect(ownSockets(places), path).toEqual([]);
      chownSync(path, uid, process.getgid?.() ?? -1);
      expect(ownSockets(places), path).toEqual([places.own]);
    }
  });

  itAsRoot()("that another user's environment names, as after sudo, is not used", async () => {
    const theirs = tempDir().path;
    giveToStranger(theirs);
    const { places } = machine(theirs);
    expect(places.runtime).toContain(`${theirs}/t4a.sock`);
    strangersFile(places.shared);
    strangersFile(dirname(places.own), 'a directory');
    expect(() => placeToStart(places)).toThrow(`${JSON.stringify(theirs)} belongs to another user`);
  });

  test('counts once under several names, and not at all with a relative name', () => {
    const given = { uid: 7, tmp: '/t', run: '/r' };
    expect(socketPlaces({ ...given, runtimeDirectory: '/r/7/' }).runtime).toEqual(['/r/7/t4a.sock']);
    expect(socketPlaces({ ...given, runtimeDirectory: 'r' }).runtime).toEqual(['/r/7/t4a.sock']);
    expect(socketPlaces({ ...given, runtimeDirectory: '/x' }).runtime).toEqual(['/r/7/t4a.sock', '/x/t4a.sock']);
  });
});

itAsRoot()('if every path is taken the error lists each, with the next step', async () => {
  const { places, connect } = machine();
  strangersFile(`${places.shared}.log`);
  strangersFile(dirname(places.own), 'a directory');
  const expected = {
    code: 'socket_owner',
    message: expect.stringMatching(/t4a\.sock\.log" belongs to .* \(uid 12345\).*t4a-\d+" belongs to /) as string,
    details: { hint: expect.stringContaining('--socket') as string },
  };
  await expect(connect()).rejects.toMatchObject(expected);
  await expect(findDaemon(undefined, undefined, places)).rejects.toMatchObject(expected);
});

itAsRoot()('a named path is never replaced by another', async () => {
  const { places, connect } = machine();
  strangersFile(places.shared);
  const named = { socketPath: places.shared };
  await expect(connect(named)).rejects.toMatchObject({ code: 'socket_owner' });
  vi.stubEnv('T4A_SOCKET', places.shared);
  await expect(connect()).rejects.toMatchObject({ code: 'socket_owner' });
  await expect(findDaemon(undefined, undefined, places)).rejects.toMatchObject({ code: 'socket_owner' });
});
