import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BurstBuffers, LentBuffers } from '../../../src/terminal/pty/burst-buffers.js';
import type { OutputSource } from '../../../src/terminal/pty/output-source.js';
import { PtyReader } from '../../../src/terminal/pty/reader.js';
import { runsOf } from '../../support/trial.js';

const KIB = 1024;
const WINDOW = 128 * KIB;

/** Plays the kernel: hands out its bytes in reads of given sizes, by chunk while it flows and by `read` in between. */
class ScriptedSource implements OutputSource {
  readonly #bytes: Uint8Array;
  readonly #sizes: number[];
  #position = 0;
  #onChunk: (chunk: Uint8Array) => void = () => {};
  readonly #chunk = new Uint8Array(1024 * KIB);
  isPaused = false;
  isClosed = false;

  constructor(bytes: Uint8Array, sizes: readonly number[]) {
    this.#bytes = bytes;
    this.#sizes = [...sizes];
  }

  get isEmpty(): boolean {
    return this.#position === this.#bytes.length;
  }

  start(onChunk: (chunk: Uint8Array) => void): void {
    this.#onChunk = onChunk;
  }

  /** One turn of the event loop. What a chunk came in is written over afterwards, as it will be by the next one. */
  turn(): void {
    if (this.isPaused) return;
    const chunk = this.#take(Infinity);
    if (chunk === undefined) return;
    this.#chunk.set(chunk);
    this.#onChunk(this.#chunk.subarray(0, chunk.length));
    this.#chunk.fill(0xee, 0, chunk.length);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  read(into: Uint8Array): number {
    const bytes = this.#take(into.length);
    if (bytes === undefined) return 0;
    into.set(bytes);
    return bytes.length;
  }

  close(): void {
    this.isClosed = true;
  }

  #take(most: number): Uint8Array | undefined {
    const size = Math.min(this.#sizes.shift() ?? 64 * KIB, most, this.#bytes.length - this.#position);
    if (size === 0) return undefined;
    return this.#bytes.subarray(this.#position, (this.#position += size));
  }
}

/** Two bytes of position every two bytes: a piece that is missing, twice there or moved shows. */
function numbered(length: number): Uint8Array {
  return new Uint8Array(Uint16Array.from({ length: Math.ceil(length / 2) }, (_, i) => i).buffer).slice(0, length);
}

/** Small and large ones, and those beside the sizes that mean something to the reader. */
const readSize = fc.oneof(
  fc.integer({ min: 1, max: 64 * KIB }),
  fc
    .tuple(fc.constantFrom(1, 2048, 4095, 30 * KIB, 32 * KIB, 62_911, 64 * KIB), fc.integer({ min: -1, max: 1 }))
    .map(([size, off]) => Math.min(Math.max(1, size + off), 64 * KIB)),
);

describe('a reader', () => {
  it('delivers every byte once and in order, in chunks of any size', () => {
    fc.assert(
      fc.property(
        fc.array(readSize, { maxLength: 40 }),
        fc.integer({ min: 0, max: 400 * KIB }),
        fc.infiniteStream(fc.boolean()),
        (sizes, length, acknowledges) => {
          const bytes = numbered(length);
          const source = new ScriptedSource(bytes, sizes);
          const buffers = new BurstBuffers();
          const lent = new LentBuffers();
          const unused: Uint8Array[] = [];
          const delivered: Uint8Array[] = [];
          let unacknowledged = 0;
          let most = 0;
          /** Looks at the bytes only now, as late as a screen may; then the memory is the reader's again. */
          const use = (): void => {
            for (const chunk of unused.splice(0)) delivered.push(chunk.slice());
            for (const buffer of lent.used(unacknowledged)) {
              new Uint8Array(buffer).fill(0xdd);
              buffers.giveBack(buffer);
            }
          };
          const reader = new PtyReader(source, WINDOW, buffers, {
            deliver: (chunk) => {
              lent.received(chunk);
              unused.push(chunk);
              unacknowledged += chunk.length;
              most = Math.max(most, unacknowledged);
            },
            failed: (error) => {
              throw error;
            },
          });
          reader.start();
          for (let turn = 0; turn < 200 && !source.isEmpty; turn++) {
            source.turn();
            if (acknowledges.next().value !== true) continue;
            use();
            reader.acknowledge(unacknowledged);
            unacknowledged = 0;
          }
          expect(most).toBeLessThanOrEqual(WINDOW);
          reader.finish();
          use();
          expect(source.isClosed).toBe(true);
          expect(Buffer.concat(delivered).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: runsOf({ suite: 90, trial: 500 }) },
    );
  });

  it('catches up with earlier output, as far as the window has room', () => {
    const bytes = numbered(300 * KIB);
    const source = new ScriptedSource(bytes, [100, 5 * KIB, 20 * KIB]);
    const delivered: Uint8Array[] = [];
    const reader = new PtyReader(source, WINDOW, new BurstBuffers(), {
      deliver: (chunk) => delivered.push(chunk.slice()),
      failed: () => expect.fail(),
    });
    const length = (): number => Buffer.concat(delivered).length;
    reader.start();
    reader.catchUp();
    // Of a flood no more than the kernel can have held.
    expect(length()).toBeGreaterThanOrEqual(64 * KIB);
    expect(length()).toBeLessThanOrEqual(WINDOW);
    const first = length();
    reader.catchUp();
    expect(length()).toBe(first);
    reader.acknowledge(first);
    reader.catchUp();
    expect(length()).toBeGreaterThan(first);
    reader.finish();
    expect(Buffer.concat(delivered).equals(bytes)).toBe(true);
    reader.catchUp();
    expect(length()).toBe(bytes.length);
  });

  it('that is held before it starts begins to read only once it is resumed', () => {
    const bytes = numbered(16);
    const source = new ScriptedSource(bytes, [16]);
    const begun = vi.spyOn(source, 'start');
    const delivered: Uint8Array[] = [];
    const reader = new PtyReader(source, WINDOW, new BurstBuffers(), {
      deliver: (chunk) => delivered.push(chunk),
      failed: () => expect.fail(),
    });
    reader.hold();
    reader.start();
    reader.catchUp();
    expect([begun.mock.calls.length, delivered.length]).toEqual([0, 0]);
    reader.resume();
    source.turn();
    reader.resume();
    expect([begun.mock.calls.length, Buffer.concat(delivered).equals(bytes)]).toEqual([1, true]);
  });

  it('delivers a chunk that is larger than any known buffer', () => {
    const bytes = numbered(1024 * KIB);
    const source = new ScriptedSource(bytes, [1024 * KIB]);
    const delivered: Uint8Array[] = [];
    const reader = new PtyReader(source, WINDOW, new BurstBuffers(), {
      deliver: (chunk) => delivered.push(chunk),
      failed: () => expect.fail(),
    });
    reader.start();
    source.turn();
    expect(Buffer.concat(delivered).equals(bytes)).toBe(true);
    expect(source.isPaused).toBe(true);
    reader.acknowledge(1024 * KIB);
    expect(source.isPaused).toBe(false);
  });

  it('with a failing receiver reports that once, stops, and still closes the descriptor', () => {
    const source = new ScriptedSource(numbered(64 * KIB), [16, 16, 16]);
    const failures: unknown[] = [];
    let deliveries = 0;
    const reader = new PtyReader(source, WINDOW, new BurstBuffers(), {
      deliver: () => {
        deliveries++;
        throw new Error('a defect');
      },
      failed: (error) => failures.push(error),
    });
    reader.start();
    source.turn();
    expect(source.isPaused).toBe(true);
    reader.acknowledge(16);
    expect(source.isPaused).toBe(true);
    reader.finish();
    expect(deliveries).toBe(1);
    expect(failures).toEqual([new Error('a defect')]);
    expect(source.isClosed).toBe(true);
  });
});
