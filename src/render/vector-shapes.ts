/** Rectangles of SVG: plain ones, and sprites as those of their pixels. */
import { drawSprite } from './sprites/sprite.js';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels of the sprite, joined into runs of one line and of equal lines. */
export function spriteRects(codePoint: number, fill: string, box: Box): string {
  const mask = drawSprite(codePoint, box.width, box.height);
  if (mask === undefined) return '';
  const open = new Map<string, { x: number; y: number; width: number; height: number; alpha: number }>();
  const done: string[] = [];
  const close = (key: string, y: number): void => {
    const shape = open.get(key);
    if (shape === undefined || shape.y + shape.height === y) return;
    done.push(rect({ ...shape, x: box.x + shape.x, y: box.y + shape.y }, fill, shape.alpha / 255));
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
  for (const key of open.keys()) close(key, -1);
  return done.join('');
}

export function rect({ x, y, width, height }: Box, fill: string, opacity = 1): string {
  const alpha = opacity === 1 ? '' : ` fill-opacity="${round(opacity)}"`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"${alpha}/>`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
