/**
 * Screens in one loop against screens in worker threads: what parsing gains from a second core, and what reading loses when
 * a snapshot has to be copied between threads. The product has one loop; docs/ARCHITECTURE.md says why, with these figures.
 */
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { rowText } from '../src/vt/rows/row-text.js';
import { Screen } from '../src/vt/screen.js';
import type { Snapshot } from '../src/vt/snapshot.js';
import { median, percentile, type BenchContext, type Figure } from './support/figure.js';

const SCREENS = 8;
const SHARDS = 2;
const OUTPUT_BYTES = 6_000_000;
const ROUNDS = 5;
const READS = 300;
const PIECE_BYTES = 32 * 1024;
const SETTLE_MS = 60_000;

type Request =
  | { readonly kind: 'flood'; readonly screens: readonly number[] }
  | { readonly kind: 'text' | 'snapshot'; readonly screen: number };

interface Reads {
  readonly textMs: number[];
  readonly snapshotMs: number[];
}

export async function bench(_context: BenchContext): Promise<Figure[]> {
  const bare = process.memoryUsage.rss();
  const shards = Array.from({ length: SHARDS }, () => new Shard());
  for (const shard of shards) await shard.ask({ kind: 'flood', screens: [] });
  const shardBytes = (process.memoryUsage.rss() - bare) / SHARDS;
  const house = new House();
  const all = Array.from({ length: SCREENS }, (_, index) => index);
  const ratios: number[] = [];
  await Promise.all([
    house.flood(all),
    ...shards.map((shard, at) => shard.ask({ kind: 'flood', screens: share(all, at) })),
  ]);
  for (let round = 0; round < ROUNDS; round++) {
    const together = await timed(() => house.flood(all));
    const apart = await timed(() =>
      Promise.all(shards.map((shard, at) => shard.ask({ kind: 'flood', screens: share(all, at) }))),
    );
    ratios.push(together / apart);
  }
  const readHere = (): Promise<Reads> =>
    reads(
      // A request comes with a turn of the loop.
      () => nextTurn().then(() => house.text(0)),
      () => nextTurn().then(() => house.snapshot(0)),
    );
  const local = await readHere();
  const [first] = shards;
  if (first === undefined) throw new Error('no shard');
  const remote = (): Promise<Reads> =>
    reads(
      () => first.ask({ kind: 'text', screen: 0 }),
      () => first.ask({ kind: 'snapshot', screen: 0 }),
    );
  const idle = await remote();
  for (const shard of shards) await shard.end();
  const micro = (name: string, { textMs, snapshotMs }: Reads): Figure[] => [
    { name: `text, ${name}, median`, value: median(textMs) * 1000, unit: ' µs', note: worst(textMs) },
    {
      name: `snapshot for a picture, ${name}, median`,
      value: median(snapshotMs) * 1000,
      unit: ' µs',
      note: worst(snapshotMs),
    },
  ];
  return [
    {
      name: `${SCREENS} floods in one loop, times ${SHARDS} shards`,
      value: median(ratios),
      note: ratios.map((ratio) => ratio.toFixed(2)).join(', '),
    },
    { name: 'memory of a shard without terminals', value: shardBytes / 1e6, unit: ' MB' },
    ...micro('in the same loop', local),
    ...micro('out of a shard', idle),
  ];
}

/** The screens of one thread. */
class House {
  readonly #screens = new Map<number, Screen>();
  readonly #output = pieces(coloredLog());

  async flood(numbers: readonly number[]): Promise<void> {
    await Promise.all(
      numbers.map(async (number) => {
        const screen = this.#screen(number);
        // As much at once as a terminal may have read ahead.
        for (let at = 0; at < this.#output.length; at += 4) {
          for (const piece of this.#output.slice(at, at + 4)) screen.write(piece);
          await screen.settle(SETTLE_MS);
        }
      }),
    );
  }

  async text(number: number): Promise<string[]> {
    return (await this.snapshot(number)).lines.map((row) => rowText(row));
  }

  async snapshot(number: number): Promise<Snapshot> {
    const screen = this.#screen(number);
    await screen.settle(SETTLE_MS);
    return screen.snapshot();
  }

  #screen(number: number): Screen {
    const known = this.#screens.get(number);
    if (known !== undefined) return known;
    const colors = {
      foreground: 0xffffff,
      background: 0,
      cursor: 0xffffff,
      palette: Array.from({ length: 256 }, () => 0),
    };
    const screen = new Screen({ cols: 80, rows: 24, scrollback: 10_000, colors, version: '0.0.0' });
    this.#screens.set(number, screen);
    return screen;
  }
}

class Shard {
  readonly #thread = new Worker(fileURLToPath(import.meta.url));
  readonly #waiting = new Map<number, (answer: unknown) => void>();
  #asked = 0;

  constructor() {
    this.#thread.on('message', ({ number, answer }: { number: number; answer: unknown }) => {
      this.#waiting.get(number)?.(answer);
      this.#waiting.delete(number);
    });
  }

  ask(request: Request): Promise<unknown> {
    const number = this.#asked++;
    return new Promise((resolve) => {
      this.#waiting.set(number, resolve);
      this.#thread.postMessage({ number, request });
    });
  }

  async end(): Promise<void> {
    const exit = once(this.#thread, 'exit');
    await this.#thread.terminate();
    await exit;
  }
}

function serveShard(): void {
  const house = new House();
  parentPort?.on('message', ({ number, request }: { number: number; request: Request }) => {
    const { kind } = request;
    const answer = kind === 'flood' ? house.flood(request.screens) : house[kind](request.screen);
    void Promise.resolve<unknown>(answer).then((value) => parentPort?.postMessage({ number, answer: value }));
  });
}

async function reads(text: () => Promise<unknown>, snapshot: () => Promise<unknown>): Promise<Reads> {
  const textMs: number[] = [];
  const snapshotMs: number[] = [];
  for (let i = 0; i < READS; i++) {
    textMs.push(await timed(text));
    snapshotMs.push(await timed(snapshot));
  }
  return { textMs, snapshotMs };
}

function share(all: readonly number[], shard: number): number[] {
  return all.filter((number) => number % SHARDS === shard);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function worst(latencies: readonly number[]): string {
  return `p99 ${(percentile(latencies, 99) * 1000).toFixed(0)} µs`;
}

function coloredLog(): Uint8Array {
  const lines: string[] = [];
  for (let bytes = 0, i = 0; bytes < OUTPUT_BYTES / SCREENS; i++) {
    const line = `\x1b[90m00:00:${i % 60}\x1b[0m \x1b[32mINFO\x1b[0m \x1b[36mworker-${i % 17}\x1b[0m request ${i} took \x1b[1m${(i * 7919) % 1000}\x1b[0m ms\r\n`;
    lines.push(line);
    bytes += line.length;
  }
  return Buffer.from(lines.join(''));
}

function pieces(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, i) =>
    bytes.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES),
  );
}

// The same file is the shard's program; its classes are there only at the end of it.
if (!isMainThread) serveShard();
