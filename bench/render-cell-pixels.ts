/** What one cell's pixels say: how well a template fits them, in which inks, and whether it is a missing character's box. */
import sharp from 'sharp';

export type Rgb = readonly [number, number, number];
/** Coverage, 0 to 1, by pixel and channel. */
export type Template = Float32Array;

export interface Raster {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

const GROUND_TOLERANCE = 3;
const INK_TOLERANCE = 12;
const SHADE_TOLERANCE = 48;
const FULL_INK = 0.97;
const INK = 0.5;
/** Coverage up to which a pixel is ground. */
const NO_INK = 0.01;
/** Mean coverage of a box's paper; full blocks hold every frame, too. */
const MOST_BLOT = 0.3;

export async function rasterOf(png: Buffer): Promise<Raster> {
  const { data, info } = await sharp(png)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

export function channelsOf(color: number): Rgb {
  return [(color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff];
}

/** Root mean square of 255. */
export function misfit(pixels: Uint8Array, template: Template, fg: Rgb, bg: Rgb): number {
  let sum = 0;
  for (let at = 0; at < pixels.length; at++) {
    const ground = bg[at % 3] ?? 0;
    sum += ((pixels[at] ?? 0) - ground - (template[at] ?? 0) * ((fg[at % 3] ?? 0) - ground)) ** 2;
  }
  return Math.sqrt(sum / pixels.length);
}

/** Of most of the pixels without ink: into single ones the shades of ink, or a neighbour, may reach. */
export function groundIs(pixels: Uint8Array, template: Template, bg: Rgb): boolean {
  let [ground, right] = [0, 0];
  for (let at = 0; at < pixels.length; at++) {
    if ((template[at] ?? 0) > NO_INK) continue;
    ground++;
    if (Math.abs((pixels[at] ?? 0) - (bg[at % 3] ?? 0)) <= GROUND_TOLERANCE) right++;
  }
  return right * 2 >= ground;
}

/** The two colours in which the template fits best: least squares, channel by channel. */
export function inksOf(pixels: Uint8Array, template: Template): { readonly fg: Rgb; readonly bg: Rgb } {
  const [red, green, blue] = [0, 1, 2].map((channel) => {
    let [count, sumX, sumY, sumXX, sumXY] = [0, 0, 0, 0, 0];
    for (let at = channel; at < pixels.length; at += 3) {
      const [x, y] = [template[at] ?? 0, pixels[at] ?? 0];
      count++;
      sumX += x;
      sumY += y;
      sumXX += x * x;
      sumXY += x * y;
    }
    const spread = count * sumXX - sumX * sumX;
    const slope = spread === 0 ? 0 : (count * sumXY - sumX * sumY) / spread;
    const ground = (sumY - slope * sumX) / count;
    return { fg: ground + slope, bg: ground };
  });
  return { fg: [red?.fg ?? 0, green?.fg ?? 0, blue?.fg ?? 0], bg: [red?.bg ?? 0, green?.bg ?? 0, blue?.bg ?? 0] };
}

/**
 * Whether the text has its colour: where ink is full, most pixels have it; where a thin letter has no such pixel, the ink that
 * fits all of its shades, which may be few, comes near it.
 */
export function hasInk(pixels: Uint8Array, template: Template, fg: Rgb): boolean {
  let [full, right] = [0, 0];
  for (let at = 0; at < pixels.length; at++) {
    if ((template[at] ?? 0) < FULL_INK) continue;
    full++;
    if (Math.abs((pixels[at] ?? 0) - (fg[at % 3] ?? 0)) <= INK_TOLERANCE) right++;
  }
  if (full > 0) return right * 2 >= full;
  const peak = peakOf(template);
  return inksOf(pixels, template).fg.every((value, at) => Math.abs(value - (fg[at] ?? 0)) * peak <= SHADE_TOLERANCE);
}

/** A template where it is, and one pixel to each side of it: letters move by so much among others. */
export function shiftsOf(template: Template, height: number): readonly Template[] {
  const width = template.length / 3 / height;
  const moves = [
    [0, 0],
    [0, 1],
    [0, -1],
    [1, 0],
    [-1, 0],
  ] as const;
  return moves.map(([dx, dy]) =>
    template.map((_, at) => {
      const pixel = Math.floor(at / 3);
      const x = (pixel % width) + dx;
      const y = Math.floor(pixel / width) + dy;
      return x < 0 || y < 0 || x >= width || y >= height ? 0 : (template[(y * width + x) * 3 + (at % 3)] ?? 0);
    }),
  );
}

export function difference(one: Template, two: Template): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += ((one[at] ?? 0) - (two[at] ?? 0)) ** 2;
  return Math.sqrt(sum / one.length);
}

export function peakOf(template: Template): number {
  return template.reduce((peak, value) => Math.max(peak, value), 0);
}

/**
 * Whether the box that all missing characters have in common, its frame and the paper around that, is in a template: anywhere
 * from its left to its right, for clusters of which only a part is missing.
 */
export function showsBox(template: Template, boxes: readonly Template[], height: number): boolean {
  const width = template.length / 3 / height;
  const boxWidth = (boxes[0]?.length ?? 0) / 3 / height;
  const at = (x: number, y: number): number => (y * boxWidth + x) * 3;
  const places = Array.from({ length: boxWidth * height }, (_, place): Place => [
    place % boxWidth,
    Math.floor(place / boxWidth),
  ]);
  const frame = places.filter(([x, y]) => boxes.every((box) => inkAt(box, at(x, y)) >= INK));
  const paper = places.filter(([x, y]) => boxes.every((box) => inkAt(box, at(x, y)) <= NO_INK));
  if (frame.length === 0) return false;
  for (let left = 0; left + boxWidth <= width; left++) {
    const inkIn = (some: readonly Place[]): number[] =>
      some.map(([x, y]) => inkAt(template, (y * width + x + left) * 3));
    const blot = inkIn(paper).reduce((sum, ink) => sum + ink, 0);
    if (blot <= paper.length * MOST_BLOT && inkIn(frame).every((ink) => ink >= INK * 0.7)) return true;
  }
  return false;
}

type Place = readonly [x: number, y: number];

/** Of the strongest channel: emoji have colours. */
function inkAt(template: Template, at: number): number {
  return Math.max(template[at] ?? 0, template[at + 1] ?? 0, template[at + 2] ?? 0);
}
