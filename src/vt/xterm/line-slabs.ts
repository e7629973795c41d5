/**
 * Memory of the scrollback. The library gives each line a block of its own; the C library never returns blocks of that
 * size to the system, so what a terminal had held stayed resident after it was gone. Here the words of new lines
 * are pieces of slabs, which go back as a whole once all of their lines are dropped, and a line costs a quarter less.
 *
 * Only lines that make the scrollback longer: they live and go in their order. Lines that scroll within a region come
 * and go in any order, and one that stays would hold a whole slab.
 */
import type { Internals } from './internals.js';
import { replaceLineMethod } from './line-class.js';
import { RAW_WORDS } from './row-builder.js';

/** Blocks from 128 KiB on go back to the system when they are freed (see base/allocator.ts). */
const LARGEST_SLAB_WORDS = 64 * 1024;
/** A terminal that scrolls a little takes little; each slab is twice as large as the one before. */
const FIRST_SLAB_WORDS = 4 * 1024;

export class LineSlabs {
  readonly #core: Internals;
  #slab = new Uint32Array(0);
  #used = 0;

  constructor(core: Internals) {
    this.#core = core;
    cloneIntoSlabs(core);
  }

  /** Whether a line that is cloned now is added to the scrollback. */
  get grows(): boolean {
    return this.#core.buffers.active.scrollTop === 0;
  }

  copy(words: Uint32Array): Uint32Array {
    const copy = this.take(words.length);
    copy.set(words);
    return copy;
  }

  /** Words that are 0. */
  take(length: number): Uint32Array {
    if (length > LARGEST_SLAB_WORDS / 4) return new Uint32Array(length);
    if (this.#used + length > this.#slab.length) {
      const fits = Math.max(FIRST_SLAB_WORDS, 2 * this.#slab.length, 4 * length);
      this.#slab = new Uint32Array(Math.min(fits, LARGEST_SLAB_WORDS));
      slabs.add(this.#slab.buffer);
      this.#used = 0;
    }
    const words = this.#slab.subarray(this.#used, this.#used + length);
    this.#used += length;
    return words;
  }
}

const slabs = new WeakSet<object>();

/** @param words of successive lines of one scrollback, no more than a slab has */
export function adoptSlab(words: Uint32Array): void {
  slabs.add(words.buffer);
}

export function isInSlab(words: Uint32Array): boolean {
  return slabs.has(words.buffer);
}

/** The slabs of the screen that is being parsed. */
let current: LineSlabs | undefined;

/** To be called before each parse: all screens share the class of their lines. */
export function useSlabs(slabs: LineSlabs): void {
  current = slabs;
}

/** To be called once its screen is parsed no more: all that it holds would stay until another screen is parsed. */
export function leaveSlabs(slabs: LineSlabs): void {
  if (current === slabs) current = undefined;
}

function cloneIntoSlabs(core: Internals): void {
  replaceLineMethod(
    core,
    'clone',
    (clone) =>
      function () {
        if (current === undefined || !current.grows) return clone.call(this);
        const own = this._data;
        // The clone copies no words then: these are replaced at once.
        this._data = NO_WORDS;
        try {
          const line = clone.call(this);
          line._data = current.copy(own);
          return line;
        } finally {
          this._data = own;
        }
      },
  );
  replaceLineMethod(
    core,
    'resize',
    (resize) =>
      function (cols, fill) {
        if (!isInSlab(this._data)) return resize.call(this, cols, fill);
        // The library takes the rest of a line's buffer for its own: for room to grow into, and for waste to be freed.
        if (cols > this.length || 2 * cols < this.length) this._data = this._data.slice(0, cols * RAW_WORDS);
        resize.call(this, cols, fill);
        return false;
      },
  );
}

const NO_WORDS = new Uint32Array(0);
