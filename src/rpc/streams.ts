/**
 * The streams of one connection, one line of each in turn: a busy stream does not keep the others waiting. Either one
 * stream alone, which has no `req`, or any number of shared ones, whose lines carry their `req`.
 */
import type { Disposable } from '../base/lifetime.js';
import type { RequestId } from '../protocol/request.js';
import { streamLine } from './encoded-lines.js';
import type { LineSource } from './service.js';

interface OpenStream {
  readonly source: LineSource;
  readonly reading: Disposable;
}

export class Streams {
  readonly #open = new Map<RequestId | undefined, OpenStream>();
  readonly #onReadable: () => void;

  /** @param onReadable called when {@link Streams.next} may have a line again */
  constructor(onReadable: () => void) {
    this.#onReadable = onReadable;
  }

  get size(): number {
    return this.#open.size;
  }

  has(req: RequestId | undefined): boolean {
    return this.#open.has(req);
  }

  /** Owns `source` from here on. */
  add(source: LineSource, req: RequestId | undefined): void {
    this.#open.set(req, { source, reading: source.onReadable(this.#onReadable) });
  }

  /** The next line of the stream whose turn it is, or undefined if none has one. */
  next(): Uint8Array | undefined {
    for (const [req, stream] of this.#open) {
      const line = stream.source.next();
      if (line === undefined) continue;
      // Last in the order from now on.
      this.#open.delete(req);
      this.#open.set(req, stream);
      return streamLine(line, req);
    }
    return undefined;
  }

  /** @returns whether there was such a stream */
  end(req: RequestId | undefined): boolean {
    const stream = this.#open.get(req);
    this.#open.delete(req);
    stream?.reading.dispose();
    stream?.source.dispose();
    return stream !== undefined;
  }

  endAll(): void {
    for (const req of this.#open.keys()) this.end(req);
  }
}
