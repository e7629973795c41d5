/** The symbols of deflate (RFC 1951, 3.2.5 and 3.2.6) by what they stand for. */

export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
/** How far back a match may reach. */
export const WINDOW = 32_768;

/** Of literals, the end of a block, and lengths. */
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
