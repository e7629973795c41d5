import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { on, once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/base/log.js';
import { maxSocketPathBytes } from '../../src/protocol/socket-path.js';
import { RpcServer } from '../../src/rpc/server.js';
import { RawConnection, rawRequest } from '../support/raw.js';
import { tempDir } from '../support/temp-dir.js';
import { testHandlers } from '../support/test-handlers.js';

const isRoot = process.getuid?.() === 0;

function makeServer(): RpcServer {
  const server = new RpcServer({ handlers: testHandlers(), log: silentLog, closeGraceMs: 500 });
  onTestFinished(() => server.close());
  return server;
}

function inode(path: string): number | undefined {
  return existsSync(path) ? lstatSync(path).ino : undefined;
}

async function otherProgram(path: string): Promise<void> {
  const other = createServer((socket) => socket.destroy());
  other.listen(path);
  await once(other, 'listening');
  onTestFinished(() => void other.close());
}

/** What a process that was killed leaves: a socket without a listener. */
async function leaveStaleSocket(path: string): Promise<void> {
  const other = createServer();
  other.listen(`${path}.old`);
  await once(other, 'listening');
  renameSync(`${path}.old`, path);
  other.close();
  await once(other, 'close');
  expect(lstatSync(path).isSocket()).toBe(true);
}

describe('the socket', () => {
  test('is accessible for its owner only, and removed with its lock when the server closes', async () => {
    const { socketPath, path } = tempDir();
    const server = makeServer();
    expect(await server.listen(socketPath)).toBe('listening');
    expect(lstatSync(socketPath).mode & 0o777).toBe(0o600);
    expect(existsSync(`${socketPath}.lock`)).toBe(true);
    await server.close();
    expect(existsSync(socketPath)).toBe(false);
    expect(existsSync(`${socketPath}.lock`)).toBe(false);
    expect(lstatSync(path).isDirectory()).toBe(true);
  });

  test('is served by one server only; the second changes nothing', async () => {
    const { socketPath } = tempDir();
    expect(await makeServer().listen(socketPath)).toBe('listening');
    const second = makeServer();
    expect(await second.listen(socketPath)).toBe('taken');
    await second.close();
    expect((await rawRequest(socketPath, { cmd: 'ping' })).header['ok']).toBe(true);
  });

  test('of a dead daemon is replaced', async () => {
    const { socketPath } = tempDir();
    await leaveStaleSocket(socketPath);
    expect(await makeServer().listen(socketPath)).toBe('listening');
    expect((await rawRequest(socketPath, { cmd: 'ping' })).header['ok']).toBe(true);
  });

  test('that another program answers on is left alone', async () => {
    const { socketPath } = tempDir();
    await otherProgram(socketPath);
    const { ino } = lstatSync(socketPath);
    expect(await makeServer().listen(socketPath)).toBe('taken');
    expect(lstatSync(socketPath).ino).toBe(ino);
    expect(existsSync(`${socketPath}.lock`)).toBe(false);
  });

  test('is not removed at the end if something else is in its place', async () => {
    const { socketPath } = tempDir();
    const server = makeServer();
    await server.listen(socketPath);
    renameSync(socketPath, `${socketPath}.moved`);
    writeFileSync(socketPath, 'my notes');
    await server.close();
    expect(readFileSync(socketPath, 'utf8')).toBe('my notes');
  });

  test('is created beside files that only look like those of a dead daemon, and leaves them', async () => {
    const { socketPath } = tempDir();
    execFileSync('mkfifo', [`${socketPath}.lock.fifo`]);
    writeFileSync(`${socketPath}.elsewhere`, '{"pid":999999999}');
    symlinkSync(`${socketPath}.elsewhere`, `${socketPath}.lock.link`);
    writeFileSync(`${socketPath}.lock.foreign`, '{"pid":999999999}');
    // Root can give a file away; everybody else cannot make one of another user's.
    if (isRoot) chownSync(`${socketPath}.lock.foreign`, 12_345, 12_345);
    writeFileSync(`${socketPath}.lock.own`, '{"pid":999999999}');
    expect(await makeServer().listen(socketPath)).toBe('listening');
    for (const name of ['lock.fifo', 'elsewhere', 'lock.link', ...(isRoot ? ['lock.foreign'] : [])]) {
      expect(lstatSync(`${socketPath}.${name}`, { throwIfNoEntry: false }), name).toBeDefined();
    }
    expect(existsSync(`${socketPath}.lock.own`)).toBe(false);
  });

  test('is created under a name that no other process can have taken beforehand', async () => {
    const { path, socketPath } = tempDir();
    const watcher = watch(path);
    onTestFinished(() => watcher.close());
    const seen = on(watcher, 'change');
    await makeServer().listen(socketPath);
    const names = new Set<string>();
    for await (const [, name] of seen) {
      names.add(String(name));
      if (name === 's') break;
    }
    expect([...names].filter((name) => name.startsWith('.t4a'))).toEqual([
      expect.stringMatching(/^\.t4a[0-9a-f]{16}$/),
    ]);
  });

  test('can be listened on again after a close', async () => {
    const { socketPath } = tempDir();
    for (let round = 0; round < 3; round++) {
      const server = makeServer();
      expect(await server.listen(socketPath)).toBe('listening');
      await server.close();
    }
  });

  test('counts its connections', async () => {
    const { socketPath } = tempDir();
    const server = makeServer();
    await server.listen(socketPath);
    const counts: number[] = [];
    const unused = new Promise<void>((resolve) => {
      server.onConnectionCount((count) => {
        counts.push(count);
        if (count === 0) resolve();
      });
    });
    const connection = new RawConnection(socketPath);
    await connection.request({ cmd: 'ping' });
    expect(server.connectionCount).toBe(1);
    connection.close();
    await unused;
    expect(counts).toEqual([1, 0]);
  });
});

describe('an unusable path', () => {
  test('that is too long is refused, and the longest possible is accepted', async () => {
    const { path } = tempDir();
    const limit = maxSocketPathBytes(process.platform);
    const fits = `${path}/${'x'.repeat(limit - path.length - 1)}`;
    expect(await makeServer().listen(fits)).toBe('listening');
    expect((await rawRequest(fits, { cmd: 'ping' })).header['ok']).toBe(true);
    await expect(makeServer().listen(`${fits}x`)).rejects.toMatchObject({
      code: 'socket_path',
      details: { hint: expect.stringContaining('T4A_SOCKET') as string },
    });
  });

  test.each([
    ['its directory does not exist', (dir: string) => `${dir}/missing/s`],
    [
      'its directory is a file',
      (dir: string) => {
        writeFileSync(`${dir}/file`, '');
        return `${dir}/file/s`;
      },
    ],
    [
      'it is a directory',
      (dir: string) => {
        mkdirSync(`${dir}/s`);
        return `${dir}/s`;
      },
    ],
    [
      'it is a regular file',
      (dir: string) => {
        writeFileSync(`${dir}/s`, 'my notes');
        return `${dir}/s`;
      },
    ],
    [
      'it is a symbolic link',
      (dir: string) => {
        symlinkSync(`${dir}/elsewhere`, `${dir}/s`);
        return `${dir}/s`;
      },
    ],
    [
      'its directory takes no files',
      (dir: string) => {
        // Permissions do not hold root back, but nobody creates files in /sys.
        if (isRoot) return '/sys/s';
        mkdirSync(`${dir}/locked`, { mode: 0o555 });
        return `${dir}/locked/s`;
      },
    ],
  ])('because %s is refused with socket_path, and nothing is changed', async (_reason, prepare) => {
    const { path: dir } = tempDir();
    const path = prepare(dir);
    const before = inode(path);
    await expect(makeServer().listen(path)).rejects.toMatchObject({ code: 'socket_path' });
    expect(inode(path)).toBe(before);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test("with another user's socket is refused with socket_owner", async () => {
    const { socketPath } = tempDir();
    // Root can give its socket away; everybody else meets a file of root's.
    if (isRoot) {
      await leaveStaleSocket(socketPath);
      chownSync(socketPath, 12_345, 12_345);
    }
    const path = isRoot ? socketPath : '/etc/passwd';
    await expect(makeServer().listen(path)).rejects.toMatchObject({ code: 'socket_owner' });
    expect(existsSync(path)).toBe(true);
  });

  test("in another user's directory is refused with socket_owner, unless that is root's or shared", async () => {
    const { path, socketPath } = tempDir();
    if (!isRoot) return expect(makeServer().listen('/etc/s')).rejects.toMatchObject({ code: 'socket_path' });
    chownSync(path, 12_345, 12_345);
    await expect(makeServer().listen(socketPath)).rejects.toMatchObject({ code: 'socket_owner' });
    chmodSync(path, 0o1777);
    expect(await makeServer().listen(socketPath)).toBe('listening');
  });
});
