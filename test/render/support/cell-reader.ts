/**
 * Reads cells of 8x16 pixels back into character, face, lines and colours. Shares nothing with the renderer: its templates
 * are drawn here, straight from the font files, and its lines are bitmaps written by hand.
 */
import { join } from 'node:path';
import { createCanvas, GlobalFonts } from '@napi-rs/canvas';

import type { Pixels } from './pixels.js';
import { FONTS_DIR } from './test-renderer.js';

const WIDTH = 8;
const HEIGHT = 16;
const BASELINE = 12;
const SHIFT = 0.5;
const EM_PIXELS = WIDTH / 0.602;

export const CHARACTERS = Array.from({ length: 95 }, (_, at) => String.fromCharCode(0x20 + at)).join('') + 'éßŽλ█▀▌';
export const FACES = ['regular', 'bold', 'italic', 'bold-italic'] as const;

const FILES: Readonly<Record<(typeof FACES)[number], string>> = {
  regular: 'dejavu-sans-mono',
  bold: 'dejavu-sans-mono-bold',
  italic: 'dejavu-sans-mono-oblique',
  'bold-italic': 'dejavu-sans-mono-bold-oblique',
};
/** The 1 is not of the face of all others. */
const FILES_OF_1: typeof FILES = {
  regular: 'jetbrains-mono-regular',
  bold: 'jetbrains-mono-bold',
  italic: 'jetbrains-mono-italic',
  'bold-italic': 'jetbrains-mono-bold-italic',
};

export interface ReadCell {
  readonly character: string;
  readonly face: (typeof FACES)[number];
  /** SGR 4:n. */
  readonly underline: number;
  readonly strikethrough: boolean;
  readonly overline: boolean;
  readonly bg: number;
  /** Undefined where nothing is drawn; exact only where `fgExact`. */
  readonly fg: number | undefined;
  readonly fgExact: boolean;
}

/** Rows of the cell from the top, 0 to 15: coverage in sixteenths as one hexadecimal digit a pixel. */
const UNDERLINES: readonly Readonly<Record<number, string>>[] = [
  {},
  { 14: 'ffffffff' },
  { 13: 'ffffffff', 15: 'ffffffff' },
  { 12: '30000003', 13: 'f900009f', 14: '5dd55dd5', 15: '009ff900' },
  { 14: 'f0f0f0f0' },
  { 14: 'ff0000ff' },
];
const STRIKETHROUGH = { 8: 'ffffffff' };
const OVERLINE = { 0: 'ffffffff' };
/** On a capital the faces have it above the cell: it belongs on the first rows, and its letter, a row lower, on the baseline. */
const CARON: Readonly<Record<(typeof FACES)[number], Readonly<Record<number, string>>>> = {
  regular: { 0: '004c1c40', 1: '0007e700' },
  bold: { 0: '009b2b90', 1: '000bfb00' },
  italic: { 0: '0005a3c3', 1: '0000cd20' },
  'bold-italic': { 0: '000c83d6', 1: '0003fe50' },
};
/** Of the Z that has it: a row of its diagonal, which the letter can do without. */
const ROW_LEFT_OUT: Readonly<Record<(typeof FACES)[number], number>> = {
  regular: 6,
  bold: 5,
  italic: 5,
  'bold-italic': 5,
};
/** Rows that no line ever touches. */
const CLEAN_ROWS = [1, 2, 3, 4, 5, 6, 7, 9, 10, 11];

interface Template {
  readonly character: string;
  readonly face: (typeof FACES)[number];
  readonly coverage: Float32Array;
}

const BLOCKS: Readonly<Record<string, (x: number, y: number) => boolean>> = {
  '█': () => true,
  '▀': (_, y) => y < HEIGHT / 2,
  '▌': (x) => x < WIDTH / 2,
};

/** Squared error of a cell whose every pixel agrees but for rounding. */
const SURE = 0.3;

/** Squared distance of an ink that was worked out from its paler shades. */
const SAME_INK = 300;
/** Two sixteenths. */
const ALIKE = 0.125;

const templates = FACES.flatMap((face) => Array.from(CHARACTERS, (character) => templateOf(character, face)));
const lines = UNDERLINES.flatMap((underline, style) =>
  [false, true].flatMap((strikethrough) =>
    [false, true].map((overline) => ({
      underline: style,
      strikethrough,
      overline,
      coverage: lineCoverage({ ...underline, ...(strikethrough && STRIKETHROUGH), ...(overline && OVERLINE) }),
    })),
  ),
);

type Shape = Pick<ReadCell, 'character' | 'face' | 'underline' | 'strikethrough' | 'overline'>;

/**
 * Whether two cells have the same pixels, so that no reader can distinguish them: obliques leave signs such as `=` and `*`
 * upright, and a line hides what lies under it.
 */
export function looksAlike(a: Shape, b: Shape): boolean {
  const one = coverageOf(a);
  const other = coverageOf(b);
  return one.every((value, at) => Math.abs(value - other[at]!) < ALIKE);
}

function coverageOf({ character, face, underline, strikethrough, overline }: Shape): Float32Array {
  const template = templates.find((each) => each.character === character && each.face === face)!;
  const line = lines.find(
    (each) => each.underline === underline && each.strikethrough === strikethrough && each.overline === overline,
  )!;
  return template.coverage.map((value, at) => Math.max(value, line.coverage[at]!));
}

/** `inks`: the colours that occur on the screen; thin letters whose bold is the same shape differ in strength alone. */
export function readCell(pixels: Pixels, row: number, col: number, inks: readonly number[]): ReadCell {
  const colors = Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
    pixels.at(col * WIDTH + (at % WIDTH), row * HEIGHT + Math.floor(at / WIDTH)),
  );
  if (colors.every((color) => color === colors[0])) return plain(colors[0]!);
  const [a, b] = farthest(colors);
  const count = (color: number): number => colors.filter((each) => each === color).length;
  const [likely, other] = count(a) >= count(b) ? [a, b] : [b, a];
  const first = reading(colors, likely, other, inks);
  if (first.error < SURE) return first.cell;
  const second = reading(colors, other, likely, inks);
  return first.error <= second.error ? first.cell : second.cell;
}

function plain(color: number): ReadCell {
  const nothing = { underline: 0, strikethrough: false, overline: false, fg: undefined, fgExact: false } as const;
  return { character: ' ', face: 'regular', bg: color, ...nothing };
}

function reading(
  colors: readonly number[],
  bg: number,
  ink: number,
  inks: readonly number[],
): { readonly error: number; readonly cell: ReadCell } {
  const share = Float32Array.from(colors, (color) => along(bg, ink, color));
  // Ink may never be full in a thin letter: templates are compared as shares of their own strongest pixel.
  const shortlist = templates
    .map((template) => ({ template, error: cleanError(share, template) }))
    .sort((x, y) => x.error - y.error)
    .slice(0, 14);
  let best = { error: Infinity, peak: 1, template: shortlist[0]!.template, line: lines[0]! };
  for (const { template } of shortlist) {
    for (const line of lines) {
      const { error: shapeError, peak } = wholeError(share, template.coverage, line.coverage, best.error);
      const full = beyond(bg, ink, 1 / peak);
      const nearest = Math.min(...inks.map((each) => distance(each, full)));
      const error = shapeError + SURE * Math.min(1, nearest / SAME_INK);
      if (error < best.error - 1e-6) best = { error, peak, template, line };
    }
  }
  const { template, line, peak } = best;
  const { underline, strikethrough, overline } = line;
  const fgExact = peak > 0.99;
  const fg = fgExact ? ink : beyond(bg, ink, 1 / peak);
  return {
    error: best.error,
    cell: { character: template.character, face: template.face, underline, strikethrough, overline, bg, fg, fgExact },
  };
}

function cleanError(share: Float32Array, { coverage }: Template): number {
  let product = 0;
  let square = 0;
  for (const y of CLEAN_ROWS) {
    for (let at = y * WIDTH; at < (y + 1) * WIDTH; at++) {
      product += coverage[at]! * share[at]!;
      square += coverage[at]! ** 2;
    }
  }
  // Lines may hold the strongest pixel, and thin letters no full one: the scale is nearly, not quite, one.
  const scale = square === 0 ? 0 : Math.max(0.7, Math.min(1.4, product / square));
  let error = 0;
  for (const y of CLEAN_ROWS) {
    for (let at = y * WIDTH; at < (y + 1) * WIDTH; at++) error += (share[at]! - scale * coverage[at]!) ** 2;
  }
  return error;
}

function wholeError(
  share: Float32Array,
  glyph: Float32Array,
  line: Float32Array,
  enough: number,
): { readonly error: number; readonly peak: number } {
  let peak = 0;
  for (let at = 0; at < share.length; at++) peak = Math.max(peak, glyph[at]!, line[at]!);
  if (peak === 0) return { error: Infinity, peak: 1 };
  let error = 0;
  for (let at = 0; at < share.length && error < enough; at++) {
    error += (share[at]! - Math.max(glyph[at]!, line[at]!) / peak) ** 2;
  }
  return { error, peak };
}

function templateOf(character: string, face: (typeof FACES)[number]): Template {
  const block = character === '_' ? underscoreOf(face) : BLOCKS[character];
  if (block !== undefined) {
    const coverage = Float32Array.from({ length: WIDTH * HEIGHT }, (_, at) =>
      block(at % WIDTH, Math.floor(at / WIDTH)) ? 1 : 0,
    );
    return { character, face, coverage };
  }
  if (character === 'Ž') {
    const caron = lineCoverage(CARON[face]);
    const letter = letterCoverage('Z', face, BASELINE);
    letter.copyWithin(WIDTH, 0, ROW_LEFT_OUT[face] * WIDTH);
    return { character, face, coverage: letter.map((value, at) => Math.max(value, caron[at]!)) };
  }
  return { character, face, coverage: letterCoverage(character, face, BASELINE) };
}

function letterCoverage(character: string, face: (typeof FACES)[number], baseline: number): Float32Array {
  const file = character === '1' ? FILES_OF_1[face] : FILES[face];
  const family = `apart ${file}`;
  if (!GlobalFonts.has(family)) GlobalFonts.registerFromPath(join(FONTS_DIR, `${file}.ttf`), family);
  const context = createCanvas(WIDTH, HEIGHT).getContext('2d');
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = '#fff';
  const emPixels = character === '1' ? WIDTH / 0.6 : EM_PIXELS;
  context.font = `${emPixels}px "${family}"`;
  context.fillText(character, SHIFT, baseline);
  const { data } = context.getImageData(0, 0, WIDTH, HEIGHT);
  return Float32Array.from({ length: WIDTH * HEIGHT }, (_, at) => data[at * 4]! / 255);
}

function underscoreOf(face: (typeof FACES)[number]): (x: number, y: number) => boolean {
  return (_, y) => y === 13 || (y === 14 && face.startsWith('bold'));
}

function lineCoverage(rows: Readonly<Record<number, string>>): Float32Array {
  const coverage = new Float32Array(WIDTH * HEIGHT);
  for (const [y, digits] of Object.entries(rows)) {
    for (let x = 0; x < WIDTH; x++) coverage[Number(y) * WIDTH + x] = Number.parseInt(digits[x]!, 16) / 15;
  }
  return coverage;
}

/** The two colours of a cell that differ most: the ground is one of them, the strongest ink the other. */
function farthest(colors: readonly number[]): readonly [number, number] {
  const distinct = [...new Set(colors)];
  let best: readonly [number, number] = [distinct[0]!, distinct[1]!];
  for (const a of distinct) for (const b of distinct) if (distance(a, b) > distance(...best)) best = [a, b];
  return best;
}

function channels(rgb: number): readonly [number, number, number] {
  return [(rgb >> 16) & 0xff, (rgb >> 8) & 0xff, rgb & 0xff];
}

function distance(a: number, b: number): number {
  const other = channels(b);
  return channels(a).reduce((sum, value, at) => sum + (value - other[at]!) ** 2, 0);
}

function along(from: number, to: number, color: number): number {
  const start = channels(from);
  const end = channels(to);
  const dot = channels(color).reduce((sum, value, at) => sum + (value - start[at]!) * (end[at]! - start[at]!), 0);
  return dot / distance(from, to);
}

function beyond(from: number, to: number, factor: number): number {
  const end = channels(to);
  const [r, g, b] = channels(from).map((value, at) =>
    Math.max(0, Math.min(255, Math.round(value + (end[at]! - value) * factor))),
  );
  return (r! << 16) | (g! << 8) | b!;
}
