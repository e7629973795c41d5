import { describe, expect, test } from 'vitest';
import { drawSprite } from '../../../src/render/sprites/sprite.js';
import { rect, SpriteShapes } from '../../../src/render/vector/shapes.js';

const RECT = /<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)" fill="red"(?: fill-opacity="([\d.]+)")?\/>/g;

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly opacity: number;
}

function rectsOf(character: string, width: number, height: number): Drawn[] {
  const text = new SpriteShapes().rects(character.codePointAt(0)!, 'red', { x: 100, y: 200, width, height });
  expect(text.replaceAll(RECT, '')).toBe('');
  return Array.from(text.matchAll(RECT), ([, ...values]) => {
    const [x = 0, y = 0, w = 0, h = 0] = values.map(Number);
    return { x, y, width: w, height: h, opacity: Number(values[4] ?? 1) };
  });
}

test('a rectangle has its opacity if it is not opaque', () => {
  const box = { x: 1, y: 2, width: 3, height: 4 };
  expect(rect(box, '#fff')).toBe('<rect x="1" y="2" width="3" height="4" fill="#fff"/>');
  expect(rect(box, '#fff', 1 / 3)).toBe('<rect x="1" y="2" width="3" height="4" fill="#fff" fill-opacity="0.333"/>');
});

describe('the rectangles of a sprite', () => {
  test.each(['█', '│', '─', '┼', '▚', '░', '╲', '╭', '⣿', '◢', '\ue0b4', '\u{1fb95}', '\u{1cd0f}', '┊'])(
    'of %s are its pixels, each once',
    (character) => {
      for (const [width, height] of [
        [8, 16],
        [9, 18],
      ] as const) {
        const alpha = Array<number>(width * height).fill(0);
        for (const { x, y, width: across, height: down, opacity } of rectsOf(character, width, height)) {
          for (let row = y - 200; row < y - 200 + down; row++) {
            for (let column = x - 100; column < x - 100 + across; column++) {
              expect(column >= 0 && column < width && row >= 0 && row < height).toBe(true);
              expect(alpha[row * width + column]).toBe(0);
              alpha[row * width + column] = Math.round(opacity * 255);
            }
          }
        }
        expect(alpha).toEqual(Array.from(drawSprite(character.codePointAt(0)!, width, height)!.alpha));
      }
    },
  );

  test.each([
    ['█', 1],
    ['▌', 1],
    ['─', 1],
    ['│', 1],
    ['▚', 2],
    ['┼', 3],
    ['═', 2],
    ['⣿', 8],
  ])('of %s are %i, not one for each pixel', (character, count) => {
    expect(rectsOf(character, 8, 16)).toHaveLength(count);
  });

  test('are separated by rows without ink, as in a column of dashes', () => {
    expect(rectsOf('╎', 8, 16)).toHaveLength(2);
    expect(rectsOf('┊', 8, 16)).toHaveLength(4);
  });

  test('are none for other characters', () => {
    expect(rectsOf('a', 8, 16)).toEqual([]);
  });

  test('differ between sizes and between sprites', () => {
    const shapes = new SpriteShapes();
    const ask = (character: string, width: number, height: number): string =>
      shapes.rects(character.codePointAt(0)!, 'red', { x: 0, y: 0, width, height });
    expect(ask('█', 8, 16)).toContain('width="8" height="16"');
    expect(ask('█', 9, 16)).toContain('width="9" height="16"');
    expect(ask('█', 8, 18)).toContain('width="8" height="18"');
    expect(ask('▌', 8, 16)).toContain('width="4" height="16"');
    expect(ask('█', 8, 16)).toContain('width="8" height="16"');
  });
});
