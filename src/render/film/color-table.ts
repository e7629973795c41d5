/** The colours of a part of a picture as at most 255 indices: exact if there are so few, else with fewer bits a channel. */
import type { Area } from './film.js';

export interface IndexedArea {
  readonly indices: Uint8Array;
  /** 0xRRGGBB by index; that of {@link KEPT} is any. */
  readonly colors: Uint32Array;
}

/** Index of pixels that stay as they are, if those are not drawn again. */
export const KEPT = 0;
/** Most colours. With that index they fit into a byte. */
const MAX_COLORS = 255;
/** Two bits a channel are 64 colours: that fits always. */
const CHANNEL_BITS = [8, 6, 5, 4, 3, 2] as const;

/** Four times the colours: chains stay short. */
const SLOT_BITS = 10;
const SLOT_MASK = (1 << SLOT_BITS) - 1;
/** Fibonacci hashing: 2 ** 32 divided by the golden ratio. */
const SPREAD = 0x9e3779b1;
const FREE = -1;

/** Colours of the part that is being indexed, and their indices, by the colour. */
const slotColors = new Int32Array(1 << SLOT_BITS);
const slotIndices = new Uint8Array(1 << SLOT_BITS);

/** @param previous pixels that are the same there are {@link KEPT}; undefined: all are drawn */
export function indexedFrame(
  pixels: Uint32Array,
  area: Area,
  { width, previous }: Omit<Indexing, 'levels'>,
): IndexedArea {
  const indices = new Uint8Array(area.width * area.height);
  for (const bits of CHANNEL_BITS) {
    const levels = bits === 8 ? undefined : levelsOf(bits);
    const colors = indexWith(indices, pixels, area, { width, previous, levels });
    if (colors !== undefined) return { indices, colors };
  }
  throw new Error('64 colours do not fit into 255 indices');
}

interface Indexing {
  /** Width of the whole picture. */
  readonly width: number;
  readonly previous: Uint32Array | undefined;
  /** Level of each value of a channel; undefined keeps them. */
  readonly levels: Uint8Array | undefined;
}

/** @returns the colours; undefined if there are too many */
function indexWith(
  indices: Uint8Array,
  pixels: Uint32Array,
  area: Area,
  { width, previous, levels }: Indexing,
): Uint32Array | undefined {
  let count = previous === undefined ? 0 : KEPT + 1;
  const maxCount = count + MAX_COLORS;
  const colors = new Uint32Array(maxCount);
  let last = -1;
  let lastIndex = 0;
  let at = 0;
  slotColors.fill(FREE);
  for (let y = area.top; y < area.top + area.height; y++) {
    const start = y * width + area.left;
    for (let x = start; x < start + area.width; x++, at++) {
      const rgb = pixels[x] as number;
      if (previous !== undefined && rgb === previous[x]) {
        indices[at] = KEPT;
        continue;
      }
      if (rgb !== last) {
        last = rgb;
        const color = levels === undefined ? rgb : coarse(rgb, levels);
        let slot = Math.imul(color, SPREAD) >>> (32 - SLOT_BITS);
        while (slotColors[slot] !== color && slotColors[slot] !== FREE) slot = (slot + 1) & SLOT_MASK;
        if (slotColors[slot] === FREE) {
          if (count === maxCount) return undefined;
          slotColors[slot] = color;
          slotIndices[slot] = count;
          colors[count++] = color;
        }
        lastIndex = slotIndices[slot] as number;
      }
      indices[at] = lastIndex;
    }
  }
  return colors.subarray(0, count);
}

function coarse(rgb: number, levels: Uint8Array): number {
  const [red, green, blue] = [levels[rgb >> 16], levels[(rgb >> 8) & 0xff], levels[rgb & 0xff]] as [
    number,
    number,
    number,
  ];
  return (red << 16) | (green << 8) | blue;
}

/** The middle of what shares its highest bits; white and black stay what they are. */
function levelsOf(bits: number): Uint8Array {
  const most = (1 << bits) - 1;
  return Uint8Array.from({ length: 256 }, (_, value) => Math.round((Math.round((value * most) / 255) * 255) / most));
}
