/** Pixels as sixels: bands of six rows, one pass a colour. https://vt100.net/docs/vt3xx-gp/chapter14.html */
import { sixelPicture } from '../../../mirror/outer-sequences.js';
import type { Pixels } from '../../../base/png-pixels.js';

/** Colours that every terminal with sixels has. */
const MAX_COLORS = 256;
const BAND_ROWS = 6;

export function sixel(pixels: Pixels): string {
  const { width, height } = pixels;
  const { indices, palette } = indexed(pixels);
  const registers = palette.map(
    (color, i) => `#${i};2;${percent(color >> 16)};${percent(color >> 8)};${percent(color)}`,
  );
  const bands: string[] = [];
  for (let top = 0; top < height; top += BAND_ROWS)
    bands.push(band(indices, width, top, Math.min(height, top + BAND_ROWS)));
  // The raster attributes: square pixels, the size.
  return sixelPicture(`"1;1;${width};${height}${registers.join('')}${bands.join('-')}`);
}

function band(indices: Uint8Array, width: number, top: number, bottom: number): string {
  const masks = new Map<number, Uint8Array>();
  for (let y = top; y < bottom; y++) {
    for (let x = 0; x < width; x++) {
      const color = indices[y * width + x] ?? 0;
      let mask = masks.get(color);
      if (mask === undefined) masks.set(color, (mask = new Uint8Array(width)));
      mask[x] = (mask[x] ?? 0) | (1 << (y - top));
    }
  }
  return Array.from(masks, ([color, mask]) => `#${color}${runs(mask)}`).join('$');
}

/** `!n` repeats; shorter runs are shorter as they are. */
function runs(mask: Uint8Array): string {
  let text = '';
  for (let start = 0; start < mask.length;) {
    let end = start + 1;
    while (end < mask.length && mask[end] === mask[start]) end++;
    const character = String.fromCharCode(0x3f + (mask[start] ?? 0));
    text += end - start > 3 ? `!${end - start}${character}` : character.repeat(end - start);
    start = end;
  }
  return text;
}

/** Colours with as many bits of each channel as leave few enough of them: 8, then fewer. */
function indexed({ colors }: Pixels): { indices: Uint8Array; palette: readonly number[] } {
  for (let bits = 8; ; bits--) {
    const mask = (0xff << (8 - bits)) & 0xff;
    const rgbMask = (mask << 16) | (mask << 8) | mask;
    const numbers = new Map<number, number>();
    const indices = new Uint8Array(colors.length);
    for (let i = 0; i < colors.length && numbers.size <= MAX_COLORS; i++) {
      const color = (colors[i] ?? 0) & rgbMask;
      let number = numbers.get(color);
      if (number === undefined) numbers.set(color, (number = numbers.size));
      indices[i] = number;
    }
    if (numbers.size <= MAX_COLORS) return { indices, palette: [...numbers.keys()] };
  }
}

const percent = (channel: number): number => Math.round(((channel & 0xff) * 100) / 255);
