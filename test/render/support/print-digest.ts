/** Run as a process of its own: draws what all fonts are needed for, and prints a digest of the bytes. */
import { createHash } from 'node:crypto';

import { ATTR_BOLD, ATTR_ITALIC } from '../../../src/vt/snapshot.js';
import { Renderer } from '../../../src/render/renderer.js';
import { isSprite } from '../../../src/render/sprites/sprite.js';
import { THEMES } from '../../../src/render/theme.js';
import { indexed, rgb, type Run, screen } from './screen.js';
import { EMOJI, TUI_SYMBOLS } from './symbols.js';

/** What is drawn by code, curves among it. */
const sprites = Array.from({ length: 0x2_0000 }, (_, codePoint) => codePoint)
  .filter(isSprite)
  .map((codePoint) => String.fromCodePoint(codePoint));
const symbols = [...Array.from(TUI_SYMBOLS), ...sprites];
const rows = Array.from({ length: Math.ceil(symbols.length / 40) }, (_, y) =>
  symbols.slice(y * 40, y * 40 + 40).join(''),
);
const snapshot = screen(80, [
  'The quick brown fox',
  [
    ['bold ', { attrs: ATTR_BOLD }],
    ['italic ', { attrs: ATTR_ITALIC }],
    ['wavy', { underline: 3 }],
    ...Array.from({ length: 40 }, (_, at): Run => ['g', { fg: indexed(16 + at * 6), bg: rgb(at * 40_000) }]),
  ],
  'שלום مرحبا สวัสดี नमस्ते 漢字 한국어 \u{10ffff} \u{1f9ff}\u{1fabf}',
  EMOJI.join(''),
  ...rows,
]);
const renderer = new Renderer({ fontsDir: process.argv[2]! });
const hash = createHash('sha256');
for (const cellWidth of [7, 8, 10, 20]) {
  const theme = THEMES.get('dark')!;
  const options = { cellWidth, cellHeight: cellWidth * 2, pad: 1, cursor: true, theme };
  for (const chunk of renderer.render(snapshot, options).chunks) hash.update(chunk);
}
console.log(hash.digest('hex'));
