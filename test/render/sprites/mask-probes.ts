import { drawSprite, type Mask } from '../../../src/render/sprites/sprite.js';

/** Cell sizes that every sprite is looked at in, odd and even both ways. */
export const SIZES = [
  [7, 14],
  [8, 16],
  [9, 18],
  [11, 22],
  [20, 40],
] as const;

/** Sizes at the limits and of other proportions, for what must hold in any cell. */
export const ODD_SIZES = [...SIZES, [4, 4], [4, 8], [5, 9], [10, 17], [13, 13], [64, 128]] as const;

export type Size = readonly [width: number, height: number];

/** The mask of a character or code point; throws when it is no sprite. */
export function draw(character: string | number, [width, height]: Size, stroke?: number): Mask {
  const codePoint = typeof character === 'string' ? character.codePointAt(0)! : character;
  const mask = drawSprite(codePoint, width, height, stroke);
  if (mask === undefined) throw new Error(`U+${codePoint.toString(16)} is no sprite`);
  return mask;
}

export function at(mask: Mask, x: number, y: number): number {
  return mask.alpha[y * mask.width + x]!;
}

export function row(mask: Mask, y: number): number[] {
  return Array.from({ length: mask.width }, (_, x) => at(mask, x, y));
}

export function column(mask: Mask, x: number): number[] {
  return Array.from({ length: mask.height }, (_, y) => at(mask, x, y));
}

export type EdgeName = 'up' | 'right' | 'down' | 'left';

/** The outermost pixels at an edge. */
export function edge(mask: Mask, name: EdgeName): number[] {
  if (name === 'up') return row(mask, 0);
  if (name === 'down') return row(mask, mask.height - 1);
  return column(mask, name === 'left' ? 0 : mask.width - 1);
}

export function totalInk(mask: Mask): number {
  return mask.alpha.reduce((sum, ink) => sum + ink, 0);
}

/** Pixel by pixel sums of several masks. */
export function stacked(masks: readonly Mask[]): number[] {
  return Array.from(masks[0]!.alpha, (_, i) => masks.reduce((sum, mask) => sum + mask.alpha[i]!, 0));
}

/** Cells side by side and one under another, as one mask. */
export function tiled(rows: readonly (readonly Mask[])[]): Mask {
  const { width, height } = rows[0]![0]!;
  const columns = rows[0]!.length;
  const alpha = new Uint8Array(columns * width * rows.length * height);
  rows.forEach((cells, cellRow) =>
    cells.forEach((mask, cellColumn) => {
      for (let y = 0; y < height; y++) {
        alpha.set(row(mask, y), (cellRow * height + y) * columns * width + cellColumn * width);
      }
    }),
  );
  return { width: columns * width, height: rows.length * height, alpha };
}

/** The sizes of the connected pieces of ink, touching by a side. */
export function pieces(mask: Mask): { pixels: number; width: number; height: number }[] {
  const seen = new Set<number>();
  const found: { pixels: number; width: number; height: number }[] = [];
  for (let start = 0; start < mask.alpha.length; start++) {
    if (mask.alpha[start] === 0 || seen.has(start)) continue;
    const piece = [start];
    seen.add(start);
    for (const pixel of piece) {
      const x = pixel % mask.width;
      const neighbours = [pixel - mask.width, pixel + mask.width];
      if (x > 0) neighbours.push(pixel - 1);
      if (x < mask.width - 1) neighbours.push(pixel + 1);
      for (const next of neighbours) {
        if (next < 0 || next >= mask.alpha.length || mask.alpha[next] === 0 || seen.has(next)) continue;
        seen.add(next);
        piece.push(next);
      }
    }
    const xs = piece.map((pixel) => pixel % mask.width);
    const ys = piece.map((pixel) => Math.floor(pixel / mask.width));
    found.push({
      pixels: piece.length,
      width: Math.max(...xs) - Math.min(...xs) + 1,
      height: Math.max(...ys) - Math.min(...ys) + 1,
    });
  }
  return found;
}

/** Code points from `first` to `last`, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
