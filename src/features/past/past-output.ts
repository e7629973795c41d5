/**
 * The output that a terminal has kept: the last of it in a ring, and what came before in its history, for as long as no byte between
 * is missing.
 */
import type { LogChunk } from '../../history/log-chunk.js';
import type { Terminal } from '../../terminal/terminal.js';
import { logOf } from './log-of.js';
import { unpack } from './packer.js';

/** Offset of the first byte. */
export function firstOutput(terminal: Terminal): number {
  const { first } = terminal.output;
  return chunksBefore(terminal, first)[0]?.start.offset ?? first;
}

/** A copy of at most `count` bytes. Reading the history takes some 3 ms a megabyte. @param offset at least {@link firstOutput} */
export function readOutput(terminal: Terminal, offset: number, count: number): Uint8Array {
  const { output } = terminal;
  if (offset >= output.first) return output.read(offset, count);
  const pieces: Uint8Array[] = [];
  const end = Math.min(offset + count, output.first);
  for (const chunk of chunksBefore(terminal, output.first)) {
    const { offset: start } = chunk.start;
    if (start < end && start + chunk.outputBytes > offset) pieces.push(...outputOf(chunk, offset, end));
  }
  pieces.push(output.read(output.first, offset + count - end));
  return Buffer.concat(pieces);
}

/** Oldest first; the last one reaches this offset. */
function chunksBefore(terminal: Terminal, offset: number): LogChunk[] {
  const found: LogChunk[] = [];
  const { floor } = terminal.output;
  let reached = offset;
  for (const chunk of (logOf(terminal)?.chunks ?? []).toReversed()) {
    const { offset: start } = chunk.start;
    if (chunk.isForgotten || !chunk.isWhole || start < floor || start + chunk.outputBytes < reached) break;
    if (start >= reached) continue;
    reached = start;
    found.unshift(chunk);
  }
  return found;
}

/** What it has between the two offsets. */
function* outputOf(chunk: LogChunk, from: number, to: number): Generator<Uint8Array, void, void> {
  let at = chunk.start.offset;
  for (const entry of chunk.entries(unpack)) {
    if (entry.kind !== 'output') continue;
    const piece = entry.bytes.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += entry.bytes.length;
    if (piece.length > 0) yield piece;
    if (at >= to) return;
  }
}
