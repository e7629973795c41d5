// Emoji sequences are ligatures (GSUB type 4), and whether a shaper finds those with U+FE0F in them differs from one version
// to the next. So every ligature gets a code point of its own in the supplementary private use area, in a character map
// that replaces the font's: https://learn.microsoft.com/typography/opentype/spec/gsub#41-ligature-substitution-format-1
import { codePointGlyphs, tableOffset } from './fonts-cmap.mjs';

export const FIRST_SEQUENCE = 0x10_0000;
const VARIATION_EMOJI = 0xfe0f;
const LIGATURE = 4;
const EXTENSION = 7;

/** `sequences`: code points without U+FE0F, in hexadecimal, joined by `-`; the nth is drawn by FIRST_SEQUENCE + n. */
export function withSequences(font) {
  const glyphs = codePointGlyphs(font);
  const codePointOf = new Map([...glyphs].map(([codePoint, glyph]) => [glyph, codePoint]));
  const found = new Map();
  for (const { components, ligature } of ligatures(font)) {
    const codePoints = components.map((glyph) => codePointOf.get(glyph)).filter((each) => each !== VARIATION_EMOJI);
    if (codePoints.length < 2 || codePoints.includes(undefined)) continue;
    found.set(codePoints.map((codePoint) => codePoint.toString(16)).join('-'), ligature);
  }
  const sequences = [...found.keys()].sort((a, b) => (a < b ? -1 : 1));
  for (const [index, sequence] of sequences.entries()) glyphs.set(FIRST_SEQUENCE + index, found.get(sequence));
  return { font: withCmap(font, format12(glyphs)), sequences };
}

function* ligatures(font) {
  const gsub = tableOffset(font, 'GSUB');
  for (const lookup of offsets(font, gsub + font.readUInt16BE(gsub + 8))) {
    for (const each of offsets(font, lookup + 4)) {
      const table = each - 4;
      const extended = font.readUInt16BE(lookup) === EXTENSION;
      const type = extended ? font.readUInt16BE(table + 2) : font.readUInt16BE(lookup);
      if (type === LIGATURE) yield* ligaturesOf(font, extended ? table + font.readUInt32BE(table + 4) : table);
    }
  }
}

function* ligaturesOf(font, table) {
  const first = covered(font, table + font.readUInt16BE(table + 2));
  for (const [index, set] of offsets(font, table + 4, table).entries()) {
    for (const ligature of offsets(font, set)) {
      const count = font.readUInt16BE(ligature + 2) - 1;
      const rest = Array.from({ length: count }, (_, at) => font.readUInt16BE(ligature + 4 + at * 2));
      yield { components: [first[index], ...rest], ligature: font.readUInt16BE(ligature) };
    }
  }
}

/** A count and that many offsets from `base`. */
function offsets(font, at, base = at) {
  return Array.from({ length: font.readUInt16BE(at) }, (_, index) => base + font.readUInt16BE(at + 2 + index * 2));
}

function covered(font, coverage) {
  const count = font.readUInt16BE(coverage + 2);
  if (font.readUInt16BE(coverage) === 1) {
    return Array.from({ length: count }, (_, index) => font.readUInt16BE(coverage + 4 + index * 2));
  }
  return Array.from({ length: count }, (_, index) => coverage + 4 + index * 6).flatMap((range) => {
    const first = font.readUInt16BE(range);
    return Array.from({ length: font.readUInt16BE(range + 2) - first + 1 }, (_, at) => first + at);
  });
}

/** A character map of one subtable, listed for both platforms; one group a code point is plain and short enough. */
function format12(glyphs) {
  const groups = [...glyphs].sort(([a], [b]) => a - b);
  const cmap = Buffer.alloc(4 + 2 * 8 + 16 + groups.length * 12);
  cmap.writeUInt16BE(2, 2);
  for (const [index, [platform, encoding]] of [
    [0, 4],
    [3, 10],
  ].entries()) {
    cmap.writeUInt16BE(platform, 4 + index * 8);
    cmap.writeUInt16BE(encoding, 6 + index * 8);
    cmap.writeUInt32BE(20, 8 + index * 8);
  }
  cmap.writeUInt16BE(12, 20);
  cmap.writeUInt32BE(cmap.length - 20, 24);
  cmap.writeUInt32BE(groups.length, 32);
  for (const [index, [codePoint, glyph]] of groups.entries()) {
    for (const [field, value] of [codePoint, codePoint, glyph].entries()) {
      cmap.writeUInt32BE(value, 36 + index * 12 + field * 4);
    }
  }
  return cmap;
}

/** The new table at the end of the file; its directory entry points there. */
function withCmap(font, cmap) {
  const start = Math.ceil(font.length / 4) * 4;
  const bytes = Buffer.concat([font, Buffer.alloc(start - font.length), cmap]);
  for (let index = 0; index < bytes.readUInt16BE(4); index++) {
    const record = 12 + index * 16;
    if (bytes.toString('latin1', record, record + 4) !== 'cmap') continue;
    let checksum = 0;
    for (let at = 0; at < cmap.length; at += 4) checksum = (checksum + cmap.readUInt32BE(at)) >>> 0;
    bytes.writeUInt32BE(checksum, record + 4);
    bytes.writeUInt32BE(start, record + 8);
    bytes.writeUInt32BE(cmap.length, record + 12);
  }
  return bytes;
}
