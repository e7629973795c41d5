// The code points that a TrueType or OpenType file maps to a glyph, as inclusive ranges.
// Reads the Unicode subtables of formats 4 and 12 (https://learn.microsoft.com/typography/opentype/spec/cmap).

const UNICODE_SUBTABLES = new Set(['0:3', '0:4', '0:6', '3:1', '3:10']);

export function codePointRanges(font) {
  return toRanges([...codePointGlyphs(font).keys()].sort((a, b) => a - b));
}

/** Code point -> glyph. */
export function codePointGlyphs(font) {
  const cmap = tableOffset(font, 'cmap');
  const glyphs = new Map();
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const record = cmap + 4 + index * 8;
    const kind = `${font.readUInt16BE(record)}:${font.readUInt16BE(record + 2)}`;
    if (!UNICODE_SUBTABLES.has(kind)) continue;
    const subtable = cmap + font.readUInt32BE(record + 4);
    const format = font.readUInt16BE(subtable);
    if (format === 4) readFormat4(font, subtable, glyphs);
    if (format === 12) readFormat12(font, subtable, glyphs);
  }
  return glyphs;
}

export function tableOffset(font, tag) {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const record = 12 + index * 16;
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  throw new Error(`The font has no ${tag} table.`);
}

function readFormat4(font, subtable, glyphs) {
  const segments = font.readUInt16BE(subtable + 6) / 2;
  const ends = subtable + 14;
  const starts = ends + segments * 2 + 2;
  const deltas = starts + segments * 2;
  const offsets = deltas + segments * 2;
  for (let segment = 0; segment < segments; segment++) {
    const start = font.readUInt16BE(starts + segment * 2);
    const end = font.readUInt16BE(ends + segment * 2);
    const delta = font.readUInt16BE(deltas + segment * 2);
    const offset = font.readUInt16BE(offsets + segment * 2);
    for (let codePoint = start; codePoint <= end && codePoint < 0xffff; codePoint++) {
      const at = offsets + segment * 2 + offset + (codePoint - start) * 2;
      const indexed = offset === 0 ? codePoint : font.readUInt16BE(at);
      const glyph = offset !== 0 && indexed === 0 ? 0 : (indexed + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(codePoint, glyph);
    }
  }
}

function readFormat12(font, subtable, glyphs) {
  for (let group = 0; group < font.readUInt32BE(subtable + 12); group++) {
    const record = subtable + 16 + group * 12;
    const start = font.readUInt32BE(record);
    const firstGlyph = font.readUInt32BE(record + 8);
    for (let codePoint = start; codePoint <= font.readUInt32BE(record + 4); codePoint++) {
      const glyph = firstGlyph + codePoint - start;
      if (glyph !== 0) glyphs.set(codePoint, glyph);
    }
  }
}

function toRanges(sorted) {
  const ranges = [];
  for (const codePoint of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === codePoint - 1) last[1] = codePoint;
    else ranges.push([codePoint, codePoint]);
  }
  return ranges;
}
