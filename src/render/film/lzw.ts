/** LZW as in GIF: codes grow from one bit more than the size to 12 bits, then a clear code begins a new table. */

const MAX_CODES = 4096;
const MAX_BLOCK = 255;

/** Four times the codes: chains stay short. */
const SLOT_BITS = 14;
const SLOT_MASK = (1 << SLOT_BITS) - 1;
/** Fibonacci hashing: 2 ** 32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;
const CODE_BITS = 12;
/** No entry: a prefix is below its code. */
const FREE = -1;

/** Table of all frames: a code with its prefix and its last index, by both; it is cleared where a code clears it. */
const table = new Int32Array(1 << SLOT_BITS);

/**
 * Codes of runs of one index, by index and length. Most of a terminal is background: the longest code of a run is found
 * without those for its parts.
 */
const runCodes = new Uint16Array(256 << CODE_BITS);
/** The longest run of each index that has a code. */
const longestRuns = new Uint16Array(256);

/** Codes of an image before they are cut into blocks: as long as the largest image so far needs. */
let packed = new Uint8Array(0);

/** @param indices below 2 ** minCodeSize @returns the data of an image: the size, blocks, the end */
export function lzwBlocks(indices: Uint8Array, minCodeSize: number): Uint8Array {
  const { length } = indices;
  const clear = 1 << minCodeSize;
  // A code for each index and each clear, the first and the last, of 12 bits.
  const bound = Math.ceil(((length + length / (MAX_CODES - 256) + 4) * CODE_BITS) / 8) + 4;
  if (packed.length < bound) packed = new Uint8Array(bound);
  const bytes = packed;
  let size = 0;
  let pending = clear;
  let pendingBits = minCodeSize + 1;
  let next = clear + 2;
  let bits = minCodeSize + 1;
  forget(clear);
  for (let at = 0; at < length;) {
    const first = indices[at] as number;
    // The code so far, and of how many of its first index, if of nothing else.
    let prefix = first;
    let run = 1;
    const longest = longestRuns[first] as number;
    at++;
    while (run < longest && indices[at] === first && at < length) {
      run++;
      at++;
    }
    if (run > 1) prefix = runCodes[(first << CODE_BITS) | run] as number;
    let key = 0;
    let slot = 0;
    while (at < length) {
      key = (prefix << 8) | (indices[at] as number);
      slot = Math.imul(key, SPREAD) >>> (32 - SLOT_BITS);
      let entry = table[slot] as number;
      while (entry !== FREE && entry >>> CODE_BITS !== key) {
        slot = (slot + 1) & SLOT_MASK;
        entry = table[slot] as number;
      }
      if (entry === FREE) break;
      prefix = entry & (MAX_CODES - 1);
      run = 0;
      at++;
    }
    pending |= prefix << pendingBits;
    pendingBits += bits;
    while (pendingBits >= 8) {
      bytes[size++] = pending;
      pending >>>= 8;
      pendingBits -= 8;
    }
    if (next < MAX_CODES) {
      if (at < length) {
        table[slot] = (key << CODE_BITS) | next;
        if (run === longest && indices[at] === first) {
          longestRuns[first] = run + 1;
          runCodes[(first << CODE_BITS) | (run + 1)] = next;
        }
      }
      // The reader learns of a code one later than the writer, and of one for the last, too.
      if (next === 1 << bits && bits < CODE_BITS) bits++;
      next++;
    } else if (at < length) {
      pending |= clear << pendingBits;
      pendingBits += bits;
      forget(clear);
      next = clear + 2;
      bits = minCodeSize + 1;
    }
  }
  pending |= (clear + 1) << pendingBits;
  pendingBits += bits;
  for (; pendingBits > 0; pendingBits -= 8) {
    bytes[size++] = pending;
    pending >>>= 8;
  }
  return blocksOf(bytes.subarray(0, size), minCodeSize);
}

/** All codes but those of the `count` indices. */
function forget(count: number): void {
  table.fill(FREE);
  longestRuns.fill(1, 0, count);
}

/** The last block is empty. */
function blocksOf(bytes: Uint8Array, minCodeSize: number): Uint8Array {
  const blocks = new Uint8Array(bytes.length + Math.ceil(bytes.length / MAX_BLOCK) + 2);
  blocks[0] = minCodeSize;
  let at = 1;
  for (let from = 0; from < bytes.length; from += MAX_BLOCK) {
    const block = bytes.subarray(from, from + MAX_BLOCK);
    blocks[at] = block.length;
    blocks.set(block, at + 1);
    at += block.length + 1;
  }
  return blocks;
}
