/** From what a caller says of sizes to the pixels of a cell and of the margin. */
import { T4aError } from '../../protocol/errors.js';
import type { PictureParams } from '../../protocol/picture.js';
import { type CellSize, DEFAULT_PROFILE, PictureSizeError, PROFILES, cellSizeOfScale } from '../../render/cell-size.js';
import { fitCells } from '../../render/fit.js';

export interface PictureCells extends CellSize {
  readonly pad: number;
}

export type SizeParams = Partial<Pick<PictureParams, 'format' | 'scale' | 'profile' | 'pad' | 'max_tokens' | 'model'>>;

/** Limits of the WebP format and of libjpeg, in pixels. */
const MAX_FORMAT_SIDE: Partial<Record<PictureParams['format'], number>> = { webp: 16_383, jpeg: 65_500 };
/** Largest side that sharp accepts as input, for any output format. */
const MAX_CONVERTED_PIXELS = 0x3fff * 0x3fff;

/**
 * @param grid what is shown, with its rulers
 * @param maxSide pixels of the longer side
 * @throws T4aError image_too_large
 */
export function pictureSize(
  params: SizeParams,
  grid: { readonly cols: number; readonly rows: number },
  maxSide: number,
): PictureCells {
  const { pad, ...wanted } = wantedCells(params);
  const size = { ...fitted(params, wanted, { ...grid, pad }), pad };
  assertSize(size, grid, params.format, maxSide);
  return size;
}

/** @throws T4aError image_too_large */
export function assertSize(
  { cellWidth, cellHeight, pad }: PictureCells,
  grid: { readonly cols: number; readonly rows: number },
  format: PictureParams['format'] | undefined,
  maxSide: number,
): void {
  const width = grid.cols * cellWidth + 2 * pad;
  const height = grid.rows * cellHeight + 2 * pad;
  if (Math.max(width, height) > maxSide) {
    throw tooLarge(width, height, `the limit is ${maxSide} a side`, 'or raise "max_image_side" with "config"');
  }
  const formatSide = format && MAX_FORMAT_SIDE[format];
  if (formatSide !== undefined && Math.max(width, height) > formatSide) {
    throw tooLarge(width, height, `a ${format} has at most ${formatSide} a side`, 'or the format png');
  }
  if (formatSide !== undefined && width * height > MAX_CONVERTED_PIXELS) {
    throw tooLarge(width, height, `a ${format} is made of at most ${MAX_CONVERTED_PIXELS}`, 'or the format png');
  }
}

/** Without a budget. */
export function wantedCells(params: SizeParams): PictureCells {
  const profile = PROFILES[params.profile ?? DEFAULT_PROFILE];
  const { cellWidth, cellHeight } = params.scale === undefined ? profile : cellSizeOfScale(params.scale);
  return { cellWidth, cellHeight, pad: params.pad ?? profile.pad };
}

function tooLarge(width: number, height: number, limit: string, remedy: string): T4aError {
  return new T4aError('image_too_large', `The picture would be ${width}x${height} pixels; ${limit}.`, {
    hint: `Use a smaller "scale" or a "region", ${remedy}.`,
    field: 'scale',
  });
}

function fitted(params: SizeParams, wanted: CellSize, grid: { cols: number; rows: number; pad: number }): CellSize {
  if (params.max_tokens === undefined && params.model === undefined) return wanted;
  const isCapped = params.max_tokens === undefined || params.scale !== undefined || params.profile !== undefined;
  try {
    return fitCells({
      ...grid,
      model: params.model ?? 'claude',
      maxTokens: params.max_tokens,
      maxCellWidth: isCapped ? wanted.cellWidth : undefined,
    });
  } catch (error) {
    if (!(error instanceof PictureSizeError)) throw error;
    throw new T4aError('image_too_large', error.message, {
      field: params.max_tokens === undefined ? 'model' : 'max_tokens',
      hint: 'Show a "region", or allow more tokens.',
    });
  }
}
