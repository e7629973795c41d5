// The names of a TTF's glyphs, which PostScript alone asks for, are a fifth of a megabyte of the package.
// https://learn.microsoft.com/typography/opentype/spec/post: version 3.0 has the header alone.
import { fontOf, tablesOf } from './fonts-tables.mjs';

const HEADER_BYTES = 32;
const VERSION_3 = 0x00030000;

/** @param bytes of a TTF @returns the same font without names of glyphs */
export function withoutGlyphNames(bytes) {
  const tables = tablesOf(bytes);
  const post = tables.find(({ tag }) => tag === 'post');
  post.table = post.table.subarray(0, HEADER_BYTES);
  post.table.writeUInt32BE(VERSION_3, 0);
  return fontOf(bytes, tables);
}
