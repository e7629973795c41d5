// The names of a TTF's glyphs, which PostScript alone asks for, are a fifth of a megabyte of the package.
// https://learn.microsoft.com/typography/opentype/spec/post: version 3.0 has the header alone.

const HEADER_BYTES = 32;
const VERSION_3 = 0x00030000;
const MAGIC = 0xb1b0afba;

/** @param bytes of a TTF @returns the same font without names of glyphs */
export function withoutGlyphNames(bytes) {
  const count = bytes.readUInt16BE(4);
  const tables = Array.from({ length: count }, (_, at) => {
    const record = 12 + 16 * at;
    const tag = bytes.toString('latin1', record, record + 4);
    const offset = bytes.readUInt32BE(record + 8);
    const table = Buffer.from(bytes.subarray(offset, offset + bytes.readUInt32BE(record + 12)));
    return { tag, record, offset, table };
  });
  for (const each of tables) {
    if (each.tag === 'head') each.table.writeUInt32BE(0, 8);
    if (each.tag !== 'post') continue;
    each.table = each.table.subarray(0, HEADER_BYTES);
    each.table.writeUInt32BE(VERSION_3, 0);
  }
  const head = Buffer.from(bytes.subarray(0, 12 + 16 * count));
  const parts = [head];
  let at = head.length;
  // In the order of their data, which is not that of the directory.
  for (const { record, table } of tables.toSorted((a, b) => a.offset - b.offset)) {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    head.writeUInt32BE(sumOf(padded), record + 4);
    head.writeUInt32BE(at, record + 8);
    head.writeUInt32BE(table.length, record + 12);
    parts.push(padded);
    at += padded.length;
  }
  const font = Buffer.concat(parts);
  const { record } = tables.find(({ tag }) => tag === 'head');
  font.writeUInt32BE((MAGIC - sumOf(font)) >>> 0, font.readUInt32BE(record + 8) + 8);
  return font;
}

function sumOf(padded) {
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
}
