/** The inner loops: masks and rectangles into a buffer of pixels. One function per loop, so that each stays monomorphic. */
import { mixColors } from '../color.js';
import { type ColorGlyph, type Glyph, type MaskGlyph, TOP_LEVEL } from '../glyphs/glyph.js';
import type { CellColorRules } from './cell-colors.js';
import type { PixelBuffer } from '../png/lines.js';
import type { ColorRun, PixelPalette } from './palette.js';

export interface PixelTarget {
  readonly pixels: PixelBuffer;
  /** The same memory, if it is bytes: four are written at once. */
  readonly view?: DataView | undefined;
  /** Pixels per line. */
  readonly stride: number;
  /** Index of the pixel that `left` 0, top 0 stands for. */
  readonly origin: number;
  readonly palette: PixelPalette;
}

export function fillRect(
  { pixels, stride, origin }: PixelTarget,
  left: number,
  top: number,
  width: number,
  height: number,
  value: number,
): void {
  const first = origin + top * stride + left;
  if (pixels instanceof Uint8Array) fillBytes(pixels, stride, first, width, height, value);
  else fillWords(pixels, stride, first, width, height, value);
}

/** Fills a cell: a call of `fill` for each of its lines takes several times as long. */
function fillBytes(
  pixels: Uint8Array,
  stride: number,
  first: number,
  width: number,
  height: number,
  value: number,
): void {
  for (let y = 0, start = first; y < height; y++, start += stride) {
    for (let at = start; at < start + width; at++) pixels[at] = value;
  }
}

function fillWords(
  pixels: Uint32Array,
  stride: number,
  first: number,
  width: number,
  height: number,
  value: number,
): void {
  for (let y = 0, start = first; y < height; y++, start += stride) {
    for (let at = start; at < start + width; at++) pixels[at] = value;
  }
}

/** `blank`: the box is filled with the run's background already, so that lines without ink are left alone. */
export function blitMask(target: PixelTarget, left: number, glyph: MaskGlyph, run: ColorRun, blank: boolean): void {
  const { pixels, stride, origin, view } = target;
  const top = blank ? glyph.inkTop : 0;
  const bottom = blank ? glyph.inkBottom : glyph.height;
  const start = origin + left + top * stride;
  if (view !== undefined && glyph.words !== undefined) {
    blitFours(view, stride, start, glyph.words, glyph.width >> 2, top, bottom, run.values);
  } else if (pixels instanceof Uint8Array) blitBytes(pixels, stride, start, glyph, top, bottom, run.values);
  else blitWords(pixels, stride, start, glyph, top, bottom, run.values);
}

/** Half of them are background alone. */
function blitFours(
  view: DataView,
  stride: number,
  start: number,
  words: Int32Array,
  width: number,
  top: number,
  bottom: number,
  values: PixelBuffer,
): void {
  const background = Math.imul(values[0] as number, 0x0101_0101);
  let from = top * width;
  for (let y = top, line = start; y < bottom; y++, line += stride) {
    for (let to = line; to < line + 4 * width; to += 4) {
      const levels = words[from++] as number;
      const four =
        levels === 0
          ? background
          : (values[levels & 0xff] as number) |
            ((values[(levels >> 8) & 0xff] as number) << 8) |
            ((values[(levels >> 16) & 0xff] as number) << 16) |
            ((values[levels >>> 24] as number) << 24);
      view.setInt32(to, four, true);
    }
  }
}

function blitBytes(
  pixels: Uint8Array,
  stride: number,
  start: number,
  { levels, width }: MaskGlyph,
  top: number,
  bottom: number,
  values: PixelBuffer,
): void {
  let from = top * width;
  for (let y = top, line = start; y < bottom; y++, line += stride) {
    for (let to = line; to < line + width; to++) pixels[to] = values[levels[from++] as number] as number;
  }
}

function blitWords(
  pixels: Uint32Array,
  stride: number,
  start: number,
  { levels, width }: MaskGlyph,
  top: number,
  bottom: number,
  values: PixelBuffer,
): void {
  let from = top * width;
  for (let y = top, line = start; y < bottom; y++, line += stride) {
    for (let to = line; to < line + width; to++) pixels[to] = values[levels[from++] as number] as number;
  }
}

/** A line over a glyph: where both have ink, the stronger wins. `offset` is the line's place within a wide glyph. */
export function overlayMask(
  { pixels, stride, origin }: PixelTarget,
  left: number,
  line: MaskGlyph,
  run: ColorRun,
  under: Glyph | undefined,
  offset: number,
): void {
  for (let y = 0; y < line.height; y++) {
    for (let x = 0; x < line.width; x++) {
      const level = line.levels[y * line.width + x] ?? 0;
      const below = under === undefined ? 0 : (under.levels[y * under.width + offset + x] ?? 0);
      if (level > 0 && level >= below) pixels[origin + y * stride + left + x] = run.values[level] ?? 0;
    }
  }
}

/** The colours of such a glyph's pixels. */
export function colorsOver({ colors, levels }: ColorGlyph, bg: number, rules: CellColorRules): Set<number> {
  const all = new Set<number>();
  for (const [at, level] of levels.entries()) {
    if (level !== 0) all.add(mixColors(bg, rules.fade(colors[at] ?? 0), level, TOP_LEVEL));
  }
  return all;
}

/** A glyph of its own colours over a background that is painted already. */
export function blitColors(
  { pixels, stride, origin, palette }: PixelTarget,
  left: number,
  glyph: ColorGlyph,
  bg: number,
  rules: CellColorRules,
): void {
  const { colors, levels, width, height } = glyph;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = y * width + x;
      const level = levels[from] ?? 0;
      if (level === 0) continue;
      pixels[origin + y * stride + left + x] = palette.pictureValue(
        mixColors(bg, rules.fade(colors[from] ?? 0), level, TOP_LEVEL),
      );
    }
  }
}

/** Pixels of the row that is being painted, in memory that is kept from one row and picture to the next. */
export class PixelArena {
  #bytes = new Uint8Array(0);
  #words = new Uint32Array(0);

  /** All zeros. What was taken before may be overwritten from now on. */
  bytes(length: number): Uint8Array {
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(length);
    return this.#bytes.subarray(0, length).fill(0);
  }

  words(length: number, value: number): Uint32Array {
    if (this.#words.length < length) this.#words = new Uint32Array(length);
    return this.#words.subarray(0, length).fill(value);
  }

  /** Lets go what is too large to be kept. */
  trim(): void {
    if (this.#bytes.length > MAX_KEPT) this.#bytes = new Uint8Array(0);
    if (this.#words.length * 4 > MAX_KEPT) this.#words = new Uint32Array(0);
  }
}

/** 1 MiB: a row of 200 cells of 20x40 pixels takes 160 KB in palette indices and 640 KB in truecolour. */
const MAX_KEPT = 1 << 20;
