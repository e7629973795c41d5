/** Translates a line of @xterm/headless into the words of a {@link SnapshotRow}. */
import type { RawExtended, RawLine } from './internals.js';
import { limitRowLinks } from './row-links.js';
import {
  ATTR_BLINK,
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  ATTR_UNDERLINE_SHIFT,
  ATTR_WIDTH_SHIFT,
  CELL_WORDS,
  COLOR_DEFAULT,
  COLOR_PALETTE,
  COLOR_RGB,
  GRAPHEME_CLUSTER,
  type LineSize,
  type SnapshotRow,
} from '../snapshot.js';

/** The library's words: content, foreground, background; layout in its buffer/Constants. */
export const RAW_WORDS = 3;
export const RAW_CODE_POINT = 0x1f_ffff;
export const RAW_COMBINED = 0x20_0000;
export const RAW_WIDTH_SHIFT = 22;
export const RAW_COLOR_KIND = 0x0300_0000;
export const RAW_COLOR_RGB = 0x0300_0000;
export const RAW_COLOR_VALUE = 0x00ff_ffff;
export const RAW_FG_INVERSE = 0x0400_0000;
export const RAW_FG_BOLD = 0x0800_0000;
export const RAW_FG_UNDERLINE = 0x1000_0000;
export const RAW_FG_BLINK = 0x2000_0000;
export const RAW_FG_INVISIBLE = 0x4000_0000;
export const RAW_FG_STRIKETHROUGH = 0x8000_0000;
const RAW_FG_FLAGS = 0xfc00_0000;
export const RAW_BG_ITALIC = 0x0400_0000;
export const RAW_BG_DIM = 0x0800_0000;
export const RAW_BG_EXTENDED = 0x1000_0000;
export const RAW_BG_OVERLINE = 0x4000_0000;
const RAW_BG_FLAGS = 0xfc00_0000;
const RAW_EXT_UNDERLINE_SHIFT = 26;

const UNDERLINE_SINGLE = 1;

/** Target of a hyperlink by the number that its cells carry. */
export type LinkTarget = (number: number) => string | undefined;

/** Line whose words may be more than its cells need. */
export type BuiltLine = Pick<RawLine, '_data' | '_combined' | '_extendedAttrs' | 'isWrapped' | 'length'>;

export function buildRow(line: BuiltLine, lineSize: LineSize, linkTarget: LinkTarget): SnapshotRow {
  const raw = line._data;
  const cols = line.length;
  const cells = new Uint32Array(cols * CELL_WORDS);
  const clusters: string[] = [];
  let underlineColors: Map<number, number> | undefined;
  let links: Map<number, string> | undefined;
  for (let col = 0, from = 0, to = 0; col < cols; col++, from += RAW_WORDS, to += CELL_WORDS) {
    const content = raw[from] ?? 0;
    const fg = raw[from + 1] ?? 0;
    const bg = raw[from + 2] ?? 0;
    let attributes = (content >>> RAW_WIDTH_SHIFT) << ATTR_WIDTH_SHIFT;
    if ((content & RAW_COMBINED) === 0) {
      cells[to] = content & RAW_CODE_POINT;
    } else {
      cells[to] = (GRAPHEME_CLUSTER | clusters.length) >>> 0;
      clusters.push(line._combined[col] ?? '');
    }
    cells[to + 1] = colorWord(fg);
    cells[to + 2] = colorWord(bg);
    if ((fg & RAW_FG_FLAGS) !== 0) attributes |= foregroundFlags(fg);
    if ((bg & RAW_BG_FLAGS) !== 0) {
      attributes |= backgroundFlags(bg);
      if ((bg & RAW_BG_EXTENDED) !== 0) {
        const extended = line._extendedAttrs[col];
        const link = extended === undefined || extended.urlId === 0 ? undefined : linkTarget(extended.urlId);
        if (link !== undefined) (links ??= new Map()).set(col, link);
        const underlineColor = colorWord(extended?._ext ?? 0);
        if (underlineColor !== COLOR_DEFAULT) (underlineColors ??= new Map()).set(col, underlineColor);
      }
    }
    if ((fg & RAW_FG_UNDERLINE) !== 0) {
      attributes |= underlineStyle(bg, line._extendedAttrs[col]) << ATTR_UNDERLINE_SHIFT;
    }
    cells[to + 3] = attributes;
  }
  if (links !== undefined) limitRowLinks(links, { cells, underlineColors });
  return { cells, clusters, underlineColors, links, wrapped: line.isWrapped, lineSize };
}

export function colorWord(raw: number): number {
  const kind = raw & RAW_COLOR_KIND;
  if (kind === 0) return COLOR_DEFAULT;
  return kind === RAW_COLOR_RGB ? COLOR_RGB | (raw & RAW_COLOR_VALUE) : COLOR_PALETTE | (raw & 0xff);
}

/** 0 with a colour but no style means that only a hyperlink made the cell an extended one. */
export function underlineStyle(bg: number, extended: RawExtended | undefined): number {
  if ((bg & RAW_BG_EXTENDED) === 0 || extended === undefined) return UNDERLINE_SINGLE;
  return (extended._ext >>> RAW_EXT_UNDERLINE_SHIFT) & 7 || UNDERLINE_SINGLE;
}

export function foregroundFlags(fg: number): number {
  let flags = 0;
  if ((fg & RAW_FG_BOLD) !== 0) flags |= ATTR_BOLD;
  if ((fg & RAW_FG_INVERSE) !== 0) flags |= ATTR_INVERSE;
  if ((fg & RAW_FG_INVISIBLE) !== 0) flags |= ATTR_INVISIBLE;
  if ((fg & RAW_FG_BLINK) !== 0) flags |= ATTR_BLINK;
  if ((fg & RAW_FG_STRIKETHROUGH) !== 0) flags |= ATTR_STRIKETHROUGH;
  return flags;
}

export function backgroundFlags(bg: number): number {
  let flags = 0;
  if ((bg & RAW_BG_DIM) !== 0) flags |= ATTR_DIM;
  if ((bg & RAW_BG_ITALIC) !== 0) flags |= ATTR_ITALIC;
  if ((bg & RAW_BG_OVERLINE) !== 0) flags |= ATTR_OVERLINE;
  return flags;
}
