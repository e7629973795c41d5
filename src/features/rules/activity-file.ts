/**
 * The entries of one terminal in a file: appended in order, without holding up the terminal. What a reply has reported is in the
 * file; what the disk refuses ends the file with a warning, and the ring goes on.
 */
// Node loads `promises` when it is used first.
import { constants, promises } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import {
  changesIn,
  lineOfChange,
  lineOfCheckpoint,
  type NumberedChange,
  profileIn,
} from '../../protocol/entry-lines.js';
import { errnoOf } from '../../base/errno.js';
import { makeFolderLater } from '../../base/make-folder.js';

export const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_PENDING_BYTES = 4 * 1024 * 1024;
/** Changes between two checkpoints. */
const CHECKPOINT_CHANGES = 100;
const BLOCK_BYTES = 64 * 1024;
/** Read for one request. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export interface ActivityFileOptions {
  readonly maxBytes?: number;
  /** Of a terminal that is kept: its folder is there. The file has the profile in its checkpoints, one of which is its last line. */
  readonly prepared?: Promise<void>;
  /** It is there already, and goes on. */
  readonly before?: FileBefore;
}

/** A file of a daemon that has ended. */
export interface FileBefore {
  readonly bytes: number;
  /** Number of the last change. */
  readonly n: number;
  /** Ids of entries that may still change. */
  readonly open: readonly string[];
  readonly profile: string | undefined;
  /** Its last line is half of one. */
  readonly isTorn: boolean;
  /** It has no profile in its checkpoints. */
  readonly isPlain?: boolean;
  /** Nothing more is written to it. */
  readonly isOver?: boolean;
}

export class ActivityFile {
  readonly path: string;
  readonly #warn: (message: string) => void;
  readonly #maxBytes: number;
  readonly #open: Set<string>;
  readonly #hasProfile: boolean;
  #profile: string | undefined;
  #n = 0;
  #writing: Promise<void>;
  #handle: FileHandle | undefined;
  #pendingBytes = 0;
  #bytes = 0;
  #changes = 0;
  #failed = false;

  /** The file is its owner's alone, and new unless it says otherwise. */
  constructor(file: string, warn: (message: string) => void, options: ActivityFileOptions = {}) {
    const { maxBytes = MAX_FILE_BYTES, prepared, before } = options;
    this.path = file;
    this.#warn = warn;
    this.#maxBytes = maxBytes;
    this.#open = new Set(before?.open);
    this.#hasProfile = prepared !== undefined || (before !== undefined && before.isPlain !== true);
    this.#n = before?.n ?? 0;
    this.#profile = before?.profile;
    this.#bytes = before?.bytes ?? 0;
    this.#failed = before?.isOver === true;
    if (this.#failed) {
      this.#writing = Promise.resolve();
      return;
    }
    const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW, O_APPEND } = constants;
    const fresh = before === undefined ? O_CREAT | O_EXCL : 0;
    const folder = before === undefined ? (prepared ?? makeFolderLater(path.dirname(file), 0o700)) : Promise.resolve();
    this.#writing = folder
      .then(() => promises.open(file, fresh | O_WRONLY | O_APPEND | O_NOFOLLOW, 0o600))
      .then(
        (handle) => void (this.#handle = handle),
        (error: unknown) => this.#fail(error),
      );
    // What is torn stays as it is, in a line of its own.
    if (before?.isTorn === true) this.#put('\n');
  }

  /** Whether further changes are kept. */
  get alive(): boolean {
    return !this.#failed;
  }

  /** For the daemon that goes on with it, once all is {@link written}. */
  freeze(): FileBefore {
    return {
      bytes: this.#bytes,
      n: this.#n,
      open: [...this.#open],
      profile: this.#profile,
      isTorn: false,
      isPlain: !this.#hasProfile,
      isOver: this.#failed,
    };
  }

  append(change: NumberedChange): void {
    const { entry, n } = change;
    this.#n = n;
    if (entry.open) this.#open.add(entry.id);
    else this.#open.delete(entry.id);
    this.#put(lineOfChange(change));
    if (++this.#changes % CHECKPOINT_CHANGES === 0) this.#checkpoint();
  }

  /** Rules of this profile read the terminal from now on. */
  use(profile: string): void {
    if (!this.#hasProfile || this.#profile === profile) return;
    this.#profile = profile;
    this.#checkpoint();
  }

  /** The last output of the program was read. */
  end(): void {
    if (this.#hasProfile) this.#checkpoint();
  }

  /** Resolves once all changes so far are in the file, or never will be. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async close(): Promise<void> {
    await this.written();
    await this.#handle?.close();
    this.#handle = undefined;
  }

  #checkpoint(): void {
    this.#put(lineOfCheckpoint(this.#n, [...this.#open], this.#profile));
  }

  #put(line: string): void {
    const size = Buffer.byteLength(line);
    if (this.#failed) return;
    if (this.#bytes + size > this.#maxBytes) return this.#fail(new Error(`it has ${this.#bytes} bytes`));
    if (this.#pendingBytes + size > MAX_PENDING_BYTES) return this.#fail(new Error('the disk is too slow'));
    this.#bytes += size;
    this.#pendingBytes += size;
    this.#writing = this.#writing
      .then(() => this.#handle?.writeFile(line))
      .catch((error: unknown) => this.#stop(error))
      .finally(() => {
        this.#pendingBytes -= size;
      });
  }

  /** A line may be torn: none follows it. */
  async #stop(error: unknown): Promise<void> {
    this.#fail(error);
    const handle = this.#handle;
    this.#handle = undefined;
    try {
      await handle?.close();
    } catch {
      // The first error has been reported.
    }
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    const why = errnoOf(error) ?? (error instanceof Error ? error.message : String(error));
    this.#warn(`${JSON.stringify(this.path)} gets no further entries: ${why}. The last ones are kept in memory.`);
  }
}

export interface FileTail {
  /** In their order. */
  readonly changes: readonly NumberedChange[];
  /** Whether earlier changes after `since` were left out. */
  readonly gap: boolean;
  /** Of the last checkpoint that was read and has one. */
  readonly profile: string | undefined;
  readonly size: number;
  /** The last line has no end. */
  readonly isTorn: boolean;
}

/** Changes after `since`, read from the end of the file backwards. @param max at most as many, the newest */
export async function readTail(file: string, since: number, max: number): Promise<FileTail> {
  const handle = await promises.open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error('it is no file');
    const { size } = stat;
    let isTorn = false;
    let profile: string | undefined;
    let start = size;
    let rest: Buffer = Buffer.alloc(0);
    let changes: NumberedChange[] = [];
    const isEnough = (): boolean => changes.length > max || (changes[0]?.n ?? Infinity) <= since;
    while (start > 0 && size - start < MAX_READ_BYTES && !isEnough()) {
      const block = Buffer.alloc(Math.min(BLOCK_BYTES, start));
      start -= block.length;
      await handle.read(block, 0, block.length, start);
      const text = Buffer.concat([block, rest]);
      // The first line may begin in the block before.
      const whole = start === 0 ? 0 : text.indexOf(LINE_FEED) + 1;
      if (start + text.length === size && rest.length === 0) isTorn = text.at(-1) !== LINE_FEED;
      profile ??= profileIn(text.toString('utf8', whole));
      changes = [...changesIn(text.toString('utf8', whole)), ...changes];
      rest = text.subarray(0, whole);
    }
    const after = changes.filter(({ n }) => n > since);
    const newest = after.slice(-max);
    return { changes: newest, gap: (newest[0]?.n ?? since + 1) > since + 1, profile, size, isTorn };
  } finally {
    await handle.close();
  }
}

const LINE_FEED = 0x0a;
