/**
 * Reads a file of any format, in parts: it is never whole in memory. The only file of this room that does I/O. Links are
 * followed; pipes and devices are refused, for they may never end.
 */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, constants as zlib } from 'node:zlib';
import { errnoOf } from '../../base/errno.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { AsciicastReader } from './asciicast-reader.js';
import {
  checkedGrid,
  type RecordedGrid,
  invalid,
  type RecordingEvent,
  type RecordingFormat,
  type RecordingReader,
} from './recording-event.js';
import { isLedger, LedgerReader } from './ledger-reader.js';
import { isTtyrec, TtyrecReader } from './ttyrec-reader.js';
import { isTypescript, TypescriptReader } from './typescript-reader.js';

export interface ReadOptions {
  /** The timing file of a typescript. */
  readonly timing?: string | undefined;
  /** Size of the screen for formats that have none; 80x24 by default. */
  readonly grid?: Partial<RecordedGrid> | undefined;
  /** Content of a recording that is in no file: the path is then its name in errors. */
  readonly bytes?: Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bound of the content of a compressed file. */
  readonly maxInflatedBytes?: number | undefined;
}

export interface ReadingEnd {
  readonly format: RecordingFormat;
  /** The file was cut off: what was whole was read. */
  readonly complete: boolean;
  readonly repaired: number;
}

/** Ledger in the folder of a persisted terminal. */
export const LEDGER_FILE = 'raw.ptylog';

/** A file of some kilobytes may be the gzip of more than any disk holds. */
const MAX_INFLATED_BYTES = 4 * 1024 ** 3;
const MAX_TIMING_BYTES = 64 * 1024 * 1024;
const PART_BYTES = 256 * 1024;

/**
 * Its events, some at a time. The first is the start.
 * @throws T4aError recording_not_found, recording_invalid; the signal's reason
 */
export async function* readRecording(
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<readonly RecordingEvent[], ReadingEnd> {
  const opened = options.bytes === undefined ? await openSource(path) : undefined;
  const file = opened?.file;
  try {
    const source =
      file === undefined
        ? new Content(options.bytes)
        : new Source(file, options.maxInflatedBytes ?? MAX_INFLATED_BYTES);
    let reader: RecordingReader | undefined;
    for await (const bytes of source.parts()) {
      options.signal?.throwIfAborted();
      reader ??= await readerOf(bytes, path, options);
      if (opened?.isLedger === true && reader.format !== 'ledger') throw invalid(`Its ${LEDGER_FILE}`, 'is no ledger');
      yield reader.push(bytes);
    }
    if (reader === undefined) throw invalid('The file', 'is empty');
    yield reader.end();
    return { format: reader.format, complete: reader.complete && source.complete, repaired: reader.repaired };
  } catch (error) {
    throw named(path, error);
  } finally {
    await file?.close();
  }
}

/** Of the folder of a terminal that was kept it is the ledger; no link in it is followed. */
async function openSource(path: string): Promise<{ readonly file: FileHandle; readonly isLedger: boolean }> {
  const file = await openAny(path);
  const stat = await file.stat();
  if (!stat.isDirectory()) return { file: await regular(file, path), isLedger: false };
  await file.close();
  const ledger = await openAny(join(path, LEDGER_FILE), constants.O_NOFOLLOW).catch((error: unknown) => {
    if (!(error instanceof T4aError) || error.code !== 'recording_not_found') throw error;
    const what = `${quote(path)} is no file, and a folder without ${LEDGER_FILE}.`;
    throw new T4aError('recording_invalid', what, { field: 'path' });
  });
  return { file: await regular(ledger, path), isLedger: true };
}

async function openFile(path: string): Promise<FileHandle> {
  return regular(await openAny(path), path);
}

async function openAny(path: string, flags = 0): Promise<FileHandle> {
  // A pipe without a writer would be waited for.
  return open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags).catch((error: unknown) => {
    throw named(path, error);
  });
}

async function regular(file: FileHandle, path: string): Promise<FileHandle> {
  const stat = await file.stat();
  if (stat.isFile()) return file;
  await file.close();
  throw new T4aError('recording_invalid', `${quote(path)} is no file.`, { field: 'path' });
}

/** Every error of reading names the file. */
function named(path: string, error: unknown): unknown {
  if (error instanceof T4aError && error.code === 'recording_invalid' && error.details.field === undefined) {
    return new T4aError(error.code, `${quote(path)}: ${error.message}`, { ...error.details, field: 'path' });
  }
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  if (errno.startsWith('Z_')) {
    return new T4aError('recording_invalid', `${quote(path)} is broken: ${errno} while it is inflated.`, {
      field: 'path',
    });
  }
  const code = errno === 'ENOENT' ? 'recording_not_found' : 'recording_invalid';
  return new T4aError(code, `${quote(path)} cannot be read: ${errno}.`, { field: 'path' });
}

class Content {
  readonly complete = true;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array = new Uint8Array(0)) {
    this.#bytes = bytes;
  }

  *parts(): Generator<Uint8Array> {
    for (let at = 0; at < this.#bytes.length; at += PART_BYTES) yield this.#bytes.subarray(at, at + PART_BYTES);
  }
}

class Source {
  readonly #file: FileHandle;
  readonly #maxInflatedBytes: number;
  /** False if a compressed file ends before its end. */
  complete = true;

  constructor(file: FileHandle, maxInflatedBytes: number) {
    this.#file = file;
    this.#maxInflatedBytes = maxInflatedBytes;
  }

  async *parts(): AsyncGenerator<Uint8Array> {
    // What is appended from now on is not read: it might never end.
    const { size } = await this.#file.stat();
    if (size === 0) return;
    const head = await this.#file.read(Buffer.alloc(2), 0, 2, 0);
    const isCompressed = head.bytesRead === 2 && head.buffer[0] === 0x1f && head.buffer[1] === 0x8b;
    const raw = this.#file.createReadStream({ start: 0, end: size - 1, autoClose: false, highWaterMark: PART_BYTES });
    if (!isCompressed) {
      yield* raw as AsyncIterable<Uint8Array>;
      return;
    }
    // A file that was cut off gives all that it has.
    const gunzip = createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH, chunkSize: PART_BYTES });
    pipeline(raw, gunzip, () => {});
    let inflated = 0;
    for await (const part of gunzip as AsyncIterable<Uint8Array>) {
      inflated += part.length;
      if (inflated > this.#maxInflatedBytes) {
        throw invalid('The file', `inflates to more than ${this.#maxInflatedBytes} bytes`);
      }
      yield part;
    }
    this.complete = await this.#endsWith(inflated, size);
  }

  /** A gzip ends with the length of what it holds (RFC 1952). */
  async #endsWith(length: number, size: number): Promise<boolean> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return bytesRead === 4 && buffer.readUInt32LE(0) === length % 2 ** 32;
  }
}

async function readerOf(head: Uint8Array, path: string, { timing, grid }: ReadOptions): Promise<RecordingReader> {
  const size = checkedGrid(grid?.cols ?? 80, grid?.rows ?? 24, 'The recording');
  if (timing !== undefined) return new TypescriptReader(await timingBytes(timing), size);
  if (isTypescript(head)) {
    throw invalid(
      'The typescript',
      'needs its timing file',
      `script -T FILE writes one; then: t4a play ${path} --timing FILE`,
    );
  }
  if (isLedger(head)) return new LedgerReader();
  if (isTtyrec(head)) return new TtyrecReader(size);
  if (/^\s*\{/.test(Buffer.from(head.subarray(0, 64)).toString('latin1'))) return new AsciicastReader();
  throw invalid('The file', 'is no recording', 'Formats: asciicast (v1, v2, v3, also .gz), ttyrec, script(1).');
}

async function timingBytes(path: string): Promise<Buffer> {
  const file = await openFile(path);
  try {
    const { size } = await file.stat();
    if (size > MAX_TIMING_BYTES) throw invalid('The timing file', `is longer than ${MAX_TIMING_BYTES} bytes`);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
