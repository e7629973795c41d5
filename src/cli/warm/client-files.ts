/** Files as the native client sees them: each call is one of its own. */
import { constants as fs } from 'node:fs';
import { getSystemErrorName } from 'node:util';
import type { Files, FileStat, OpenFile } from '../files.js';
import type { WarmClient } from './client.js';
import { MOST_CONTENT } from './frames.js';

/** What there is not, to `stat`. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

export function clientFiles(client: WarmClient, uid: number): Files {
  const act = async (what: string, a = 0, b = 0, more: Uint8Array | string = ''): Promise<Buffer> => {
    const numbers = Buffer.alloc(9);
    numbers.write(what, 'latin1');
    numbers.writeInt32LE(a, 1);
    numbers.writeInt32LE(b, 5);
    const { content } = await client.ask('f', Buffer.concat([numbers, Buffer.from(more)]), 'r');
    const result = content.readInt32LE(0);
    if (result < 0) throw systemError(result);
    return content;
  };
  const stat = async (what: string, path: string): Promise<FileStat | undefined> => {
    try {
      return statOf(await act(what, 0, 0, named(path)));
    } catch (error) {
      if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
      throw error;
    }
  };
  const opened = (file: number): OpenFile => ({
    stat: async () => statOf(await act('f', file)),
    read: async () => (await act('r', file)).subarray(4),
    async write(data) {
      const bytes = Buffer.from(data as Uint8Array);
      for (let at = 0; at < bytes.length; at += MOST_CONTENT - 16)
        await act('w', file, 0, bytes.subarray(at, at + MOST_CONTENT - 16));
    },
    truncate: async () => void (await act('t', file)),
    chmod: async (mode) => void (await act('c', file, mode)),
    sync: async () => void (await act('y', file)),
    close: async () => void (await act('x', file)),
  });
  return {
    uid,
    stat: (path) => stat('s', path),
    lstat: (path) => stat('l', path),
    access: async (path, mode) => void (await act('a', mode, 0, named(path))),
    readlink: async (path) => (await act('k', 0, 0, named(path))).toString('utf8', 4),
    rename: async (from, to) => void (await act('m', 0, 0, `${named(from)}\0${named(to)}`)),
    unlink: async (path) => void (await act('u', 0, 0, named(path))),
    open: async (path, flags, mode = 0o666) => opened((await act('o', flags, mode, named(path))).readInt32LE(0)),
  };
}

/** As Node refuses it, before the system is asked. A frame has room for more than any path. */
function named(path: string): string {
  if (path.includes('\0')) throw Object.assign(new Error('a NUL in a path'), { code: 'ERR_INVALID_ARG_VALUE' });
  if (Buffer.byteLength(path) > 4095) throw Object.assign(new Error(), { code: 'ENAMETOOLONG' });
  return path;
}

function systemError(result: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(result);
  return Object.assign(new Error(code), { code, errno: result });
}

function statOf(content: Buffer): FileStat {
  const mode = content.readUInt32LE(4);
  const isKind = (kind: number) => () => (mode & fs.S_IFMT) === kind;
  return {
    mode,
    uid: content.readUInt32LE(8),
    size: Number(content.readBigUInt64LE(12)),
    isFile: isKind(fs.S_IFREG),
    isDirectory: isKind(fs.S_IFDIR),
    isFIFO: isKind(fs.S_IFIFO),
    isSocket: isKind(fs.S_IFSOCK),
    isSymbolicLink: isKind(fs.S_IFLNK),
  };
}
