/** Gzip whose bytes so far can always be inflated: each part ends with a flush. Compression runs in Node's thread pool. */
import { once } from 'node:events';
import { constants, createGzip } from 'node:zlib';

/** Repeated escape sequences compress as well at this level as at higher ones, at half of their cost. */
const LEVEL = 3;

export class GzipParts {
  readonly #gzip = createGzip({ level: LEVEL });
  #parts: Buffer[] = [];

  constructor() {
    this.#gzip.on('data', (part: Buffer) => this.#parts.push(part));
  }

  /** @returns the bytes of the file that `text` adds */
  async add(text: string): Promise<Buffer> {
    await new Promise<void>((resolve, reject) => {
      this.#gzip.once('error', reject);
      this.#gzip.write(text);
      this.#gzip.flush(constants.Z_SYNC_FLUSH, () => {
        this.#gzip.off('error', reject);
        resolve();
      });
    });
    return this.#take();
  }

  /** @returns the last bytes of the file */
  async end(): Promise<Buffer> {
    this.#gzip.end();
    await once(this.#gzip, 'end');
    return this.#take();
  }

  #take(): Buffer {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    return bytes;
  }
}
