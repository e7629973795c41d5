/**
 * Deflate (RFC 1951) for one row of cells. zlib's output depends on its build and on what the processor can do, so that equal
 * pictures would differ from machine to machine; and its set-up alone takes as long as a row.
 */
import { BitWriter } from './bit-writer.js';
import type { ScanLines } from './lines.js';
import { MatchFinder, distanceCounts, literalCounts, type Tokens } from './matches.js';
import { CodeHeader } from './code-header.js';
import {
  DISTANCE_EXTRA_BITS,
  DISTANCE_SYMBOLS,
  END_OF_BLOCK,
  LENGTH_EXTRA_BITS,
  LITERAL_SYMBOLS,
  codeBits,
  assignCodes,
  fixedCode,
  newCode,
  type PrefixCode,
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
  while (!finder.done) writeBlock(writer, tokens, finder.next(tokens));
  writer.reserve(FLUSH_BITS);
  writer.put(0, BLOCK_BITS);
  writer.align();
  for (const half of EMPTY_STORED_BLOCK) writer.put(half, 16);
  return writer.take();
}

/** Not the last block: a bit that is zero, then the kind of the code in two. */
const FIXED_BLOCK = 0b010;
const OWN_CODE_BLOCK = 0b100;
const MOST_CODE_BITS = 15;

const fixed = fixedCode();
const own = newCode();
const header = new CodeHeader();

/** @param tokens those that were found last, whose symbols are counted */
function writeBlock(writer: BitWriter, tokens: Tokens, count: number): void {
  literalCounts[END_OF_BLOCK] = 1;
  codeBits(literalCounts, MOST_CODE_BITS, own.literalBits);
  codeBits(distanceCounts, MOST_CODE_BITS, own.distanceBits);
  const ownBits = header.describe(own) + bitsUnder(own);
  const fixedBits = bitsUnder(fixed);
  writer.reserve(BLOCK_BITS + Math.min(ownBits, fixedBits));
  if (fixedBits <= ownBits) {
    writer.put(FIXED_BLOCK, BLOCK_BITS);
    writer.putTokens(tokens, count, fixed);
    return;
  }
  assignCodes(own);
  writer.put(OWN_CODE_BLOCK, BLOCK_BITS);
  header.write(writer);
  writer.putTokens(tokens, count, own);
}

function bitsUnder({ literalBits, distanceBits }: PrefixCode): number {
  let bits = 0;
  for (let symbol = 0; symbol < LITERAL_SYMBOLS; symbol++) {
    const each = (literalBits[symbol] as number) + (LENGTH_EXTRA_BITS[symbol] as number);
    bits += (literalCounts[symbol] as number) * each;
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const each = (distanceBits[symbol] as number) + (DISTANCE_EXTRA_BITS[symbol] as number);
    bits += (distanceCounts[symbol] as number) * each;
  }
  return bits;
}
