/**
 * Cached text of the scrollback that was searched or read ahead: those lines do not change, and reading them out of the
 * grid costs more than searching them. It takes about a byte for each character, and lasts as long as the lines.
 */
import type { ReadableScreen } from './readable-screen.js';
import type { LineBlock } from './line-block.js';

interface CachedBlock {
  readonly block: LineBlock;
  /** Number after the block's last row. */
  readonly end: number;
  /** Revision of the screen at the time of reading. */
  readonly rev: number;
}

const caches = new WeakMap<ReadableScreen, BlockCache>();

/** The cache of a screen, trimmed to the lines that the scrollback still has. */
export function blockCacheOf(screen: ReadableScreen): BlockCache {
  const cache = caches.get(screen) ?? new BlockCache(screen);
  caches.set(screen, cache);
  cache.trim();
  return cache;
}

/** Drops the cache; later searches read the lines again. */
export function forgetBlocks(screen: ReadableScreen): void {
  caches.delete(screen);
}

export class BlockCache {
  readonly #screen: ReadableScreen;
  /** Blocks by the number of the first row. */
  readonly #blocks = new Map<number, CachedBlock>();

  constructor(screen: ReadableScreen) {
    this.#screen = screen;
  }

  trim(): void {
    for (const number of this.#blocks.keys()) {
      if (number >= this.#screen.firstShownNumber) break;
      this.#blocks.delete(number);
    }
  }

  get(number: number): { readonly block: LineBlock; readonly end: number } | undefined {
    const cached = this.#blocks.get(number);
    return cached !== undefined && this.#isCurrent(number, cached) ? cached : undefined;
  }

  /** Keeps only lines above the viewport, and only complete ones: the last one may continue beyond a range. */
  set(number: number, end: number, block: LineBlock): void {
    const { altScreen, firstShownNumber: first, scrollbackLines, rev } = this.#screen;
    if (altScreen || end > first + scrollbackLines || this.#screen.continuesLine(end - first)) return;
    this.#blocks.delete(number);
    this.#blocks.set(number, { block, end, rev });
  }

  /** False if one of its lines came back into the viewport and changed there. */
  #isCurrent(first: number, { end, rev }: CachedBlock): boolean {
    const screen = this.#screen;
    if (screen.altScreen || screen.revisionFloor > rev) return false;
    for (let number = first; number < end; number++) if (screen.lineRevision(number) > rev) return false;
    return true;
  }
}
