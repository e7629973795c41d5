/**
 * A file that grows by whole lines: callers append to a queue, and neither wait nor fail; its bound is theirs. The file is new and
 * its owner's alone; no link is followed. After an error it ends with what was written whole.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { GzipParts } from './gzip-parts.js';

export interface RecordingFileOptions {
  /** Ends with .gz if the file is to be compressed. */
  readonly path: string;
  readonly maxBytes: number;
  /** Bytes that must stay free on the disk. */
  readonly minFreeBytes: number;
  /** Of a file that is there already, and goes on at its end. */
  readonly inode?: number | undefined;
  /** Lines of this weight are in the file, which has this size. */
  readonly onWritten: (weight: number, size: number) => void;
}

/** What `kill -9` loses of a compressed recording; a flush costs some bytes. */
const FLUSH_MS = 250;

/** So much of lines is compressed and written at once, without waiting for more: a flood must not reach the bound of the queue meanwhile. */
const PIECE_LENGTH = 256 * 1024;

/** Between two looks at the free space of the disk. */
const CHECK_BYTES = 16 * 1024 * 1024;

/** A line to come: it is made once it is written, since it may take several times the memory of what it is made of. */
interface Entry {
  readonly line: () => string | Uint8Array;
  /** What it counts for its caller: bytes of memory until it is written. */
  readonly weight: number;
}

export class RecordingFile {
  /** Resolves once the file exists, to its inode. Rejects with the system's error. */
  readonly opened: Promise<number>;
  /** Resolves with the error that ended it, if any, once the file is closed. */
  readonly closed: Promise<Error | undefined>;
  readonly #options: RecordingFileOptions;
  #gzip: GzipParts | undefined;
  #queue: Entry[] = [];
  #queuedWeight = 0;
  #bytes = 0;
  #checkedAt = 0;
  #finishing = false;
  /** Called once the queue is empty. */
  #settling: (() => void)[] = [];
  #ended = false;
  #wake: () => void = () => {};

  constructor(options: RecordingFileOptions) {
    this.#options = options;
    this.#gzip = options.path.endsWith('.gz') ? new GzipParts() : undefined;
    const handle = this.#open();
    this.opened = handle.then(async (file) => (await file.stat()).ino);
    this.closed = handle.then(
      (file) => this.#run(file),
      (error: unknown) => asError(error),
    );
    this.opened.catch(() => {});
  }

  /** @param line called once, in the order of the calls */
  append(line: () => string | Uint8Array, weight: number): void {
    if (this.#ended) return;
    this.#queue.push({ line, weight });
    this.#queuedWeight += weight;
    this.#wake();
  }

  /** Resolves once what has come is in the file, or never will be: another process may go on at its end, and so may this one. */
  async settle(): Promise<void> {
    const settled = new Promise<void>((resolve) => this.#settling.push(resolve));
    this.#wake();
    await Promise.race([settled, this.closed]);
  }

  /** Resolves once everything is on the disk, or the error of {@link closed} has come. */
  async finish(): Promise<void> {
    this.#finishing = true;
    this.#wake();
    await this.closed;
  }

  async #open(): Promise<FileHandle> {
    const { path, inode } = this.#options;
    await this.#assertFree();
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    if (inode === undefined) return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    const file = await open(path, O_WRONLY | O_NOFOLLOW);
    const { ino, size } = await file.stat();
    if (ino !== inode) {
      await file.close();
      throw new Error('another file has its name');
    }
    this.#bytes = size;
    return file;
  }

  async #run(file: FileHandle): Promise<Error | undefined> {
    try {
      while (!this.#finishing || this.#queue.length > 0) {
        if (this.#queue.length === 0 && this.#settling.length === 0) await this.#awaken();
        // The first one is in the file at once: an empty file is no recording.
        const isDue = this.#isUrgent || this.#hasPiece || this.#bytes === 0;
        if (this.#gzip !== undefined && !isDue) await this.#awaken(FLUSH_MS);
        await this.#writePiece(file);
        if (this.#settling.length > 0 && this.#queue.length === 0) await this.#settle(file);
      }
      if (this.#gzip !== undefined) await this.#write(file, await this.#gzip.end());
      this.#options.onWritten(0, this.#bytes);
      await file.sync();
      return undefined;
    } catch (error) {
      // Without the part of a chunk that had room. The disk may refuse this as well.
      await file.truncate(this.#bytes).catch(() => {});
      return asError(error);
    } finally {
      this.#ended = true;
      this.#queue = [];
      await file.close().catch(() => {});
    }
  }

  get #isUrgent(): boolean {
    return this.#finishing || this.#settling.length > 0;
  }

  /** A file of gzip is as many as one likes, one behind the other. */
  async #settle(file: FileHandle): Promise<void> {
    if (this.#gzip !== undefined) {
      await this.#write(file, await this.#gzip.end());
      this.#gzip = new GzipParts();
    }
    for (const resolve of this.#settling.splice(0)) resolve();
  }

  get #hasPiece(): boolean {
    return this.#queuedWeight >= PIECE_LENGTH;
  }

  async #writePiece(file: FileHandle): Promise<void> {
    if (this.#queue.length === 0) return;
    const { lines, weight } = this.#takePiece();
    await this.#write(file, this.#gzip === undefined ? joined(lines) : await this.#gzip.add(lines.join('')));
    this.#options.onWritten(weight, this.#bytes);
  }

  /** Whole lines, the last of which completes the length of a piece. */
  #takePiece(): { lines: readonly (string | Uint8Array)[]; weight: number } {
    const lines: (string | Uint8Array)[] = [];
    let length = 0;
    let weight = 0;
    for (const entry of this.#queue) {
      if (length >= PIECE_LENGTH) break;
      const line = entry.line();
      lines.push(line);
      length += line.length;
      weight += entry.weight;
    }
    this.#queue.splice(0, lines.length);
    this.#queuedWeight -= weight;
    return { lines, weight };
  }

  async #write(file: FileHandle, bytes: Buffer): Promise<void> {
    if (this.#bytes + bytes.length > this.#options.maxBytes) {
      throw new Error(`it would be longer than ${this.#options.maxBytes} bytes`);
    }
    if (this.#bytes - this.#checkedAt >= CHECK_BYTES) await this.#assertFree();
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, written, bytes.length - written, this.#bytes + written);
      written += bytesWritten;
    }
    this.#bytes += bytes.length;
  }

  async #assertFree(): Promise<void> {
    this.#checkedAt = this.#bytes;
    const { bavail, bsize } = await statfs(dirname(this.#options.path));
    if (bavail * bsize >= this.#options.minFreeBytes) return;
    throw new Error(`the disk has less than ${this.#options.minFreeBytes} bytes left`);
  }

  /** Resolves when there is something to do, at the latest after `ms`; with `ms` only for the end or a whole piece. */
  #awaken(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => awake(), ms);
      const awake = (): void => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
      this.#wake = () => {
        if (ms === undefined || this.#isUrgent || this.#hasPiece) awake();
      };
      if (this.#isUrgent) awake();
    });
  }
}

/** Of one file all are texts, or all are bytes. */
function joined(lines: readonly (string | Uint8Array)[]): Buffer {
  const [first] = lines;
  return typeof first === 'string' ? Buffer.from(lines.join(''), 'utf8') : Buffer.concat(lines as Uint8Array[]);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
