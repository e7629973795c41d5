/**
 * How well a reader that is no model reads our pictures: words that tesseract gets exactly right, of hex ids, paths and error
 * lines, by cell size, with what each picture costs in tokens. A proxy: it ranks faces and sizes, it does not predict models.
 */
import { screen } from '../test/render/support/screen.js';
import { ocrLines, ocrScore, tesseractVersion } from './render-ocr-score.js';
import { benchOptions, benchRenderer } from './bench-renderer.js';
import type { BenchContext, Figure } from './support/figure.js';

export async function bench({ root }: BenchContext): Promise<Figure[]> {
  const version = tesseractVersion();
  const lines = ocrLines();
  const figures: Figure[] = [];
  for (const cellWidth of [6, 7, 8, 10]) {
    const options = { ...benchOptions(cellWidth), cursor: false };
    const { chunks } = benchRenderer(root).render(screen(80, lines), options);
    const { right, words, tokens } = await ocrScore(Buffer.concat(chunks), cellWidth * 2, lines);
    const name = `${cellWidth}x${cellWidth * 2}: words misread of ${words}`;
    figures.push({ name, value: words - right, note: `${tokens} tokens; ${version}` });
  }
  return figures;
}
