/** The costs of a picture: tokens of a vision model, and memory while it is drawn. */
import type { PictureSize } from './cell-size.js';
import type { PictureFormat } from './draw.js';

/**
 * Estimated from the providers' published rules; the true bill may differ. Claude counts 28-pixel patches, GPT 32-pixel patches
 * with a factor, Gemini a flat price at any size.
 */
export interface TokenEstimates {
  readonly claude: number;
  readonly gpt: number;
  readonly gemini: number;
}

const CLAUDE_PATCH = 28;
const GPT_PATCH = 32;
const GPT_FACTOR = 1.2;
const GEMINI_TOKENS = 1090;

export function estimateTokens(width: number, height: number): TokenEstimates {
  return {
    claude: patches(width, height, CLAUDE_PATCH),
    gpt: Math.ceil(patches(width, height, GPT_PATCH) * GPT_FACTOR),
    gemini: GEMINI_TOKENS,
  };
}

function patches(width: number, height: number, size: number): number {
  return Math.ceil(width / size) * Math.ceil(height / size);
}

interface DrawingCost {
  readonly bytesPerPixel: number;
  readonly bytesPerCell: number;
}

/**
 * Measured for 10040x8040 pixels of 500x200 cells, all of other colours: PNG 117 MB, WebP 2,250, JPEG 1,020, SVG 35, HTML 30.
 * libvips and libwebp hold the whole picture.
 */
const COSTS: Readonly<Record<PictureFormat, DrawingCost>> = {
  png: { bytesPerPixel: 1.2, bytesPerCell: 200 },
  webp: { bytesPerPixel: 28, bytesPerCell: 200 },
  jpeg: { bytesPerPixel: 13, bytesPerCell: 200 },
  svg: { bytesPerPixel: 0, bytesPerCell: 400 },
  html: { bytesPerPixel: 0, bytesPerCell: 400 },
};

export function drawingBytes(format: PictureFormat, { width, height }: PictureSize, cells: number): number {
  const { bytesPerPixel, bytesPerCell } = COSTS[format];
  return width * height * bytesPerPixel + cells * bytesPerCell;
}
