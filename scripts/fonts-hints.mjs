// The hints of a TTF, programs that move the points of an outline to whole pixels, are a tenth of a megabyte of the package. Pictures
// are drawn without hints: no pixel changes.
// https://learn.microsoft.com/typography/opentype/spec/glyf
import { fontOf, tablesOf } from './fonts-tables.mjs';

/** Tables of hints alone: the programs of the font and of each size, and their values. */
const OF_HINTS = new Set(['fpgm', 'prep', 'cvt ']);

const GLYPH_HEADER_BYTES = 10;
const ARGUMENTS_ARE_WORDS = 0x0001;
const HAS_A_SCALE = 0x0008;
const MORE_COMPONENTS = 0x0020;
const HAS_X_AND_Y_SCALES = 0x0040;
const HAS_A_TWO_BY_TWO = 0x0080;
const HAS_INSTRUCTIONS = 0x0100;

/** @param bytes of a TTF @returns the same font with the same outlines, without their hints */
export function withoutHints(bytes) {
  const tables = tablesOf(bytes);
  const table = (tag) => tables.find((each) => each.tag === tag)?.table;
  const [glyf, loca, head, maxp] = ['glyf', 'loca', 'head', 'maxp'].map(table);
  const long = head.readUInt16BE(50) === 1;
  const count = maxp.readUInt16BE(4);
  const startOf = (glyph) => (long ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph));
  const glyphs = [];
  const starts = [];
  let at = 0;
  for (let glyph = 0; glyph < count; glyph++) {
    const outline = withoutInstructions(glyf.subarray(startOf(glyph), startOf(glyph + 1)));
    // The short form counts in pairs of bytes.
    const padded = Buffer.concat([outline, Buffer.alloc(-outline.length & (long ? 0 : 1))]);
    glyphs.push(padded);
    starts.push(at);
    at += padded.length;
  }
  starts.push(at);
  const newLoca = Buffer.alloc(loca.length);
  for (const [glyph, start] of starts.entries()) {
    if (long) newLoca.writeUInt32BE(start, 4 * glyph);
    else newLoca.writeUInt16BE(start / 2, 2 * glyph);
  }
  const replaced = { glyf: Buffer.concat(glyphs), loca: newLoca };
  return fontOf(
    bytes,
    tables
      .filter(({ tag }) => !OF_HINTS.has(tag))
      .map((each) => ({ ...each, table: replaced[each.tag] ?? each.table })),
  );
}

function withoutInstructions(glyph) {
  if (glyph.length === 0) return glyph;
  const contours = glyph.readInt16BE(0);
  return contours < 0 ? compositeWithout(glyph) : simpleWithout(glyph, contours);
}

function simpleWithout(glyph, contours) {
  const lengthAt = GLYPH_HEADER_BYTES + 2 * contours;
  const points = contours === 0 ? 0 : glyph.readUInt16BE(lengthAt - 2) + 1;
  const flagsAt = lengthAt + 2 + glyph.readUInt16BE(lengthAt);
  return Buffer.concat([
    glyph.subarray(0, lengthAt),
    Buffer.alloc(2),
    glyph.subarray(flagsAt, endOfPoints(glyph, flagsAt, points)),
  ]);
}

/** Without the padding behind them. */
function endOfPoints(glyph, flagsAt, points) {
  let at = flagsAt;
  let coordinates = 0;
  for (let point = 0; point < points;) {
    const flag = glyph[at++];
    const times = (flag & 8) === 0 ? 1 : glyph[at++] + 1;
    coordinates += times * (bytesOf(flag, 2, 16) + bytesOf(flag, 4, 32));
    point += times;
  }
  return at + coordinates;
}

/** A coordinate is one byte, or two, or none where it is that of the point before. */
function bytesOf(flag, short, same) {
  if ((flag & short) !== 0) return 1;
  return (flag & same) !== 0 ? 0 : 2;
}

function compositeWithout(glyph) {
  const copy = Buffer.from(glyph);
  let at = GLYPH_HEADER_BYTES;
  for (let flags = MORE_COMPONENTS; (flags & MORE_COMPONENTS) !== 0;) {
    flags = copy.readUInt16BE(at);
    copy.writeUInt16BE(flags & ~HAS_INSTRUCTIONS, at);
    at += 4 + ((flags & ARGUMENTS_ARE_WORDS) === 0 ? 2 : 4) + scaleBytes(flags);
  }
  return copy.subarray(0, at);
}

function scaleBytes(flags) {
  if ((flags & HAS_A_SCALE) !== 0) return 2;
  if ((flags & HAS_X_AND_Y_SCALES) !== 0) return 4;
  return (flags & HAS_A_TWO_BY_TWO) === 0 ? 0 : 8;
}
