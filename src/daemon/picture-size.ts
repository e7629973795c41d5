/** From what a caller says of sizes to the pixels of a cell and of the margin. */
import { T4aError } from '../protocol/errors.js';
import type { PictureParams } from '../protocol/picture.js';
import { type CellSize, DEFAULT_PROFILE, PictureSizeError, PROFILES, cellSizeOfScale } from '../render/cell-size.js';
import { fitCells } from '../render/fit.js';

export interface PictureSize extends CellSize {
  readonly pad: number;
}

type SizeParams = Partial<Pick<PictureParams, 'scale' | 'profile' | 'pad' | 'max_tokens' | 'model'>>;

/** @param maxSide pixels of the longer side @throws T4aError image_too_large */
export function pictureSize(
  params: SizeParams,
  grid: { readonly cols: number; readonly rows: number },
  maxSide: number,
): PictureSize {
  const profile = PROFILES[params.profile ?? DEFAULT_PROFILE];
  const pad = params.pad ?? profile.pad;
  const wanted = params.scale === undefined ? profile : cellSizeOfScale(params.scale);
  const size = { ...fitted(params, wanted, { ...grid, pad }), pad };
  const width = grid.cols * size.cellWidth + 2 * pad;
  const height = grid.rows * size.cellHeight + 2 * pad;
  if (Math.max(width, height) <= maxSide) return size;
  throw new T4aError(
    'image_too_large',
    `The picture would be ${width}x${height} pixels; the limit is ${maxSide} a side.`,
    { hint: 'Use a smaller "scale" or a "region", or raise "max_image_side" with "config".', field: 'scale' },
  );
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
