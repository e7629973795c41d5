/** The largest cell whose picture a model can be shown: within a number of tokens, and within the provider's box. */
import { type CellSize, cellSizeOfWidth, MAX_CELL_WIDTH, PictureSizeError } from './cell-size.js';
import { estimateTokens, type TokenEstimates } from './costs.js';

export type ModelFamily = keyof TokenEstimates;

export interface FitRequest {
  readonly cols: number;
  readonly rows: number;
  readonly pad: number;
  readonly model: ModelFamily;
  /** Budget of tokens. If there is none, only the box counts. */
  readonly maxTokens?: number | undefined;
  /** No larger than this, even where it would fit. */
  readonly maxCellWidth?: number | undefined;
}

/** Below this, words are misread: only if the caller asks for no more. */
const MIN_LEGIBLE_WIDTH = 6;

/** Longest side in pixels that reaches the model without being scaled down by the provider. */
export const MAX_SIDE: Readonly<Record<ModelFamily, number>> = { claude: 1568, gpt: 2048, gemini: 3072 };

/** @throws PictureSizeError if the smallest legible cell is too large */
export function fitCells(request: FitRequest): CellSize {
  const largest = largestCells(request);
  if (largest !== undefined) return largest;
  const { cols, rows, model, maxTokens } = request;
  const { width, height } = sizeOf(request, MIN_LEGIBLE_WIDTH);
  const limit = maxTokens === undefined ? `${MAX_SIDE[model]} pixels a side` : `${maxTokens} tokens`;
  throw new PictureSizeError(
    `${cols}x${rows} cells cannot be read within ${limit}: at ${MIN_LEGIBLE_WIDTH}x${MIN_LEGIBLE_WIDTH * 2} pixels a cell, ` +
      `the smallest legible, the picture is ${width}x${height} pixels and about ${estimateTokens(width, height)[model]} tokens.`,
  );
}

/** @returns undefined if the smallest legible cell is too large */
export function largestCells(request: FitRequest): CellSize | undefined {
  const most = request.maxCellWidth ?? MAX_CELL_WIDTH;
  for (let width = most; width >= Math.min(MIN_LEGIBLE_WIDTH, most); width--) {
    if (isWithin(request, width)) return cellSizeOfWidth(width);
  }
  return undefined;
}

/**
 * What a vision model reads at this size (docs/decisions/legibility.md): from 8 pixels on everything; below, single
 * characters of ids and hashes may be misread; at 4 only the layout.
 */
export type Legibility = 'good' | 'no_ids' | 'layout_only';

export function legibilityOf(cellWidth: number): Legibility {
  if (cellWidth >= MIN_WIDTH_OF_IDS) return 'good';
  return cellWidth >= MIN_WIDTH_OF_WORDS ? 'no_ids' : 'layout_only';
}

const MIN_WIDTH_OF_IDS = 8;
const MIN_WIDTH_OF_WORDS = 5;

function isWithin(request: FitRequest, cellWidth: number): boolean {
  const { width, height } = sizeOf(request, cellWidth);
  const side = MAX_SIDE[request.model];
  const tokens = estimateTokens(width, height)[request.model];
  return width <= side && height <= side && tokens <= (request.maxTokens ?? Infinity);
}

function sizeOf(
  { cols, rows, pad }: FitRequest,
  cellWidth: number,
): { readonly width: number; readonly height: number } {
  return { width: cols * cellWidth + 2 * pad, height: rows * cellWidth * 2 + 2 * pad };
}
