// Draws contact sheets of the sprites, for the eye: every sprite apart, each pixel enlarged, under its code point.
//   node scripts/sprite-sheet.mjs OUT.png WIDTH HEIGHT [ZOOM [FIRST LAST]]     (FIRST and LAST in hexadecimal)
import { createCanvas } from '@napi-rs/canvas';
import { build } from 'esbuild';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [out, ...numbers] = process.argv.slice(2);
if (out === undefined) {
  console.error('usage: node scripts/sprite-sheet.mjs OUT.png WIDTH HEIGHT [ZOOM [FIRST LAST]]');
  process.exit(2);
}
const [width = 8, height = 16, zoom = 4] = numbers.slice(0, 3).map(Number);
const [first = 0x23ba, last = 0x1fbf9] = numbers.slice(3).map((hex) => Number.parseInt(hex, 16));

const source = fileURLToPath(new URL('../src/render/sprites/sprite.ts', import.meta.url));
const bundle = await build({ entryPoints: [source], bundle: true, write: false, format: 'esm', logLevel: 'warning' });
const code = bundle.outputFiles[0]?.text ?? '';
const { drawSprite, isSprite } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const codePoints = [];
for (let c = first; c <= last; c++) if (isSprite(c)) codePoints.push(c);

const LABEL = 11;
const cellWidth = Math.max(width * zoom, 34) + 6;
const cellHeight = height * zoom + LABEL + 6;
const columns = Math.max(1, Math.floor(1500 / cellWidth));
const canvas = createCanvas(columns * cellWidth, Math.ceil(codePoints.length / columns) * cellHeight);
const context = canvas.getContext('2d');
context.fillStyle = '#444';
context.fillRect(0, 0, canvas.width, canvas.height);
context.font = '10px "DejaVu Sans Mono"';
codePoints.forEach((codePoint, i) => {
  const left = (i % columns) * cellWidth;
  const top = Math.floor(i / columns) * cellHeight;
  const mask = drawSprite(codePoint, width, height);
  context.fillStyle = '#fc6';
  context.fillText(codePoint.toString(16), left, top + LABEL - 2);
  mask.alpha.forEach((ink, at) => {
    context.fillStyle = `rgb(${ink},${ink},${ink})`;
    context.fillRect(left + (at % width) * zoom, top + LABEL + Math.floor(at / width) * zoom, zoom, zoom);
  });
});
writeFileSync(out, canvas.toBuffer('image/png'));
console.log(`${codePoints.length} sprites, ${canvas.width}x${canvas.height}`);
