/**
 * The symbols of deflate (RFC 1951, 3.2.5 and 3.2.6), and Huffman codes of bounded length for them, in whole numbers only: the same
 * on every machine and under every engine.
 */

export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
/** Greatest distance of a match. */
export const WINDOW = 32_768;

/** Number of symbols for literals, the end of a block, and lengths. */
export const LITERAL_SYMBOLS = 286;
export const DISTANCE_SYMBOLS = 30;
export const END_OF_BLOCK = 256;
const FIRST_LENGTH_SYMBOL = 257;
const LONGEST_MATCH_SYMBOL = 285;

/** Symbol by length of a match. */
export const LENGTH_SYMBOL = new Uint16Array(MAX_MATCH + 1);
export const LENGTH_EXTRA = new Uint8Array(MAX_MATCH + 1);

/** Extra bits that follow a symbol, by symbol. */
export const LENGTH_EXTRA_BITS = new Uint8Array(LITERAL_SYMBOLS);
export const DISTANCE_EXTRA_BITS = Uint8Array.from({ length: DISTANCE_SYMBOLS }, (_, symbol) =>
  Math.max(0, (symbol >> 1) - 1),
);

/** Two symbols to a number of extra bits, but four without any. What is left of the distance follows in those bits. */
export function distanceSymbol(distance: number): number {
  const last = distance - 1;
  const extraBits = Math.max(0, 30 - Math.clz32(last));
  return 2 * extraBits + (last >>> extraBits);
}

/** The fixed code: bits of each symbol. */
export const FIXED_LITERAL_BITS = Uint8Array.from({ length: LITERAL_SYMBOLS + 2 }, (_, symbol) =>
  symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
);
export const FIXED_DISTANCE_BITS = new Uint8Array(DISTANCE_SYMBOLS).fill(5);

/** Four symbols to a number of extra bits, but eight without any, and the last symbol for the longest match alone. */
for (let symbol = FIRST_LENGTH_SYMBOL, length = MIN_MATCH; length < MAX_MATCH; symbol++) {
  const extraBits = Math.max(0, ((symbol - FIRST_LENGTH_SYMBOL) >> 2) - 1);
  LENGTH_EXTRA_BITS[symbol] = extraBits;
  for (let extra = 0; extra < 1 << extraBits && length < MAX_MATCH; extra++, length++) {
    LENGTH_SYMBOL[length] = symbol;
    LENGTH_EXTRA[length] = extra;
  }
}
LENGTH_SYMBOL[MAX_MATCH] = LONGEST_MATCH_SYMBOL;

export const CODE_SHIFT = 4;
export const CODE_BITS_MASK = (1 << CODE_SHIFT) - 1;

const SYMBOL_BITS = 9;
const SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;
const MOST_SYMBOLS = 1 << SYMBOL_BITS;
const MOST_BITS = 15;
/** Frequencies below this are sorted by counting: most of those of a row of text. */
const RARE = 64;
/** More than these frequencies are sorted by the engine, whose call alone takes as long as all of this for some dozens. */
const MOST_INSERTED = 64;

/** Bytes with their bits the other way round. */
const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let result = 0;
  for (let bit = 0; bit < 8; bit++) result |= ((byte >> bit) & 1) << (7 - bit);
  return result;
});

/** Work space for one code at a time. */
const sorted = new Int32Array(MOST_SYMBOLS);
const weights = new Int32Array(MOST_SYMBOLS);
const places = new Int32Array(RARE);
const countOfBits = new Int32Array(MOST_BITS + 1);
const nextCode = new Int32Array(MOST_BITS + 1);

/**
 * A prefix code for symbols of one kind, and which of them occur. Those are some fifty of 286, so that whatever goes through them
 * alone takes a fifth of the time.
 */
export class PrefixCode {
  /** Bits of each symbol's code, 0 where it does not occur. */
  readonly bits: Uint8Array;
  /** Codes by symbol that occurs: `code << CODE_SHIFT | bits`, the code's bits in the order in which they are written. */
  readonly codes: Int32Array;
  /** The symbols that occur, in ascending order: the first {@link count}. */
  readonly used: Int32Array;
  #count = 0;

  constructor(symbols: number) {
    this.bits = new Uint8Array(symbols);
    this.codes = new Int32Array(symbols);
    this.used = new Int32Array(symbols);
  }

  static of(bits: ArrayLike<number>): PrefixCode {
    const code = new PrefixCode(bits.length);
    for (let symbol = 0; symbol < bits.length; symbol++) {
      if (bits[symbol] === 0) continue;
      code.bits[symbol] = bits[symbol] as number;
      code.used[code.#count++] = symbol;
    }
    code.assign();
    return code;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Works out how many bits each symbol gets. A lone one gets one bit.
   * @param frequencies at most 2^22 in all
   */
  fit(frequencies: Int32Array, maxBits: number): void {
    const { bits, used } = this;
    for (let index = 0; index < this.#count; index++) bits[used[index] as number] = 0;
    let count = 0;
    for (let symbol = 0; symbol < frequencies.length; symbol++) {
      if ((frequencies[symbol] as number) > 0) used[count++] = symbol;
    }
    this.#count = count;
    if (count < 2) {
      if (count === 1) bits[used[0] as number] = 1;
      return;
    }
    sort(frequencies, used, count);
    depths(weights, count);
    bounded(weights, count, maxBits);
    // The rarest first: the longest codes.
    const all = sorted;
    let index = 0;
    for (let length = maxBits; length > 0; length--) {
      for (let left = countOfBits[length] as number; left > 0; left--) {
        bits[(all[index++] as number) & SYMBOL_MASK] = length;
      }
    }
  }

  /** Canonical codes (RFC 1951, 3.2.2). */
  assign(): void {
    const { bits, codes, used } = this;
    const all = this.#count;
    const counts = countOfBits.fill(0);
    const next = nextCode;
    for (let index = 0; index < all; index++) {
      const length = bits[used[index] as number] as number;
      counts[length] = (counts[length] as number) + 1;
    }
    let code = 0;
    for (let length = 1; length <= MOST_BITS; length++) {
      code = (code + (counts[length - 1] as number)) << 1;
      next[length] = code;
    }
    for (let index = 0; index < all; index++) {
      const symbol = used[index] as number;
      const length = bits[symbol] as number;
      const own = next[length] as number;
      next[length] = own + 1;
      codes[symbol] = (reversed(own, length) << CODE_SHIFT) | length;
    }
  }

  /** Bits of all symbols that occur, if each takes so many. */
  total(frequencies: Int32Array, each: Uint8Array): number {
    const { used } = this;
    let bits = 0;
    for (let index = 0; index < this.#count; index++) {
      const symbol = used[index] as number;
      bits = (bits + Math.imul(frequencies[symbol] as number, each[symbol] as number)) | 0;
    }
    return bits;
  }
}

/** Fills {@link sorted} with `frequency << SYMBOL_BITS | symbol` in ascending order, and {@link weights} with the frequencies. */
function sort(frequencies: Int32Array, used: Int32Array, count: number): void {
  const [all, tree] = [sorted, weights];
  const next = places.fill(0);
  let rare = 0;
  for (let index = 0; index < count; index++) {
    const frequency = frequencies[used[index] as number] as number;
    if (frequency >= RARE) continue;
    next[frequency] = (next[frequency] as number) + 1;
    rare++;
  }
  let place = 0;
  for (let frequency = 1; frequency < RARE; frequency++) {
    const equal = next[frequency] as number;
    next[frequency] = place;
    place += equal;
  }
  const few = count - rare <= MOST_INSERTED;
  let end = rare;
  for (let index = 0; index < count; index++) {
    const symbol = used[index] as number;
    const frequency = frequencies[symbol] as number;
    const each = (frequency << SYMBOL_BITS) | symbol;
    let at = end;
    if (frequency < RARE) {
      at = next[frequency] as number;
      next[frequency] = at + 1;
    } else {
      if (few) for (; at > rare && (all[at - 1] as number) > each; at--) all[at] = all[at - 1] as number;
      end++;
    }
    all[at] = each;
  }
  if (!few) all.subarray(rare, count).sort();
  for (let index = 0; index < count; index++) tree[index] = (all[index] as number) >> SYMBOL_BITS;
}

/** Weights in ascending order become depths in descending order, in place (Moffat and Katajainen, 1995). */
function depths(tree: Int32Array, count: number): void {
  // Parents: each node is replaced by the index of its parent once it has been combined.
  let leaf = 0;
  let root = 0;
  for (let next = 0; next < count - 1; next++) {
    let sum: number;
    if (leaf >= count || (root < next && (tree[root] as number) < (tree[leaf] as number))) {
      sum = tree[root] as number;
      tree[root++] = next;
    } else sum = tree[leaf++] as number;
    if (leaf >= count || (root < next && (tree[root] as number) < (tree[leaf] as number))) {
      sum += tree[root] as number;
      tree[root++] = next;
    } else sum += tree[leaf++] as number;
    tree[next] = sum;
  }
  // Depths of the inner nodes, then of the leaves.
  tree[count - 2] = 0;
  for (let next = count - 3; next >= 0; next--) tree[next] = (tree[tree[next] as number] as number) + 1;
  let available = 1;
  let used = 0;
  let depth = 0;
  let inner = count - 2;
  let next = count - 1;
  while (available > 0) {
    while (inner >= 0 && tree[inner] === depth) {
      used++;
      inner--;
    }
    while (available > used) {
      tree[next--] = depth;
      available--;
    }
    available = 2 * used;
    depth++;
    used = 0;
  }
}

/** Count of codes of each length, none longer than `maxBits`: those that are take bits from shorter ones. */
function bounded(depthOf: Int32Array, count: number, maxBits: number): void {
  const counts = countOfBits;
  counts.fill(0, 0, maxBits + 1);
  for (let index = 0; index < count; index++) {
    const length = Math.min(depthOf[index] as number, maxBits);
    counts[length] = (counts[length] as number) + 1;
  }
  let space = 0;
  for (let length = 1; length <= maxBits; length++) space += (countOfBits[length] as number) << (maxBits - length);
  for (; space > 1 << maxBits; space--) {
    let length = maxBits - 1;
    while (countOfBits[length] === 0) length--;
    countOfBits[maxBits] = (countOfBits[maxBits] as number) - 1;
    countOfBits[length] = (countOfBits[length] as number) - 1;
    countOfBits[length + 1] = (countOfBits[length + 1] as number) + 2;
  }
}

function reversed(code: number, length: number): number {
  const both = ((REVERSED[code & 0xff] as number) << 8) | (REVERSED[code >> 8] as number);
  return both >> (16 - length);
}

/** The codes of a block. */
export interface BlockCode {
  readonly literals: PrefixCode;
  readonly distances: PrefixCode;
}
