/**
 * V8's compiled code of one program, kept in the user's cache directory: for a program that runs for some milliseconds,
 * compiling takes a third of them. Compiled code is trusted, so it is read only where no other user can have written
 * it; if anything is wrong with it or its place, the program is compiled as usual.
 *
 * V8 checks only the length of the code and of the source: a flipped bit ends the process with SIGSEGV, and code of
 * another source of the same length would run. So a file is named after the bundle: by its content at the build, and by its state on the
 * disk, since it may have been changed afterwards; a change of one byte, with the time set back, has another ctime. It holds the code
 * twice: comparing the halves takes 20 µs, loading a checksum of Node's 1.6 ms.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  readdirSync,
  rmSync,
  unlinkSync,
  type BigIntStats,
} from 'node:fs';
import { makeFolder } from '../base/make-folder.js';
import { whyUnsafe } from '../base/ownership.js';
import { writePrivateFile } from '../base/private-file.js';

/** Files of all commands and all versions of Node and t4a; the oldest are removed. Each has some 350 KB. */
const MAX_FILES = 32;
const SUFFIX = '.v8';

/** It differs whenever the content does: nobody but root, with the clock set back, can make a change of the same ctime. */
export type FileState = Pick<BigIntStats, 'size' | 'mtimeNs' | 'ctimeNs' | 'ino'>;

/** The source of the compiled code. */
export interface Source extends FileState {
  /** Hash of the content at build time. */
  readonly hash: string;
}

export class CodeCache {
  readonly #directory: string;
  readonly #file: string;

  /** @param part the part of the program that it is used for: another part may need other code */
  constructor(cacheHome: string, part: string, { hash, size, mtimeNs, ctimeNs, ino }: Source) {
    this.#directory = `${cacheHome}/t4a`;
    const { version, arch } = process;
    const state = [size, mtimeNs, ctimeNs, ino].map((one) => one.toString(36)).join('-');
    this.#file = `${this.#directory}/${part}-${version}-${arch}-${hash}-${state}${SUFFIX}`;
  }

  read(): Buffer | undefined {
    try {
      if (whyUnsafe(this.#directory, lstatSync(this.#directory)) !== undefined) return undefined;
      const file = openSync(this.#file, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const stat = fstatSync(file);
        return whyUnsafe(this.#file, stat) === undefined ? firstHalf(file, stat.size) : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  /** Atomic: other processes may read at the same time. */
  write(code: Uint8Array): void {
    try {
      makeFolder(this.#directory, 0o700);
      if (whyUnsafe(this.#directory, lstatSync(this.#directory)) !== undefined) return;
      writePrivateFile(this.#file, Buffer.concat([code, code]), { isDurable: false });
      this.#trim();
    } catch {
      // A full disk, a read-only home: a later run tries again.
    }
  }

  /** Call it if the code was read and does not work. */
  discard(): void {
    try {
      unlinkSync(this.#file);
    } catch {
      // Gone already, or on a file system that is read-only by now.
    }
  }

  #trim(): void {
    const files = readdirSync(this.#directory)
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => `${this.#directory}/${name}`)
      .map((file) => ({ file, time: lstatSync(file).mtimeMs }))
      .sort((a, b) => b.time - a.time);
    for (const { file } of files.slice(MAX_FILES)) rmSync(file, { force: true });
  }
}

/** Pieces of the second half: a new process pays for each page of memory that it touches. */
const PIECE_BYTES = 32 * 1024;

/** Undefined if the halves differ. */
function firstHalf(file: number, size: number): Buffer | undefined {
  const half = Buffer.allocUnsafeSlow(Math.ceil(size / 2));
  if (readSync(file, half) !== half.length) return undefined;
  const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, half.length));
  for (let at = 0; at < half.length; at += piece.length) {
    const same = half.subarray(at, at + piece.length);
    if (readSync(file, piece, 0, same.length, null) !== same.length) return undefined;
    if (!same.equals(piece.subarray(0, same.length))) return undefined;
  }
  return half;
}
