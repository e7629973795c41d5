/** The colours of a part of a picture as at most 255 indices: exact if there are so few, else with fewer bits a channel. */
import type { Area } from './film.js';

export interface IndexedArea {
  readonly indices: Uint8Array;
  /** 0xRRGGBB by index. */
  readonly colors: readonly number[];
}

/** One index is left for pixels that stay as they are. */
const MAX_COLORS = 255;
/** Two bits a channel are 64 colours: that fits always. */
const CHANNEL_BITS = [8, 6, 5, 4, 3, 2] as const;

/** @param width of the whole picture */
export function indexed(pixels: Uint32Array, area: Area, width: number): IndexedArea {
  for (const bits of CHANNEL_BITS) {
    const found = indexedWith(pixels, area, width, bits);
    if (found !== undefined) return found;
  }
  throw new Error('64 colours do not fit into 255 indices');
}

function indexedWith(pixels: Uint32Array, area: Area, width: number, bits: number): IndexedArea | undefined {
  const indices = new Uint8Array(area.width * area.height);
  const indexOf = new Map<number, number>();
  let last = -1;
  let lastIndex = 0;
  let at = 0;
  for (let y = area.top; y < area.top + area.height; y++) {
    for (let x = area.left; x < area.left + area.width; x++) {
      const rgb = pixels[y * width + x] as number;
      if (rgb !== last) {
        last = rgb;
        const color = bits === 8 ? rgb : coarse(rgb, bits);
        const known = indexOf.get(color);
        if (known === undefined && indexOf.size === MAX_COLORS) return undefined;
        lastIndex = known ?? indexOf.size;
        if (known === undefined) indexOf.set(color, lastIndex);
      }
      indices[at++] = lastIndex;
    }
  }
  return { indices, colors: [...indexOf.keys()] };
}

/** The middle of what shares its highest bits; white and black stay what they are. */
function coarse(rgb: number, bits: number): number {
  const most = (1 << bits) - 1;
  const channel = (shift: number): number => {
    const level = Math.round((((rgb >> shift) & 0xff) * most) / 255);
    return Math.round((level * 255) / most) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}
