import { expect } from 'vitest';

import { ocrLines, ocrScore } from '../../bench/render-ocr-score.js';
import { itNeeds } from '../../test/support/programs.js';
import { bytesOf } from '../../test/render/support/pixels.js';
import { screen } from '../../test/render/support/screen.js';
import { newRenderer, OPTIONS, themeNamed } from '../../test/render/support/test-renderer.js';

const lines = ocrLines();

/** Share of words that may be misread. Hex ids are the hardest there are; 0.04, 0.05 and 0.02 were measured with tesseract 5.3. */
const MOST_MISREAD = new Map([
  [7, 0.1],
  [8, 0.1],
  [10, 0.06],
]);

for (const [cellWidth, share] of MOST_MISREAD) {
  itNeeds('tesseract')(
    `tesseract reads hex ids and error lines in cells of ${cellWidth}x${cellWidth * 2}`,
    async () => {
      const options = { ...OPTIONS, theme: themeNamed('dark'), cellWidth, cellHeight: cellWidth * 2, cursor: false };
      const { right, words } = await ocrScore(
        bytesOf(newRenderer().render(screen(80, lines), options)),
        cellWidth * 2,
        lines,
      );
      expect((words - right) / words).toBeLessThan(share);
    },
  );
}
