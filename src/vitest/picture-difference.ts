/** Difference of a picture from its snapshot: in its cells, its size, or its pixels. */
import { pixelsOfPng, type Pixels } from '../base/png-pixels.js';
import type { Picture } from '../client/index.js';
import { pngOf, pngText, withText } from './png.js';

const KEYWORD = 't4a';
const RED = 0xff_00_00;
/** Lightest of the pale greys over which the difference is drawn. */
const LIGHTEST = 192;

/** Facts that a snapshot has in itself beside the pixels. */
interface Drawn {
  readonly cols: number;
  readonly rows: number;
  readonly cell_width: number;
  readonly cell_height: number;
  /** Version of t4a. */
  readonly version: string;
}

export interface PictureDifference {
  readonly words: string;
  /** Red over the screen in pale grey; absent if the sizes differ. */
  readonly diff?: Uint8Array;
}

/** @returns the picture as a snapshot: with the size of its cells, and the version that drew it */
export function pictureSnapshot({ bytes, cols, rows, cell_width, cell_height }: Picture, version: string): Uint8Array {
  return withText(bytes, KEYWORD, JSON.stringify({ cols, rows, cell_width, cell_height, version }));
}

/**
 * @param tolerance pixels that may differ
 * @returns undefined if the pixels are the same, or as good as that
 */
export function pictureDifference(
  expected: Uint8Array,
  shown: Uint8Array,
  tolerance: number,
): PictureDifference | undefined {
  if (Buffer.compare(expected, shown) === 0) return undefined;
  const after = pixelsOfPng(shown);
  let before: Pixels;
  let drawn: Partial<Drawn>;
  try {
    before = pixelsOfPng(expected);
    drawn = drawnIn(expected);
  } catch (error) {
    return { words: `the snapshot cannot be read as a picture (${error instanceof Error ? error.message : 'broken'})` };
  }
  const now = drawnIn(shown);
  const others = otherCells(drawn, now);
  if (others !== undefined) return { words: others };
  if (before.width !== after.width || before.height !== after.height)
    return {
      words: `it has ${after.width}x${after.height} pixels, and the snapshot ${before.width}x${before.height}`,
    };
  const { count, colors } = difference(before, after);
  if (count <= tolerance) return undefined;
  const allowed = tolerance > 0 ? `, and ${tolerance} may` : '';
  const version =
    drawn.version === undefined || drawn.version === now.version
      ? ''
      : `; t4a ${drawn.version} drew the snapshot, and this is ${now.version}, whose fonts may differ`;
  return {
    words: `${count} of ${after.colors.length} pixels differ${allowed}${version}`,
    diff: pngOf(after.width, after.height, colors),
  };
}

/** Empty for a picture that has it not. */
function drawnIn(png: Uint8Array): Partial<Drawn> {
  const text = pngText(png, KEYWORD);
  return text === undefined ? {} : (JSON.parse(text) as Partial<Drawn>);
}

function otherCells(before: Partial<Drawn>, now: Partial<Drawn>): string | undefined {
  if (before.cols === undefined) return undefined;
  const cells = ({ cols, rows }: Partial<Drawn>): string => `${cols}x${rows} cells`;
  const font = ({ cell_width, cell_height }: Partial<Drawn>): string => `${cell_width}x${cell_height} pixels`;
  if (font(before) !== font(now))
    return `its font has another size: cells of ${font(now)}, and the snapshot has cells of ${font(before)}`;
  if (cells(before) !== cells(now))
    return `the terminal has another size: ${cells(now)}, and the snapshot has ${cells(before)}`;
  return undefined;
}

function difference(before: Pixels, after: Pixels): { count: number; colors: Uint32Array } {
  let count = 0;
  const colors = after.colors.map((color, at) => {
    if (color !== before.colors[at]) {
      count++;
      return RED;
    }
    const sum = (color >> 16) + ((color >> 8) & 0xff) + (color & 0xff);
    return (LIGHTEST + Math.floor(sum / 12)) * 0x01_01_01;
  });
  return { count, colors };
}
