/** Fifty coloured rows go by in a terminal of 24: which cells of its picture have the colour of the row that belongs there? */
import sharp from 'sharp';
import { rgb, rowOf, screenOf } from '../test/render/support/screen.js';
import { benchOptions, benchRenderer } from './bench-renderer.js';
import type { Figure } from './support/figure.js';

const COLS = 80;
const ROWS = 24;
const GONE_BY = Array.from({ length: 50 }, (_, y) => [(y * 53) % 256, (y * 97 + 40) % 256, (y * 151 + 90) % 256]);
const VISIBLE = GONE_BY.slice(-ROWS);
const TOLERANCE = 2;

function bytesOfRows(): string {
  return GONE_BY.map(([r, g, b]) => `\u001b[48;2;${r};${g};${b}m${' '.repeat(COLS)}\u001b[0m`).join('\r\n');
}

/** @param screenAfter A picture of the cells alone. */
export async function wrongAfterScrolling(screenAfter: (bytes: string) => Promise<Buffer>): Promise<number> {
  return wrongCells(await screenAfter(bytesOfRows()));
}

/** @param rowHeight Of the peer's picture, which may hold what has scrolled away, too: the screen is the end of it. */
export async function compareRows(
  root: string,
  pictureAfter: (bytes: string) => Promise<Buffer>,
  rowHeight: number,
): Promise<Figure[]> {
  const png = await pictureAfter(bytesOfRows());
  const own = screenOf(
    VISIBLE.map(([r = 0, g = 0, b = 0]) => rowOf(COLS, [[' '.repeat(COLS), { bg: rgb(r * 65_536 + g * 256 + b) }]])),
  );
  const { chunks } = benchRenderer(root).render(own, { ...benchOptions(8), cursor: false });
  const { width, height } = await sharp(png).metadata();
  const shown = Math.round(height / rowHeight);
  const top = Math.max(0, height - ROWS * rowHeight);
  const end = await sharp(png)
    .extract({ left: 0, top, width, height: height - top })
    .png()
    .toBuffer();
  return [
    {
      name: 'wrong cells after scrolling, ours',
      value: await wrongCells(Buffer.concat(chunks)),
      limit: 0,
      note: 'of 1920',
    },
    {
      name: "wrong cells after scrolling, tuistory's at the end of its picture",
      value: await wrongCells(end),
      note: `of 1920; ${shown} rows are in its picture of a screen of 24, ${png.length} bytes`,
    },
  ];
}

async function wrongCells(png: Buffer): Promise<number> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let wrong = 0;
  for (const [y, color] of VISIBLE.entries()) {
    for (let col = 0; col < COLS; col++) {
      const x = Math.floor(((col + 0.5) * info.width) / COLS);
      const at = (Math.floor(((y + 0.5) * info.height) / ROWS) * info.width + x) * 3;
      if (color.some((channel, index) => Math.abs(channel - (data[at + index] ?? 0)) > TOLERANCE)) wrong++;
    }
  }
  return wrong;
}
