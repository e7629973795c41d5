/**
 * Estimates the memory of a screen from a sample of its lines: cell words, characters that do not fit into one, and
 * extended attributes. Measured on Node 20; right within a factor of two, which is enough to find the screen that holds
 * most.
 */
import type { Emulator } from './xterm/emulator.js';
import type { RawBuffer, RawLine } from './xterm/internals.js';

/** Lines sampled per buffer. */
const SAMPLED_LINES = 32;

/** Objects and native blocks of a line, beside its words. */
const LINE_BYTES = 600;
/** The library's three words of a cell. */
const CELL_BYTES = 12;
/** A snapshot row's bytes a cell; rows are built for the viewport only. */
const BUILT_CELL_BYTES = 28;
/** A joined character is a chain of pieces, one for each code unit, until it is read. */
const JOINED_UNIT_BYTES = 32;
const EXTENDED_CELL_BYTES = 160;

export function screenWeight({ internals: { buffers }, terminal }: Emulator): number {
  const viewport = terminal.rows * terminal.cols * BUILT_CELL_BYTES;
  return viewport + bufferWeight(buffers.normal) + bufferWeight(buffers.alt);
}

function bufferWeight({ lines }: RawBuffer): number {
  const count = lines.length;
  const sampled = Math.min(count, SAMPLED_LINES);
  let bytes = 0;
  for (let i = 0; i < sampled; i++) bytes += lineWeight(lines.get(Math.floor((i * count) / sampled)));
  return sampled === 0 ? 0 : Math.round((bytes * count) / sampled);
}

function lineWeight(line: RawLine | undefined): number {
  if (line === undefined) return 0;
  let bytes = LINE_BYTES + line.length * CELL_BYTES;
  for (const joined of Object.values(line._combined)) bytes += joined.length * JOINED_UNIT_BYTES;
  return bytes + Object.keys(line._extendedAttrs).length * EXTENDED_CELL_BYTES;
}
