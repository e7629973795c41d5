/**
 * A file that grows by whole lines, beside the event loop: callers append to a queue with a bound, and neither wait nor
 * fail. The file is new and its owner's alone; no link is followed. After an error it ends with what was written whole.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { GzipParts } from './gzip-parts.js';

export interface RecordingFileOptions {
  /** Ends with .gz if the file is to be compressed. */
  readonly path: string;
  readonly maxPendingBytes: number;
  readonly maxBytes: number;
  /** Bytes that must stay free on the disk. */
  readonly minFreeBytes: number;
  /** The queue is empty again. */
  readonly onDrained: () => void;
  /** The folder is ready. */
  readonly prepared?: Promise<void>;
}

/** What `kill -9` loses of a compressed recording; a flush costs some bytes. */
const FLUSH_MS = 250;

/** Of the bound: the rest is for what comes before the next part begins. */
const PART_SHARE = 15 / 16;

/** Between two looks at the free space of the disk. */
const CHECK_BYTES = 16 * 1024 * 1024;

export class RecordingFile {
  /** Resolves once the file exists. Rejects with the system's error. */
  readonly opened: Promise<void>;
  /** Resolves with the error that ended it, if any, once the file is closed. */
  readonly closed: Promise<Error | undefined>;
  readonly #options: RecordingFileOptions;
  readonly #gzip: GzipParts | undefined;
  #queue: string[] = [];
  #pendingBytes = 0;
  #bytes = 0;
  #checkedAt = 0;
  #finishing = false;
  #ended = false;
  #wake: () => void = () => {};

  constructor(options: RecordingFileOptions) {
    this.#options = options;
    this.#gzip = options.path.endsWith('.gz') ? new GzipParts() : undefined;
    const handle = this.#open();
    this.opened = handle.then(() => {});
    this.closed = handle.then(
      (file) => this.#run(file),
      (error: unknown) => asError(error),
    );
    this.opened.catch(() => {});
  }

  /** Written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Near the bound on its length, and so near that what is queued may not fit; compressed it takes less. */
  get isNearlyLong(): boolean {
    return this.#bytes + this.#pendingBytes > this.#options.maxBytes * PART_SHARE;
  }

  get isFull(): boolean {
    return this.#pendingBytes > this.#options.maxPendingBytes;
  }

  /** Beyond {@link isFull} it is the caller's part to append no more. */
  append(line: string): void {
    if (this.#ended) return;
    this.#queue.push(line);
    this.#pendingBytes += line.length;
    this.#wake();
  }

  /** Resolves once everything is on the disk, or the error of {@link closed} has come. */
  async finish(): Promise<void> {
    this.#finishing = true;
    this.#wake();
    await this.closed;
  }

  async #open(): Promise<FileHandle> {
    const { path, prepared } = this.#options;
    await prepared;
    await this.#assertFree();
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  }

  async #run(file: FileHandle): Promise<Error | undefined> {
    try {
      while (!this.#finishing || this.#queue.length > 0) {
        if (this.#queue.length === 0) await this.#awaken();
        if (this.#gzip !== undefined && !this.#finishing && !this.isFull) await this.#awaken(FLUSH_MS);
        await this.#writeQueue(file);
      }
      if (this.#gzip !== undefined) await this.#write(file, await this.#gzip.end());
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

  async #writeQueue(file: FileHandle): Promise<void> {
    if (this.#queue.length === 0) return;
    const text = this.#queue.join('');
    this.#queue = [];
    await this.#write(file, this.#gzip === undefined ? Buffer.from(text, 'utf8') : await this.#gzip.add(text));
    this.#pendingBytes -= text.length;
    if (this.#queue.length === 0) this.#options.onDrained();
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

  /** Resolves when there is something to do, at the latest after `ms`; with `ms` only for the end or a full queue. */
  #awaken(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => awake(), ms);
      const awake = (): void => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve();
      };
      this.#wake = () => {
        if (ms === undefined || this.#finishing || this.isFull) awake();
      };
      if (this.#finishing) awake();
    });
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
