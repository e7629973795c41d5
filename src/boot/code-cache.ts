/**
 * V8's compiled code of one program, kept in the user's cache directory: for a program that runs for some milliseconds,
 * compiling takes a third of them. Compiled code is believed, so it is read only where nobody else can have put it;
 * whatever is wrong with it or with its place, the program is compiled as ever.
 *
 * V8 checks the code's length, and the source's, and no more: a flipped bit ends the process with SIGSEGV, and another
 * source of the same length runs as that other. So a file is named after the bundle's content, and holds the code twice:
 * comparing the halves takes 20 µs, loading a checksum of Node's 1.6 ms.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs';

/** Of other commands, and of other versions of Node and t4a; the oldest go. Each has some 350 KB. */
const MAX_FILES = 32;
const SUFFIX = '.v8';
const GROUP_AND_OTHERS_WRITE = 0o022;

/** What the code is compiled from. */
export interface Source extends Pick<Stats, 'size' | 'mtimeMs'> {
  /** Of its content, as it was built. Size and time are for a bundle that was changed afterwards. */
  readonly hash: string;
}

export class CodeCache {
  readonly #directory: string;
  readonly #file: string;

  /** @param part what it is used for: another part may need other code */
  constructor(cacheHome: string, part: string, { hash, size, mtimeMs }: Source) {
    this.#directory = `${cacheHome}/t4a`;
    const { version, arch } = process;
    this.#file = `${this.#directory}/${part}-${version}-${arch}-${hash}-${size}-${Math.round(mtimeMs)}${SUFFIX}`;
  }

  read(): Buffer | undefined {
    try {
      if (!isOurs(lstatSync(this.#directory))) return undefined;
      const file = openSync(this.#file, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        return isOurs(fstatSync(file)) ? once(readFileSync(file)) : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  /** Whole or not at all: others may read meanwhile. */
  write(code: Uint8Array): void {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      if (!isOurs(lstatSync(this.#directory))) return;
      const draft = `${this.#file}.${process.pid}`;
      writeFileSync(draft, Buffer.concat([code, code]), { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#file);
      this.#trim();
    } catch {
      // A full disk, a read-only home: next time is another time.
    }
  }

  /** It was read, and does not work. */
  discard(): void {
    try {
      unlinkSync(this.#file);
    } catch {
      // Gone already, or a file system that is read-only by now.
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

/** Undefined where the halves differ. */
function once(twice: Buffer): Buffer | undefined {
  const half = twice.subarray(0, twice.length / 2);
  return half.equals(twice.subarray(half.length)) ? half : undefined;
}

function isOurs({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & GROUP_AND_OTHERS_WRITE) === 0;
}
