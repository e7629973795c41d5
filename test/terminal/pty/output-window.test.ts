import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIRST_WINDOW_BYTES, OutputWindow, WindowPool } from '../../../src/terminal/pty/output-window.js';
import { LARGEST_CHUNK_BYTES } from '../../../src/terminal/pty/output-source.js';

const KIB = 1024;
const MOST = 512 * KIB;

/** A reader that is always ahead as far as it may be, and the window as it sees it. */
class Flood {
  readonly window: OutputWindow;
  messages = 0;
  waiting = 0;
  #unacknowledged = 0;

  constructor(pool = new WindowPool(), most = MOST) {
    this.window = new OutputWindow(pool, FIRST_WINDOW_BYTES, most);
    this.read();
  }

  get isFull(): boolean {
    return this.#unacknowledged > this.window.firstBytes - LARGEST_CHUNK_BYTES;
  }

  read(chunk = LARGEST_CHUNK_BYTES): void {
    while (!this.isFull) {
      this.window.received(chunk);
      this.waiting += chunk;
      this.#unacknowledged += chunk;
    }
  }

  /** @returns whether there was something to parse */
  parse(most: number): boolean {
    const bytes = Math.min(most, this.waiting);
    this.waiting -= bytes;
    this.window.used(bytes);
    const credit = this.window.takeCredit();
    if (credit > 0) {
      this.messages++;
      this.#unacknowledged -= credit;
    }
    return bytes > 0;
  }

  /** Until as many bytes are parsed. */
  run(slice: number, total: number): void {
    for (let parsed = 0; parsed < total; parsed += slice) {
      this.parse(slice);
      this.read();
    }
  }
}

describe('the window of output', () => {
  test('opens while output is parsed fast, and then costs a message for each 112 KiB', () => {
    const flood = new Flood();
    expect(flood.window.openBytes).toBe(FIRST_WINDOW_BYTES);
    flood.run(64 * KIB, 1024 * KIB);
    expect(flood.window.openBytes).toBe(MOST);
    flood.messages = 0;
    flood.run(64 * KIB, 64 * 112 * KIB);
    expect(flood.messages).toBeLessThanOrEqual(64);
  });

  test('shuts while output is parsed slowly, down to what it began with', () => {
    const flood = new Flood();
    flood.run(64 * KIB, 1024 * KIB);
    flood.run(100, MOST);
    expect(flood.window.openBytes).toBe(FIRST_WINDOW_BYTES);
    expect(flood.waiting).toBeLessThanOrEqual(FIRST_WINDOW_BYTES);
  });

  test('stays open where small slices mean that little was printed', () => {
    const flood = new Flood();
    flood.run(64 * KIB, 1024 * KIB);
    flood.parse(MOST);
    for (let line = 0; line < 10_000; line++) {
      flood.window.received(100);
      flood.window.used(100);
      flood.window.takeCredit();
    }
    expect(flood.window.openBytes).toBe(MOST);
  });

  test('opens no further than its most, and not at all where that is its first', () => {
    for (const most of [FIRST_WINDOW_BYTES, 200 * KIB, MOST]) {
      const flood = new Flood(new WindowPool(), most);
      flood.run(64 * KIB, 4 * MOST);
      expect(flood.window.openBytes).toBe(most);
    }
  });

  test('shares what it is open with all others, and gives it back when it closes', () => {
    const pool = new WindowPool();
    const floods = Array.from({ length: 30 }, () => new Flood(pool));
    for (const flood of floods) flood.run(64 * KIB, 1024 * KIB);
    const open = floods.map(({ window }) => window.openBytes - FIRST_WINDOW_BYTES);
    expect(open.reduce((sum, bytes) => sum + bytes, 0)).toBe(4 * KIB * KIB);
    expect(open.at(-1)).toBe(0);
    floods[0]?.window.close();
    floods.at(-1)?.run(64 * KIB, 1024 * KIB);
    expect(floods.at(-1)?.window.openBytes).toBe(MOST);
  });

  test('never leaves a reader waiting, for slices of any size, and bounds what waits to be parsed', () => {
    const slices = fc.array(fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 64 * KIB })));
    fc.assert(
      fc.property(slices, fc.constantFrom(FIRST_WINDOW_BYTES, 300 * KIB, MOST), (sizes, most) => {
        const flood = new Flood(new WindowPool(), most);
        for (const size of sizes) {
          flood.parse(size);
          flood.read(4095);
          expect(flood.waiting).toBeLessThanOrEqual(most);
        }
        while (flood.parse(64 * KIB));
        expect(flood.isFull).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
