/** Words that tesseract reads exactly right in a picture of known lines: hex ids, paths and error messages. */
import { execFileSync } from 'node:child_process';
import sharp from 'sharp';

import { estimateTokens } from '../src/render/costs.js';

const ROWS = 24;
/** Tesseract is made for letters some 30 pixels high; every picture is enlarged to the same. */
const OCR_CELL_HEIGHT = 48;

export interface OcrScore {
  readonly right: number;
  readonly words: number;
  readonly tokens: number;
}

/** @param page Each has lines of its own. */
export function ocrLines(page = 0): readonly string[] {
  let state = 7 + page;
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

export function tesseractVersion(): string {
  return execFileSync('tesseract', ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
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
    // Its threads wait for each other busily: on a machine with others on it that takes several times as long.
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
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
