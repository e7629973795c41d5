/** A PNG as the escape sequences that show it at the cursor. */
import { itermPicture, kittyPicture } from '../../../mirror/outer-sequences.js';
import type { GraphicsProtocol } from './graphics.js';
import { pixelsOfPng } from '../../../base/png-pixels.js';
import { sixel } from './sixel.js';

const KITTY_CHUNK_LENGTH = 4096;

export function inlinePicture(protocol: GraphicsProtocol, png: Uint8Array): string {
  if (protocol === 'sixel') return `${sixel(pixelsOfPng(png))}\n`;
  const base64 = Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64');
  if (protocol === 'kitty') return `${kitty(base64)}\n`;
  return `${itermPicture(png.length, base64)}\n`;
}

function kitty(base64: string): string {
  const chunks = base64.match(new RegExp(`.{1,${KITTY_CHUNK_LENGTH}}`, 'g')) ?? [];
  return chunks
    .map((chunk, i) => {
      const first = i === 0 ? 'a=T,f=100,q=2,' : '';
      return kittyPicture(`${first}m=${i === chunks.length - 1 ? 0 : 1}`, chunk);
    })
    .join('');
}
