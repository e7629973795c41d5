import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { maxSocketPathBytes } from '../../src/protocol/socket-path.js';
import { SocketFile } from '../../src/rpc/socket-file.js';
import { tempDir } from '../support/temp-dir.js';

const LONGEST = maxSocketPathBytes(process.platform);

/** A directory whose path, with the slash behind it, leaves so many bytes for a socket's name. */
function directoryWithRoomFor(bytes: number): string {
  const { path } = tempDir();
  const directory = `${path}/${'d'.repeat(LONGEST - bytes - path.length - 2)}`;
  mkdirSync(directory);
  return directory;
}

function makeServer(): Server {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  return server;
}

describe('the place of a socket', () => {
  test.each(['s', 'sock', 't4a.sock'])('has room for the passing name, however short "%s" is', async (name) => {
    const path = `${directoryWithRoomFor(8)}/${name}`;
    expect(() => SocketFile.checkPlace(path)).not.toThrow();
    const file = await SocketFile.listen(makeServer(), path);
    expect(file?.isInPlace()).toBe(true);
    expect(lstatSync(path).isSocket()).toBe(true);
  });

  test.each(['s', 'sock', 't4a.soc'])('is refused where the passing name of "%s" would be too long', (name) => {
    const path = `${directoryWithRoomFor(7)}/${name}`;
    expect(() => SocketFile.checkPlace(path)).toThrow(expect.objectContaining({ code: 'socket_path' }));
  });

  test.each([8, 19, 20, 21])('can be a directory with room for %i bytes', async (room) => {
    const path = `${directoryWithRoomFor(room)}/${'n'.repeat(room)}`;
    expect(() => SocketFile.checkPlace(path)).not.toThrow();
    expect(await SocketFile.listen(makeServer(), path)).toBeDefined();
    expect(() => SocketFile.checkPlace(`${path}n`)).toThrow(expect.objectContaining({ code: 'socket_path' }));
  });
});

describe('a socket', () => {
  test('is in its place until it is deleted, moved or replaced, and is not removed then', async () => {
    const { socketPath } = tempDir();
    const file = await SocketFile.listen(makeServer(), socketPath);
    expect(file?.isInPlace()).toBe(true);
    renameSync(socketPath, `${socketPath}.moved`);
    expect(file?.isInPlace()).toBe(false);
    file?.remove();
    writeFileSync(socketPath, 'my notes');
    expect(file?.isInPlace()).toBe(false);
    file?.remove();
    expect(existsSync(socketPath)).toBe(true);
    rmSync(socketPath);
    renameSync(`${socketPath}.moved`, socketPath);
    expect(file?.isInPlace()).toBe(true);
    file?.remove();
    expect(existsSync(socketPath)).toBe(false);
  });

  test('is left to a process that answers on it, and taken from one that does not', async () => {
    const { socketPath } = tempDir();
    const first = makeServer();
    await SocketFile.listen(first, socketPath);
    expect(await SocketFile.listen(makeServer(), socketPath)).toBeUndefined();
    await new Promise((resolve) => first.close(resolve));
    expect(await SocketFile.listen(makeServer(), socketPath)).toBeDefined();
    expect(lstatSync(socketPath).isSocket()).toBe(true);
  });

  test('leaves nothing if something else is in its place', async () => {
    const { path, socketPath } = tempDir();
    writeFileSync(socketPath, 'my notes');
    await expect(SocketFile.listen(makeServer(), socketPath)).rejects.toMatchObject({ code: 'socket_path' });
    await expect(SocketFile.listen(makeServer(), `${path}/missing/s`)).rejects.toThrow();
  });
});
