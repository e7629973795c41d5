/** A browser's opinion: what Chromium decodes, hashed in the page and read from its dumped document. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

import { requireProgram } from '../../support/programs.js';

/** FNV-1a over 0xRRGGBB words: the same few lines run in the page. */
export function pixelsHash(rgb: Uint32Array): string {
  let hash = 0x811c9dc5;
  for (const color of rgb) hash = Math.imul(hash ^ color, 0x01000193) >>> 0;
  return `${rgb.length}:${hash}`;
}

/** The load event waits for every image, and the document is dumped after it. */
const PAGE_SCRIPT = `
addEventListener('load', () => {
  const hashes = [...document.images].map((image) => {
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    let hash = 0x811c9dc5;
    for (let at = 0; at < data.length; at += 4) {
      hash = Math.imul(hash ^ ((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]), 0x01000193) >>> 0;
    }
    return data.length / 4 + ':' + hash;
  });
  document.body.textContent = 'hashes ' + hashes.join() + ' end';
});
`;

export function seenByChromium(chromium: string, pngs: readonly Buffer[], directory: string): string[] {
  const images = pngs.map((png) => `<img src="data:image/png;base64,${png.toString('base64')}">`);
  const page = join(directory, 'page.html');
  writeFileSync(page, `<body>${images.join('')}<script>${PAGE_SCRIPT}</script></body>`);
  const dom = execFileSync(chromium, [...flags(directory), '--dump-dom', `file://${page}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return /hashes ([\d:,]+) end/.exec(dom)?.[1]?.split(',') ?? [];
}

/** Windows of the headless browser have a frame, and a least size, that take from the page. */
const WINDOW_FRAME = 500;

/** A PNG of the top left of the page, as large as the drawing. */
export async function shownByChromium(
  text: string,
  format: 'svg' | 'html',
  { width, height }: { readonly width: number; readonly height: number },
  directory: string,
): Promise<Buffer> {
  const page = join(directory, `page.${format}`);
  const picture = join(directory, `${format}.png`);
  writeFileSync(page, text);
  const shot = [
    '--hide-scrollbars',
    `--window-size=${width + WINDOW_FRAME},${height + WINDOW_FRAME}`,
    `--screenshot=${picture}`,
    `file://${page}`,
  ];
  execFileSync(requireProgram('chromium'), [...flags(directory), ...shot], { stdio: 'ignore' });
  return sharp(picture).extract({ left: 0, top: 0, width, height }).png().toBuffer();
}

function flags(directory: string): string[] {
  return [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--force-color-profile=srgb',
    `--user-data-dir=${directory}/profile`,
  ];
}
