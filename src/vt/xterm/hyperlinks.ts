/**
 * Hyperlinks (OSC 8): which cell leads where.
 *
 * Instead of the library's own service, which registers a marker for every line that a link touches: one link left open
 * slows the parser 130 times, and it forgets a link whose first line was cleared while the pen still draws it. Here a
 * cell only carries a number, and a table from numbers to targets is swept when it has grown.
 * The `id` parameter, which groups cells for hovering, is not kept.
 */
import { ownCopy } from '../../base/own-copy.js';
import type { Emulator } from './emulator.js';
import type { RawBuffer, RawLine } from './internals.js';
import { RAW_BG_EXTENDED, RAW_WORDS } from './row-builder.js';
import { MAX_TARGET_LENGTH } from './row-links.js';

/**
 * What the targets of one terminal may take, of which up to a quarter may lead nowhere any more. Beyond, a new target makes no
 * link and its text is plain, until cells with other links are gone: a link that is shown stays one. Some 20,000 targets of
 * usual length, or a screen of 80x24 cells of which each leads elsewhere, with targets of 1,500 characters.
 */
export const MAX_TARGETS_BYTES = 4 * 1024 * 1024;

/** Cost of a target beside its characters: the string's header and its place in two tables, measured. */
const TARGET_OVERHEAD_BYTES = 128;

/** New targets between two looks for those that no cell leads to any more: a look takes some milliseconds. */
const MIN_SWEEP_BYTES = 512 * 1024;

export interface FrozenLinks {
  readonly lastNumber: number;
  readonly targets: readonly (readonly [number: number, target: string])[];
}

export class Hyperlinks {
  readonly #emulator: Emulator;
  readonly #targets = new Map<number, string>();
  readonly #numbers = new Map<string, number>();
  #lastNumber = 0;
  #heldBytes = 0;
  /** Size of the new targets since the last sweep, including those that made no link. */
  #newBytes = 0;
  #sweepAtNewBytes = MIN_SWEEP_BYTES;

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    emulator.onOsc(8, (payload) => {
      const separator = payload.indexOf(';');
      if (separator === -1) return true;
      const target = payload.slice(separator + 1);
      this.#usePen(target === '' || target.length > MAX_TARGET_LENGTH ? NO_LINK : this.#numberOf(target));
      return true;
    });
  }

  get size(): number {
    return this.#targets.size;
  }

  targetOf(number: number): string | undefined {
    return this.#targets.get(number);
  }

  /** @param numbers of the links that are needed */
  freeze(numbers: ReadonlySet<number>): FrozenLinks {
    const targets = Array.from(numbers, (number) => [number, this.#targets.get(number)] as const);
    return { lastNumber: this.#lastNumber, targets: targets.filter(isKnown) };
  }

  restore({ lastNumber, targets }: FrozenLinks): void {
    this.#lastNumber = lastNumber;
    for (const [number, target] of targets) this.#keep(number, target);
  }

  /** Stored attributes are shared with the cells drawn so far: the pen gets a copy of its own. */
  #usePen(number: number): void {
    const pen = this.#emulator.internals._inputHandler._curAttrData;
    const extended = pen.extended.clone();
    extended.urlId = number;
    pen.extended = extended;
    pen.updateExtended();
  }

  #numberOf(target: string): number {
    const known = this.#numbers.get(target);
    if (known !== undefined) return known;
    const bytes = bytesOf(target);
    this.#newBytes += bytes;
    if (this.#newBytes > this.#sweepAtNewBytes) this.#sweep();
    if (this.#heldBytes + bytes > MAX_TARGETS_BYTES) return NO_LINK;
    const number = ++this.#lastNumber;
    // The payload that it was cut from may be thirty times as long.
    this.#keep(number, ownCopy(target));
    return number;
  }

  #keep(number: number, target: string): void {
    this.#targets.set(number, target);
    this.#numbers.set(target, number);
    this.#heldBytes += bytesOf(target);
  }

  #sweep(): void {
    const used = new Set<number>();
    collectNumbers(this.#emulator.normalBuffer, used);
    if (this.#emulator.altScreen) collectNumbers(this.#emulator.buffer, used);
    for (const [number, target] of this.#targets) {
      if (used.has(number)) continue;
      this.#targets.delete(number);
      this.#numbers.delete(target);
      this.#heldBytes -= bytesOf(target);
    }
    this.#newBytes = 0;
    this.#sweepAtNewBytes = Math.max(MIN_SWEEP_BYTES, this.#heldBytes / 4);
  }
}

const NO_LINK = 0;

function isKnown(link: readonly [number, string | undefined]): link is readonly [number, string] {
  return link[1] !== undefined;
}

/** V8 takes two bytes a character for a text in which one is beyond Latin-1. */
function bytesOf(target: string): number {
  return TARGET_OVERHEAD_BYTES + target.length * (BEYOND_LATIN1.test(target) ? 2 : 1);
}

const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/** A cell that was written over keeps its attributes in the library's table, without the flag. */
function collectNumbers({ lines }: RawBuffer, used: Set<number>): void {
  for (let index = 0; index < lines.length; index++) {
    const line = lines.get(index);
    if (line === undefined || isEmpty(line._extendedAttrs)) continue;
    for (let col = 0, at = RAW_WORDS - 1; col < line.length; col++, at += RAW_WORDS) {
      if (((line._data[at] ?? 0) & RAW_BG_EXTENDED) !== 0) used.add(line._extendedAttrs[col]?.urlId ?? NO_LINK);
    }
  }
}

function isEmpty(attributes: RawLine['_extendedAttrs']): boolean {
  for (const _ in attributes) return false;
  return true;
}
