/** A glyph as pixels of one cell (or of two, when wide): either a mask in the text's colour or a picture of its own. */
export const INK_LEVELS = 16;
export const TOP_LEVEL = INK_LEVELS - 1;
/** A bit for each. */
export const ALL_LEVELS = (1 << INK_LEVELS) - 1;

export const STYLE_BOLD = 1;
export const STYLE_ITALIC = 2;
/** The grapheme covers two cells. */
export const STYLE_WIDE = 4;

export interface MaskGlyph {
  readonly kind: 'mask';
  readonly width: number;
  readonly height: number;
  /** 0 (background) to 15 (foreground), row by row. */
  readonly levels: Uint8Array;
  /** The same, four at a time; undefined if a line has no whole number of those. */
  readonly words: Int32Array | undefined;
  /** Bit n is set where level n occurs. */
  readonly used: number;
  /** Lines that hold ink: first, and one past the last. */
  readonly inkTop: number;
  readonly inkBottom: number;
  /** Drawn by a sprite: part of a picture rather than text, so its colours are never adjusted. */
  readonly graphic: boolean;
}

export interface ColorGlyph {
  readonly kind: 'color';
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB by pixel. */
  readonly colors: Uint32Array;
  /** 0 to 15: how much of the colour covers the background. */
  readonly levels: Uint8Array;
  readonly graphic: boolean;
}

export type Glyph = MaskGlyph | ColorGlyph;

/** `alpha`: 0..255 by pixel. */
export function maskGlyph(
  width: number,
  height: number,
  alpha: Uint8Array | Uint8ClampedArray,
  graphic = false,
): MaskGlyph {
  return maskOfLevels(
    width,
    height,
    Uint8Array.from({ length: width * height }, (_, at) => quantise(alpha[at] ?? 0)),
    graphic,
  );
}

function maskOfLevels(width: number, height: number, levels: Uint8Array, graphic: boolean): MaskGlyph {
  const used = levels.reduce((bits, level) => bits | (1 << level), 0);
  const first = levels.findIndex(isInk);
  const inkTop = first < 0 ? height : Math.floor(first / width);
  const inkBottom = first < 0 ? height : Math.floor(levels.findLastIndex(isInk) / width) + 1;
  const words = width % 4 === 0 ? new Int32Array(levels.buffer, levels.byteOffset, levels.length >> 2) : undefined;
  return { kind: 'mask', width, height, levels, words, used, inkTop, inkBottom, graphic };
}

export function quantise(alpha: number): number {
  return Math.round((alpha * TOP_LEVEL) / 255);
}

/** The glyph with its pixels taken from elsewhere: `source` gives the old index of each new pixel. */
export function remapped(glyph: Glyph, width: number, height: number, source: (x: number, y: number) => number): Glyph {
  const from = Uint32Array.from({ length: width * height }, (_, at) => source(at % width, Math.floor(at / width)));
  const levels = Uint8Array.from(from, (index) => glyph.levels[index] ?? 0);
  if (glyph.kind === 'mask') return maskOfLevels(width, height, levels, glyph.graphic);
  return { ...glyph, width, height, levels, colors: Uint32Array.from(from, (index) => glyph.colors[index] ?? 0) };
}

function isInk(level: number): boolean {
  return level > 0;
}
