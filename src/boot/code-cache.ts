/**
 * V8's compiled code of one program, kept in the user's cache directory: for a program that runs for some milliseconds,
 * compiling takes a third of them. Compiled code is believed, so it is read only where nobody else can have put it;
 * whatever is wrong with it or with its place, the program is compiled as ever.
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
  writeFileSync,
  type Stats,
} from 'node:fs';

/** Of other commands, and of other versions of Node and t4a; the oldest go. Each has some 150 KB. */
const MAX_FILES = 32;
const SUFFIX = '.v8';
const GROUP_AND_OTHERS_WRITE = 0o022;

export class CodeCache {
  readonly #directory: string;
  readonly #file: string;

  /**
   * @param part what it is used for: another part may need other code
   * @param program what the code is compiled from: the source's size and time stand for its content
   */
  constructor(cacheHome: string, part: string, { size, mtimeMs }: Pick<Stats, 'size' | 'mtimeMs'>) {
    this.#directory = `${cacheHome}/t4a`;
    const { version, arch } = process;
    this.#file = `${this.#directory}/${part}-${version}-${arch}-${size}-${Math.round(mtimeMs)}${SUFFIX}`;
  }

  read(): Buffer | undefined {
    try {
      if (!isOurs(lstatSync(this.#directory))) return undefined;
      const file = openSync(this.#file, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        return isOurs(fstatSync(file)) ? readFileSync(file) : undefined;
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
      writeFileSync(draft, code, { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#file);
      this.#trim();
    } catch {
      // A full disk, a read-only home: next time is another time.
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

function isOurs({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & GROUP_AND_OTHERS_WRITE) === 0;
}
