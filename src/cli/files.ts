/** Files that a command line names, where its caller sees them, and with the rights of its caller. */
import type { Stats } from 'node:fs';

type Kinds = 'isFile' | 'isDirectory' | 'isFIFO' | 'isSocket' | 'isSymbolicLink';
export type FileStat = Pick<Stats, 'mode' | 'uid' | 'size' | Kinds>;

/** Each throws the error of the system. Relative paths are in the directory of the caller. */
export interface Files {
  /** User of the caller; undefined where the system has none. */
  readonly uid: number | undefined;
  /** Undefined if nothing is there. */
  stat(path: string): Promise<FileStat | undefined>;
  /** The same without following a link. */
  lstat(path: string): Promise<FileStat | undefined>;
  /** @param mode of the constants of access(2) */
  access(path: string, mode: number): Promise<void>;
  readlink(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** @param flags of open(2) @param mode of a new file, which the umask of the caller lessens */
  open(path: string, flags: number, mode?: number): Promise<OpenFile>;
}

export interface OpenFile {
  stat(): Promise<FileStat>;
  /** Some bytes; none at its end. */
  read(): Promise<Uint8Array>;
  /** All of them. */
  write(bytes: Uint8Array | string): Promise<void>;
  truncate(): Promise<void>;
  chmod(mode: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** @throws RangeError beyond so many bytes; the error of the system */
export async function readToEnd(file: OpenFile, mostBytes = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let length = 0; ;) {
    const part = await file.read();
    if (part.length === 0) return Buffer.concat(parts, length);
    parts.push(part);
    length += part.length;
    if (length > mostBytes) throw new RangeError(`has more than ${mostBytes} bytes`);
  }
}
