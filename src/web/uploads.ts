/** Files that pages send, in memory until they are whole, then in a folder of their own for as long as the daemon reads them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.js';
import type { Disposable } from '../base/lifetime.js';
import { type ShareOwner, Shares } from '../base/shares.js';
import { T4aError, quote } from '../protocol/errors.js';
import { MAX_UPLOAD_BYTES } from '../page/served.js';

/** Most uploads of all pages at a time: 64 MiB. */
const MOST_UPLOADS = 4;

/** Milliseconds without a further part after which a place is free: the page has gone, or is kept from sending. */
export const PART_MS = 10_000;

export class UploadPlaces {
  readonly clock: Clock;
  readonly #places = new Shares(MOST_UPLOADS);

  constructor(clock: Clock = systemClock) {
    this.clock = clock;
  }

  /** @throws T4aError if there are too many, of all or of this owner */
  take(owner: ShareOwner): void {
    if (this.#places.lack(owner) !== undefined) {
      throw new T4aError('too_many_requests', 'Other pages are sending files: try again in a moment.');
    }
    this.#places.take(owner);
  }

  free(owner: ShareOwner): void {
    this.#places.free(owner);
  }
}

export class Upload {
  readonly name: string;
  readonly #places: UploadPlaces;
  readonly #owner: ShareOwner;
  readonly #size: number;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  #isOver = false;
  #late: Disposable | undefined;

  /** @throws T4aError if it is too large, or there is no room */
  constructor(name: unknown, size: unknown, places: UploadPlaces, owner?: ShareOwner) {
    this.name = typeof name === 'string' ? name.slice(0, 256) : 'The file';
    if (typeof size !== 'number' || !Number.isInteger(size) || size < 1) throw invalid(`${quote(this.name)} is empty.`);
    if (size > MAX_UPLOAD_BYTES) {
      throw invalid(`${quote(this.name)} has ${Math.ceil(size / 1024 / 1024)} MiB, and a page plays files up to 16.`);
    }
    places.take(owner);
    this.#places = places;
    this.#owner = owner;
    this.#size = size;
    this.#awaitPart();
  }

  #awaitPart(): void {
    this.#late?.dispose();
    this.#late = this.#places.clock.after(PART_MS, () => this.dispose());
  }

  /** @returns whether it is whole @throws T4aError for more than was said */
  add(part: unknown): boolean {
    if (this.#isOver) throw invalid(`${quote(this.name)} was sent too slowly.`);
    this.#awaitPart();
    const bytes = typeof part === 'string' ? Buffer.from(part, 'base64') : Buffer.alloc(0);
    this.#bytes += bytes.length;
    if (bytes.length === 0 || this.#bytes > this.#size)
      throw invalid(`${quote(this.name)} has changed while it was sent.`);
    this.#parts.push(bytes);
    if (this.#bytes === this.#size) this.#late?.dispose();
    return this.#bytes === this.#size;
  }

  /** Only asciicasts begin like this, also compressed. */
  get looksLikeCast(): boolean {
    const [first = Buffer.alloc(0)] = this.#parts;
    return /^\s*\{/.test(first.subarray(0, 64).toString('latin1')) || (first[0] === 0x1f && first[1] === 0x8b);
  }

  /** Uses the file, which its owner alone may read, and which is removed then. */
  async use<T>(act: (path: string) => Promise<T>): Promise<T> {
    const folder = await mkdtemp(join(tmpdir(), 't4a-web-'));
    try {
      const path = join(folder, 'dropped.cast');
      await writeFile(path, this.#parts, { mode: 0o600, flag: 'wx' });
      return await act(path);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  dispose(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#late?.dispose();
    this.#parts.length = 0;
    this.#places.free(this.#owner);
  }
}

function invalid(message: string): T4aError {
  return new T4aError('recording_invalid', message);
}
