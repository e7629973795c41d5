/** Rectangles of SVG: plain ones, and sprites as those of their pixels. */
import { drawSprite } from '../sprites/sprite.js';

export interface ShapeBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Shape extends ShapeBox {
  readonly alpha: number;
}

/** The shapes of sprites at one size of cells, each found once. */
export class SpriteShapes {
  readonly #shapes = new Map<string, readonly Shape[]>();

  rects(codePoint: number, fill: string, { x, y, width, height }: ShapeBox): string {
    const key = `${codePoint} ${width} ${height}`;
    let shapes = this.#shapes.get(key);
    if (shapes === undefined) this.#shapes.set(key, (shapes = shapesOf(codePoint, width, height)));
    return shapes.map((shape) => rect({ ...shape, x: x + shape.x, y: y + shape.y }, fill, shape.alpha / 255)).join('');
  }
}

/** Pixels of the sprite, joined into runs of one line and of equal lines. */
function shapesOf(codePoint: number, width: number, height: number): readonly Shape[] {
  const mask = drawSprite(codePoint, width, height);
  if (mask === undefined) return [];
  const open = new Map<string, { x: number; y: number; width: number; height: number; alpha: number }>();
  const done: Shape[] = [];
  const close = (key: string, y: number): void => {
    const shape = open.get(key);
    if (shape === undefined || shape.y + shape.height === y) return;
    done.push(shape);
    open.delete(key);
  };
  for (let y = 0; y < mask.height; y++) {
    for (let x = 0; x < mask.width;) {
      const alpha = mask.alpha[y * mask.width + x] ?? 0;
      const start = x;
      while (x < mask.width && (mask.alpha[y * mask.width + x] ?? 0) === alpha) x++;
      if (alpha === 0) continue;
      const key = `${start} ${x} ${alpha}`;
      close(key, y);
      const shape = open.get(key);
      if (shape === undefined) open.set(key, { x: start, y, width: x - start, height: 1, alpha });
      else shape.height++;
    }
    for (const key of open.keys()) close(key, y + 1);
  }
  return [...done, ...open.values()];
}

export function rect({ x, y, width, height }: ShapeBox, fill: string, opacity = 1): string {
  const alpha = opacity === 1 ? '' : ` fill-opacity="${round(opacity)}"`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${alpha}/>`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
