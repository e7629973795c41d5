/**
 * Deflate (RFC 1951) for one row of cells. zlib's output depends on its build and on what the processor can do, so that equal
 * pictures would differ from machine to machine; and its set-up alone takes as long as a row.
 */
import { BitWriter } from './bit-writer.js';
import { writeBlock } from './deflate-block.js';
import type { ScanLines } from './lines.js';
import { MatchFinder } from './matches.js';

/** Of one block; a line of more bytes is a block of its own. */
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
