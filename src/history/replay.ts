/** A screen of the past that goes forward through the log. Applying a slice is a step; between steps other work may run. */
import type { Disposable } from '../base/lifetime.js';
import { PastScreen } from '../vt/past-screen.js';
import type { Place } from './find-place.js';
import type { LogChunk, Unpack } from './log-chunk.js';

export class Replay implements Disposable {
  readonly screen: PastScreen;
  readonly #unpack: Unpack;
  #chunk: LogChunk;
  #end = 0;

  /**
   * @param scrollback lines kept above the viewport, of those that the replay pushes there
   * @param start of the chunk, if it is at hand
   */
  constructor(chunk: LogChunk, scrollback: number, unpack: Unpack, start = chunk.screenStart(unpack)) {
    this.screen = new PastScreen(start, scrollback);
    this.#chunk = chunk;
    this.#unpack = unpack;
  }

  /** Whether it shows this place, or one before it in the same chunk. */
  reaches({ chunk, end }: Place): boolean {
    return this.#chunk === chunk && this.#end <= end;
  }

  isAt({ chunk, end }: Place): boolean {
    return this.#chunk === chunk && this.#end === end;
  }

  /** @param chunks from its own to that of the place; each continues the one before */
  *to({ chunk: last, end }: Place, chunks: readonly LogChunk[] = [last]): Generator<void, void, void> {
    for (const chunk of chunks) {
      if (chunk !== this.#chunk) this.enter(chunk);
      for (const entry of chunk.entries(this.#unpack)) {
        if (entry.end <= this.#end) continue;
        if (chunk === last && entry.end > end) break;
        if (entry.kind !== 'output') continue;
        this.step(entry);
        yield;
      }
    }
  }

  /** Goes on with a chunk that begins with what the screen shows. */
  enter(chunk: LogChunk): void {
    this.#chunk = chunk;
    this.#end = 0;
  }

  /** The next output of its chunk. */
  step({ bytes, end }: { readonly bytes: Uint8Array; readonly end: number }): void {
    this.screen.apply(bytes);
    this.#end = end;
  }

  dispose(): void {
    this.screen.dispose();
  }
}
