/**
 * The symbols of deflate (RFC 1951, 3.2.5 and 3.2.6), and Huffman codes of bounded length for them, in whole numbers only: the same
 * on every machine and under every engine.
 */

export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
/** How far back a match may reach. */
export const WINDOW = 32_768;

/** Number of symbols for literals, the end of a block, and lengths. */
export const LITERAL_SYMBOLS = 286;
export const DISTANCE_SYMBOLS = 30;
export const END_OF_BLOCK = 256;
const FIRST_LENGTH_SYMBOL = 257;
const LONGEST_MATCH_SYMBOL = 285;

/** By length of a match. */
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

/** Bytes with their bits the other way round. */
const REVERSED = Uint8Array.from({ length: 256 }, (_, byte) => {
  let result = 0;
  for (let bit = 0; bit < 8; bit++) result |= ((byte >> bit) & 1) << (7 - bit);
  return result;
});

/** What the functions below work in: one code at a time. */
const sorted = new Int32Array(MOST_SYMBOLS);
const weights = new Int32Array(MOST_SYMBOLS);
const countOfBits = new Int32Array(MOST_SYMBOLS);
const nextCode = new Int32Array(MOST_BITS + 1);

/**
 * Bits of each symbol's code, 0 where it does not occur. A lone symbol gets one bit.
 * @param frequencies at most 2^22 in all
 */
export function codeBits(frequencies: Int32Array, maxBits: number, bits: Uint8Array): void {
  bits.fill(0);
  const all = sorted;
  const symbolBits = SYMBOL_BITS;
  let count = 0;
  for (let symbol = frequencies.length - 1; symbol >= 0; symbol--) {
    const frequency = frequencies[symbol] as number;
    if (frequency > 0) all[count++] = (frequency << symbolBits) | symbol;
  }
  if (count === 0) return;
  all.subarray(0, count).sort();
  if (count === 1) {
    bits[(all[0] as number) & SYMBOL_MASK] = 1;
    return;
  }
  const tree = weights;
  for (let index = 0; index < count; index++) tree[index] = (all[index] as number) >> symbolBits;
  depths(tree, count);
  bounded(tree, count, maxBits);
  // The rarest first: the longest codes.
  let index = 0;
  for (let length = maxBits; length > 0; length--) {
    for (let left = countOfBits[length] as number; left > 0; left--) {
      bits[(all[index++] as number) & SYMBOL_MASK] = length;
    }
  }
}

/** Canonical codes (RFC 1951, 3.2.2), reversed as they are written: `code << CODE_SHIFT | bits`. */
export function canonicalCodes(bits: Uint8Array, codes: Int32Array): void {
  const counts = countOfBits;
  const next = nextCode;
  counts.fill(0, 0, MOST_BITS + 1);
  for (let symbol = 0; symbol < bits.length; symbol++) {
    const length = bits[symbol] as number;
    if (length !== 0) counts[length] = (counts[length] as number) + 1;
  }
  let code = 0;
  for (let length = 1; length <= MOST_BITS; length++) {
    code = (code + (counts[length - 1] as number)) << 1;
    next[length] = code;
  }
  for (let symbol = 0; symbol < bits.length; symbol++) {
    const length = bits[symbol] as number;
    if (length === 0) continue;
    const own = next[length] as number;
    next[length] = own + 1;
    codes[symbol] = (reversed(own, length) << CODE_SHIFT) | length;
  }
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

/** How many codes there are of each length, none longer than `maxBits`: those that are take bits from shorter ones. */
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

/** By symbol: how many bits, and `code << CODE_SHIFT | bits`, the code's bits in the order in which they are written. */
export interface PrefixCode {
  readonly literalBits: Uint8Array;
  readonly literals: Int32Array;
  readonly distanceBits: Uint8Array;
  readonly distances: Int32Array;
}

export function newCode(): PrefixCode {
  return codeOf(new Uint8Array(LITERAL_SYMBOLS), new Uint8Array(DISTANCE_SYMBOLS));
}

export function fixedCode(): PrefixCode {
  const code = codeOf(FIXED_LITERAL_BITS, FIXED_DISTANCE_BITS);
  assignCodes(code);
  return code;
}

/** Works out the codes from how many bits each has. */
export function assignCodes({ literalBits, literals, distanceBits, distances }: PrefixCode): void {
  canonicalCodes(literalBits, literals);
  canonicalCodes(distanceBits, distances);
}

function codeOf(literalBits: Uint8Array, distanceBits: Uint8Array): PrefixCode {
  return {
    literalBits,
    literals: new Int32Array(literalBits.length),
    distanceBits,
    distances: new Int32Array(distanceBits.length),
  };
}
