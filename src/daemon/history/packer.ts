/** Packs pieces on the thread pool, one after another. One compressor for all: setting one up takes as long as packing 100 KB. */
import type * as Zlib from 'node:zlib';

const OUTPUT_BYTES = 64 * 1024;

export class Packer {
  #deflate: Zlib.DeflateRaw | undefined;
  #parts: Buffer[] = [];

  /** For one piece at a time. @returns bytes for {@link unpack}; undefined if it cannot be packed */
  async pack(piece: Uint8Array): Promise<Uint8Array | undefined> {
    const deflate = (this.#deflate ??= this.#create());
    const isDone = await new Promise<boolean>((resolve) => {
      deflate.write(piece, (error) => resolve(error === null || error === undefined));
    });
    const packed = Buffer.concat(this.#parts);
    this.#parts = [];
    if (isDone) return packed.length < packed.buffer.byteLength ? new Uint8Array(packed) : packed;
    this.#deflate = undefined;
    return undefined;
  }

  #create(): Zlib.DeflateRaw {
    const { constants, createDeflateRaw } = zlib();
    // A full flush after each: no piece refers to one before it. By a flush of its own it would take two trips to the pool.
    const options = { level: constants.Z_BEST_SPEED, flush: constants.Z_FULL_FLUSH, chunkSize: OUTPUT_BYTES };
    const deflate = createDeflateRaw(options);
    // The writer gets an error, too.
    deflate.on('error', () => undefined);
    return deflate.on('data', (part: Buffer) => this.#parts.push(part));
  }
}

export function unpack(bytes: Uint8Array): Uint8Array {
  const { constants, inflateRawSync } = zlib();
  return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
}

/** Loaded by the first piece: the daemon listens a millisecond earlier. */
function zlib(): typeof Zlib {
  return process.getBuiltinModule('node:zlib');
}
