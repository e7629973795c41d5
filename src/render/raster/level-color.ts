/**
 * The colours between text and background, by how finely a picture can afford them. The two ends are always exact; what
 * lies between is antialiasing, which may be coarser where 256 colours must do for the whole screen.
 */
import { mixColors } from '../color.js';
import { TOP_LEVEL } from '../glyphs/glyph.js';

/** Finest first. `direct` is truecolour with the levels of `indexed-16`: the two show no difference. */
export const INDEXED_MODES = ['indexed-16', 'indexed-8', 'indexed-4', 'indexed-cube'] as const;
export type PaletteMode = (typeof INDEXED_MODES)[number] | 'direct';

const TOP_OF_MODE: Readonly<Record<PaletteMode, number>> = {
  'indexed-16': TOP_LEVEL,
  'indexed-8': 7,
  'indexed-4': 3,
  'indexed-cube': 7,
  direct: TOP_LEVEL,
};

/** The colour of one mask level, 0 to 15. */
export function levelColor(fg: number, bg: number, level: number, mode: PaletteMode): number {
  const top = TOP_OF_MODE[mode];
  const folded = top === TOP_LEVEL ? level : Math.round((level * top) / TOP_LEVEL);
  const color = mixColors(bg, fg, folded, top);
  return mode === 'indexed-cube' && folded > 0 && folded < top ? nearestOfCube(color) : color;
}

/** Four bits a channel: an emoji keeps its look and takes some 20 palette entries instead of 60. */
const PICTURE_STEP = 17;

/** The colour of a pixel of a colour glyph. */
export function pictureColor(rgb: number, mode: PaletteMode): number {
  return mode === 'indexed-cube' ? nearestOfCube(rgb) : perChannel(rgb, (value) => roundTo(value, PICTURE_STEP));
}

const CUBE_STEPS = [0, 95, 135, 175, 215, 255] as const;
const GREYEST = 12;

/** Nearest value of xterm's cube by channel value: a 256-colour screen has its colours in the palette anyway. */
const CUBE_NEAREST = Uint8Array.from({ length: 256 }, (_, value) =>
  CUBE_STEPS.reduce<number>((best, step) => (Math.abs(step - value) < Math.abs(best - value) ? step : best), 0),
);

/** Nearly grey colours take xterm's grey ramp, which is finer. */
function nearestOfCube(rgb: number): number {
  const r = (rgb >> 16) & 0xff;
  const g = (rgb >> 8) & 0xff;
  const b = rgb & 0xff;
  if (Math.max(r, g, b) - Math.min(r, g, b) > GREYEST) return perChannel(rgb, (value) => CUBE_NEAREST[value] ?? 0);
  const grey = Math.max(8, Math.min(238, roundTo((r + g + b) / 3 - 8, 10) + 8));
  return (grey << 16) | (grey << 8) | grey;
}

function perChannel(rgb: number, change: (value: number) => number): number {
  return (change((rgb >> 16) & 0xff) << 16) | (change((rgb >> 8) & 0xff) << 8) | change(rgb & 0xff);
}

function roundTo(value: number, step: number): number {
  return Math.round(value / step) * step;
}
