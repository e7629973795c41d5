/**
 * How well a reader that is no model reads our pictures: words that tesseract gets exactly right, of hex ids, paths and error
 * lines, by cell size, with what each picture costs in tokens. A proxy: it ranks faces and sizes, it does not predict models.
 */
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';

import { estimateTokens } from '../src/render/tokens.js';
import { screen } from '../test/render/support/screen.js';
import { newRenderer, OPTIONS, themeNamed } from '../test/render/support/studio.js';

const COLS = 80;
const ROWS = 24;
/** Tesseract is made for letters some 30 pixels high; every picture is enlarged to the same. */
const OCR_CELL_HEIGHT = 48;

export interface OcrScore {
  readonly right: number;
  readonly words: number;
  readonly tokens: number;
}

export function ocrLines(): readonly string[] {
  let state = 7;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
  const hex = (length: number): string => Array.from({ length }, () => '0123456789abcdef'.charAt(random(16))).join('');
  const pick = (words: string): string => words.split(' ')[random(words.split(' ').length)] ?? '';
  return Array.from({ length: ROWS }, (_, y) =>
    y % 2 === 0
      ? `commit ${hex(12)} parent ${hex(8)} tree ${hex(8)} size ${random(90_000)}`
      : `error[E0${300 + random(99)}]: ${pick('mismatched unresolved missing')} ${pick('dead_code unused_mut unused_imports')} ${pick('types import field')} in src/${pick('parser lexer main')}.rs:${random(400)}:${random(80)}`,
  );
}

/** Words of the lines that are found, exactly and in their own line's order, in what was read. */
export async function ocrScore(png: Buffer, cellHeight: number, lines: readonly string[]): Promise<OcrScore> {
  const { width, height } = await sharp(png).metadata();
  const factor = OCR_CELL_HEIGHT / cellHeight;
  const enlarged = await sharp(png)
    .removeAlpha()
    .resize(Math.round(width * factor), Math.round(height * factor), { kernel: 'cubic' })
    .negate()
    .extend({ top: 24, bottom: 24, left: 24, right: 24, background: '#fff' })
    .png()
    .toBuffer();
  const read = execFileSync('tesseract', ['stdin', 'stdout', '--psm', '6', '-l', 'eng'], {
    input: enlarged,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const found = read.split('\n').map((line) => line.trim().split(/\s+/));
  let right = 0;
  let words = 0;
  for (const [y, line] of lines.entries()) {
    const seen = new Set(found.filter((each) => each.length > 1)[y] ?? []);
    for (const word of line.split(' ')) {
      words++;
      if (seen.has(word)) right++;
    }
  }
  return { right, words, tokens: estimateTokens(width, height).claude };
}

const version = execFileSync('tesseract', ['--version'], { encoding: 'utf8' }).split('\n')[0];
console.log(`${version}; ${COLS}x${ROWS}; words read exactly right`);
const lines = ocrLines();
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
