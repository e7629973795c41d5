/**
 * Deflate (RFC 1951) for one row of cells. zlib's output depends on its build and on what the processor can do, so that equal
 * pictures would differ from machine to machine; and its set-up alone takes as long as a row.
 */
import { BitWriter } from './bit-writer.js';
import type { ScanLines } from './lines.js';
import { MatchFinder, distanceCounts, literalCounts, type Tokens } from './matches.js';
import { CodeHeader } from './code-header.js';
import {
  type BlockCode,
  DISTANCE_EXTRA_BITS,
  DISTANCE_SYMBOLS,
  END_OF_BLOCK,
  FIXED_DISTANCE_BITS,
  FIXED_LITERAL_BITS,
  LENGTH_EXTRA_BITS,
  LITERAL_SYMBOLS,
  PrefixCode,
} from './huffman.js';

/** Most tokens of one block; a line of more bytes is a block of its own. */
const BLOCK_TOKENS = 1 << 14;
const BLOCK_BITS = 3;
const FLUSH_BITS = 64;
/** After its header and up to the next whole byte: length 0, and its complement. */
const EMPTY_STORED_BLOCK = [0x0000, 0xffff] as const;

const blockTokens = new Int32Array(BLOCK_TOKENS);
const writer = new BitWriter();

/** Ends in a full flush, an empty stored block, so that rows can be strung together in any order. */
export function deflate(lines: ScanLines): Uint8Array {
  const finder = new MatchFinder(lines);
  const tokens = lines.stride > BLOCK_TOKENS ? new Int32Array(lines.stride) : blockTokens;
  while (!finder.done) {
    const from = finder.position;
    writeBlock(writer, tokens, finder.next(tokens), lines.bytes, from);
  }
  writer.reserve(FLUSH_BITS);
  writer.put(0, BLOCK_BITS);
  writer.align();
  for (const half of EMPTY_STORED_BLOCK) writer.put(half, 16);
  return writer.take();
}

/** Not the last block: a bit that is zero, then the kind of the code in two. */
const FIXED_BLOCK = 0b010;
const OWN_CODE_BLOCK = 0b100;
/** Fewer than the 15 of deflate, so that {@link BitWriter.putTokens} has room for two at a time. No row needs more. */
const MOST_LITERAL_BITS = 12;
const MOST_DISTANCE_BITS = 11;

const fixed: BlockCode = {
  literals: PrefixCode.of(FIXED_LITERAL_BITS),
  distances: PrefixCode.of(FIXED_DISTANCE_BITS),
};
const own: BlockCode = { literals: new PrefixCode(LITERAL_SYMBOLS), distances: new PrefixCode(DISTANCE_SYMBOLS) };
const header = new CodeHeader();

/** @param tokens those that were found last, whose symbols are counted */
function writeBlock(writer: BitWriter, tokens: Tokens, count: number, bytes: Uint8Array, from: number): void {
  literalCounts[END_OF_BLOCK] = 1;
  own.literals.fit(literalCounts, MOST_LITERAL_BITS);
  own.distances.fit(distanceCounts, MOST_DISTANCE_BITS);
  const ownBits = header.describe(own) + bitsOfSymbols(own.literals.bits, own.distances.bits);
  const fixedBits = bitsOfSymbols(FIXED_LITERAL_BITS, FIXED_DISTANCE_BITS);
  writer.reserve(BLOCK_BITS + Math.min(ownBits, fixedBits) + bitsOfSymbols(LENGTH_EXTRA_BITS, DISTANCE_EXTRA_BITS));
  if (fixedBits <= ownBits) {
    writer.put(FIXED_BLOCK, BLOCK_BITS);
    writer.putTokens(tokens, count, bytes, from, fixed);
    return;
  }
  own.literals.assign();
  own.distances.assign();
  writer.put(OWN_CODE_BLOCK, BLOCK_BITS);
  header.write(writer);
  writer.putTokens(tokens, count, bytes, from, own);
}

/** Bits of all symbols of a block, if each takes so many. */
function bitsOfSymbols(literalBits: Uint8Array, distanceBits: Uint8Array): number {
  return own.literals.total(literalCounts, literalBits) + own.distances.total(distanceCounts, distanceBits);
}
