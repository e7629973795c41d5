/**
 * How much memory drawing a picture may take, by what it was measured to take for 10040x8040 pixels of 500x200 cells, all of
 * other colours: PNG 117 MB, WebP 2,250, JPEG 1,020, SVG 35, HTML 30. libvips and libwebp hold the whole picture.
 */
import type { PictureFormat } from './draw.js';
import type { PictureSize } from './picture-options.js';

interface Cost {
  readonly bytesPerPixel: number;
  readonly bytesPerCell: number;
}

const COSTS: Readonly<Record<PictureFormat, Cost>> = {
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
