import { strokeCentre, type Cell } from './cell.js';
import type { Family } from './family.js';
import { inverted } from './mask.js';
import { Stencil } from './stencil.js';

// Light lines between the corners, the middles of the edges and the middle of the cell.

/** Paths over the keypad, 7 8 9 above 4 5 6 above 1 2 3; `!` is the inverse. */
const PATHS: Readonly<Record<number, string>> = {
  0x2571: '91',
  0x2572: '73',
  0x2573: '91 73',
  0x1fba0: '84',
  0x1fba1: '86',
  0x1fba2: '42',
  0x1fba3: '62',
  0x1fba4: '842',
  0x1fba5: '862',
  0x1fba6: '426',
  0x1fba7: '486',
  0x1fba8: '84 62',
  0x1fba9: '86 42',
  0x1fbaa: '8624',
  0x1fbab: '8426',
  0x1fbac: '4862',
  0x1fbad: '6842',
  0x1fbae: '86248',
  0x1fbbd: '!91 73',
  0x1fbbe: '!62',
  0x1fbbf: '!86248',
  0x1fbd0: '61',
  0x1fbd1: '94',
  0x1fbd2: '76',
  0x1fbd3: '43',
  0x1fbd4: '72',
  0x1fbd5: '83',
  0x1fbd6: '92',
  0x1fbd7: '81',
  0x1fbd8: '759',
  0x1fbd9: '953',
  0x1fbda: '153',
  0x1fbdb: '751',
  0x1fbdc: '729',
  0x1fbdd: '943',
  0x1fbde: '183',
  0x1fbdf: '761',
};

export const diagonals: Family = {
  has: (codePoint) => codePoint in PATHS,
  draw(codePoint, cell) {
    const paths = PATHS[codePoint] ?? '';
    const stencil = new Stencil(cell);
    for (const path of paths.replace('!', '').split(' ')) stencil.polyline(keypadPoints(path, cell), cell.stroke);
    const mask = stencil.toMask();
    return paths.startsWith('!') ? inverted(mask) : mask;
  },
};

/** The middles are those of the straight lines, so that a diagonal runs on into them. */
export function keypadPoints(keys: string, { width, height, stroke }: Cell): number[] {
  const columns = [0, strokeCentre(width, stroke), width];
  const rows = [height, strokeCentre(height, stroke), 0];
  return Array.from(keys, Number).flatMap((key) => [columns[(key - 1) % 3] ?? 0, rows[Math.floor((key - 1) / 3)] ?? 0]);
}
