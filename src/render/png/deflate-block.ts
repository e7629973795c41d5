/** One block of deflate (RFC 1951, 3.2.3): tokens under the code that takes fewer bits, the block's own or the fixed one. */
import type { BitWriter } from './bit-writer.js';
import { CodeHeader } from './code-header.js';
import {
  DISTANCE_EXTRA_BITS,
  DISTANCE_SYMBOLS,
  END_OF_BLOCK,
  LENGTH_EXTRA_BITS,
  LITERAL_SYMBOLS,
} from './deflate-symbols.js';
import { codeBits } from './huffman.js';
import { distanceCounts, literalCounts, type Tokens } from './matches.js';
import { assignCodes, fixedCode, newCode, type PrefixCode } from './prefix-code.js';

/** Not the last block: a bit that is zero, then the kind of the code in two. */
const FIXED_BLOCK = 0b010;
const OWN_CODE_BLOCK = 0b100;
const BLOCK_BITS = 3;
const MOST_CODE_BITS = 15;

const fixed = fixedCode();
const own = newCode();
const header = new CodeHeader();

/** @param tokens those that were found last, whose symbols are counted */
export function writeBlock(writer: BitWriter, tokens: Tokens, count: number): void {
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
