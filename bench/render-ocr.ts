/**
 * How well a reader that is no model reads our pictures: words that tesseract gets exactly right, of hex ids, paths and error
 * lines, by cell size, with what each picture costs in tokens. A proxy: it ranks faces and sizes, it does not predict models.
 */
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';

import { screen } from '../test/render/support/screen.js';
import { newRenderer, OPTIONS, themeNamed } from '../test/render/support/studio.js';
import { ocrLines, ocrScore } from './render-ocr-score.js';

const COLS = 80;

const lines = ocrLines();
const version = execFileSync('tesseract', ['--version'], { encoding: 'utf8' }).split('\n')[0];
console.log(`${version}; ${COLS}x${lines.length}; words read exactly right`);
for (const theme of ['dark', 'light']) {
  for (const cellWidth of [6, 7, 8, 10]) {
    const options = { ...OPTIONS, cellWidth, cellHeight: cellWidth * 2, theme: themeNamed(theme), cursor: false };
    const picture = newRenderer().render(screen(COLS, lines), options);
    const png = Buffer.concat(picture.chunks);
    const { right, words, tokens } = await ocrScore(
      theme === 'dark' ? png : await sharp(png).negate({ alpha: false }).png().toBuffer(),
      cellWidth * 2,
      lines,
    );
    console.log(
      `${theme.padEnd(6)} ${cellWidth}x${cellWidth * 2}`.padEnd(14) +
        `${right}/${words} (${((100 * right) / words).toFixed(0)} %)  ${tokens} tokens  ${((1000 * right) / tokens).toFixed(0)} words per 1,000 tokens`,
    );
  }
}
