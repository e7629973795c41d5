/**
 * The screen as a plain value, for every reader (text, picture, waits).
 *
 * A snapshot never changes after it was taken and holds no terminal, so it may cross an `await` or a thread. Rows are
 * shared: a row with unchanged content is the very same object in the next snapshot, even if it moved (scrolling).
 * Readers may therefore use a row's identity as a cache key. This file imports nothing, on purpose: it is the one file
 * of vt/ that render/ may import values from.
 */

/** Words per cell in {@link SnapshotRow.cells}: grapheme, foreground, background, attributes. */
export const CELL_WORDS = 4;
export const CELL_GRAPHEME = 0;
export const CELL_FG = 1;
export const CELL_BG = 2;
export const CELL_ATTRS = 3;

/**
 * Grapheme word: a code point (0 = empty cell, drawn as a space), or with this bit an index into
 * {@link SnapshotRow.clusters} for anything longer than one code point.
 */
export const GRAPHEME_CLUSTER = 0x8000_0000;

/** Colour word: kind in the top byte, value below it. */
export const COLOR_DEFAULT = 0;
/** `COLOR_PALETTE | index` with index 0..255. */
export const COLOR_PALETTE = 0x0100_0000;
/** `COLOR_RGB | 0xRRGGBB`. */
export const COLOR_RGB = 0x0200_0000;
export const COLOR_KIND_MASK = 0xff00_0000;
export const COLOR_VALUE_MASK = 0x00ff_ffff;

/** Attribute word: flags, then two small fields. */
export const ATTR_BOLD = 1 << 0;
export const ATTR_DIM = 1 << 1;
export const ATTR_ITALIC = 1 << 2;
export const ATTR_INVERSE = 1 << 3;
export const ATTR_INVISIBLE = 1 << 4;
export const ATTR_BLINK = 1 << 5;
export const ATTR_STRIKETHROUGH = 1 << 6;
export const ATTR_OVERLINE = 1 << 7;
/** Cells that the grapheme covers: 1 or 2; 0 marks the right half of a wide one. */
export const ATTR_WIDTH_SHIFT = 8;
export const ATTR_WIDTH_MASK = 3 << ATTR_WIDTH_SHIFT;
/** 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed (the numbers of SGR 4:n). */
export const ATTR_UNDERLINE_SHIFT = 10;
export const ATTR_UNDERLINE_MASK = 7 << ATTR_UNDERLINE_SHIFT;

export type LineSize = 'single' | 'double-width' | 'double-top' | 'double-bottom';

export interface SnapshotRow {
  /** `cols * CELL_WORDS` words; every cell of the row is present, also past the end of the text. */
  readonly cells: Uint32Array;
  readonly clusters: readonly string[];
  /** Underline colour words by column; absent if the underline has the text's colour. */
  readonly underlineColors: ReadonlyMap<number, number> | undefined;
  /** Hyperlink targets (OSC 8) by column. */
  readonly links: ReadonlyMap<number, string> | undefined;
  /** The row continues the one above (soft wrap). */
  readonly wrapped: boolean;
  readonly lineSize: LineSize;
}

export type CursorShape = 'block' | 'underline' | 'bar';

export interface SnapshotCursor {
  /** 0-based, in the viewport. `col` equals `cols` while a wrap is pending. */
  readonly row: number;
  readonly col: number;
  readonly visible: boolean;
  readonly shape: CursorShape;
  readonly blink: boolean;
}

/** Colours reported to a program that has set none of its own: those of the theme, as 0xRRGGBB. */
export interface ReportedColors {
  readonly foreground: number;
  readonly background: number;
  readonly cursor: number;
  /** 256 entries. */
  readonly palette: ArrayLike<number>;
}

/** Colours that the program itself has set (OSC 4, 10, 11, 12), as 0xRRGGBB; undefined for the theme's. */
export interface DynamicColors {
  readonly palette: ReadonlyMap<number, number>;
  readonly foreground: number | undefined;
  readonly background: number | undefined;
  readonly cursor: number | undefined;
}

export interface Snapshot {
  readonly cols: number;
  readonly rows: number;
  /** Revision of the screen. */
  readonly rev: number;
  /** The viewport, top to bottom, exactly `rows` long. */
  readonly lines: readonly SnapshotRow[];
  readonly cursor: SnapshotCursor;
  readonly colors: DynamicColors;
  /** DECSCNM: the whole screen is drawn inverted. */
  readonly reverseScreen: boolean;
  readonly altScreen: boolean;
  readonly title: string;
}

/** The grapheme of one cell; '' if the cell is empty or the right half of a wide one. */
export function graphemeAt(row: SnapshotRow, col: number): string {
  const word = row.cells[col * CELL_WORDS + CELL_GRAPHEME] ?? 0;
  if (word === 0) return '';
  return (word & GRAPHEME_CLUSTER) !== 0 ? (row.clusters[word & 0x7fff_ffff] ?? '') : String.fromCodePoint(word);
}

/** Lines of the alternate screen have lasting numbers from here on, which no line of the normal screen has. */
export const FIRST_ALTERNATE = 2 ** 40;

/**
 * The lines from `top` to `bottom` have moved up by so many lines; down, if negative. The first `blank` of those that left
 * had no text: from `top` on, or from `bottom` on upwards.
 */
export interface RowShift {
  readonly change: 'shifted';
  readonly top: number;
  readonly bottom: number;
  readonly count: number;
  readonly blank: number;
}

/** Change of rows of the screen that is shown, by lasting numbers. */
export type RowChange =
  /** The lines from `from` on are blank. `left`, if the whole screen was erased: first line that was not written yet. */
  | { readonly change: 'erased'; readonly from: number; readonly left?: number }
  | { readonly change: 'written'; readonly first: number; readonly last: number }
  | RowShift
  /** The other screen is shown. `left`: first line of the one before that was not written yet. */
  | { readonly change: 'screen'; readonly alternate: boolean; readonly left: number }
  /** A reset: there is nothing on the screen, and no scrollback. `left`: first line that was not written yet. */
  | { readonly change: 'reset'; readonly left: number };
