import { describe, expect, it } from 'vitest';
import {
  at,
  column,
  draw,
  edge,
  ODD_SIZES,
  pieces,
  range,
  row,
  SIZES,
  stacked,
  tiled,
  totalInk,
} from './mask-probes.js';

/** Inverses of each other. */
const INVERSES: [string | number, string | number][] = [
  ...range(0x1fb3c, 0x1fb51).map((below): [number, number] => [below, below + 0x16]),
  [0x1fb68, 0x1fb6c],
  [0x1fb69, 0x1fb6d],
  [0x1fb6a, 0x1fb6e],
  [0x1fb6b, 0x1fb6f],
  ['╳', 0x1fbbd],
  [0x1fba3, 0x1fbbe],
  [0x1fbae, 0x1fbbf],
];

describe('wedges', () => {
  it('add up with their inverse to a full cell in every pixel', () => {
    for (const size of ODD_SIZES) {
      for (const [shape, inverse] of INVERSES) {
        const sums = new Set(stacked([draw(shape, size), draw(inverse, size)]));
        expect([...sums], `${shape.toString(16)} at ${size.join('x')}`).toEqual([255]);
      }
    }
  });

  it('cover the share of the cell that their lines cut off', () => {
    // Lower left block diagonals, in sixths of half a cell: half the base times the height of each triangle.
    const shares: [number, number][] = [
      [0x1fb3c, 1 / 12],
      [0x1fb3d, 1 / 6],
      [0x1fb3e, 1 / 6],
      [0x1fb3f, 1 / 3],
      [0x1fb40, 1 / 4],
      [0x1fb41, 11 / 12],
      [0x1fb42, 5 / 6],
      [0x1fb43, 5 / 6],
      [0x1fb44, 2 / 3],
      [0x1fb45, 3 / 4],
      [0x1fb46, 1 / 2],
      [0x1fb47, 1 / 12],
      [0x1fb4b, 1 / 4],
      [0x1fb4c, 11 / 12],
      [0x1fb50, 3 / 4],
      [0x1fb51, 1 / 2],
      [0x1fb6c, 1 / 4],
      [0x1fb6f, 1 / 4],
      [0x1fb9a, 1 / 2],
      [0x1fb9b, 1 / 2],
      [0x25e2, 1 / 2],
    ];
    for (const [codePoint, share] of shares) {
      const mask = draw(codePoint, [24, 48]);
      expect(totalInk(mask) / (255 * 24 * 48), `U+${codePoint.toString(16)}`).toBeCloseTo(share, 2);
    }
  });

  it('are in the corner in their name', () => {
    for (const [width, height] of SIZES) {
      const corners = (codePoint: number) => {
        const mask = draw(codePoint, [width, height]);
        return [at(mask, 0, 0), at(mask, width - 1, 0), at(mask, 0, height - 1), at(mask, width - 1, height - 1)]
          .map((ink) => (ink > 200 ? '#' : ink < 128 ? '.' : '?'))
          .join('');
      };
      expect(corners(0x1fb3c)).toMatch(/^\.\.[#?]\.$/);
      expect(corners(0x1fb41)).toMatch(/^[.?]###$/);
      expect(corners(0x1fb46)).toBe('..##');
      expect(corners(0x1fb51)).toBe('..##');
      expect(corners(0x1fb5c)).toBe('##..');
      expect(corners(0x1fb67)).toBe('##..');
    }
  });

  it('join along the thirds: a run of the same slope continues without a step', () => {
    for (const size of SIZES) {
      const left = draw(0x1fb46, size);
      const right = draw(0x1fb42, size);
      const third = Math.round(size[1] / 3);
      // U+1FB46 ends at the upper third of its right edge, where U+1FB42 begins on the left.
      expect(column(left, size[0] - 1).findIndex((ink) => ink > 127)).toBeGreaterThanOrEqual(third - 1);
      expect(Math.abs(column(left, size[0] - 1).findIndex((ink) => ink === 255) - third)).toBeLessThanOrEqual(1);
      expect(Math.abs(column(right, 0).findIndex((ink) => ink === 255) - third)).toBeLessThanOrEqual(1);
    }
  });

  it('split the cell between the four triangles around its middle', () => {
    for (const size of SIZES) {
      const sums = stacked([0x1fb6c, 0x1fb6d, 0x1fb6e, 0x1fb6f].map((codePoint) => draw(codePoint, size)));
      // Each of up to four shares of a pixel is rounded by itself.
      expect(Math.max(...sums.map((sum) => Math.abs(sum - 255)))).toBeLessThanOrEqual(2);
    }
  });

  it('thin shaded triangles to half the ink of solid ones', () => {
    for (const size of SIZES) {
      for (const [shaded, solid] of [
        [0x1fb9c, '◤'],
        [0x1fb9d, '◥'],
        [0x1fb9e, '◢'],
        [0x1fb9f, '◣'],
      ] as const) {
        expect(totalInk(draw(shaded, size)) / totalInk(draw(solid, size))).toBeCloseTo(0.5, 1);
        expect(Math.max(...draw(shaded, size).alpha)).toBe(128);
      }
    }
  });
});

describe('separators', () => {
  it('touch their bar along the whole edge, and the far edge at its middle', () => {
    for (const size of SIZES) {
      for (const [codePoint, base, tip] of [
        [0xe0b0, 'left', 'right'],
        [0xe0b2, 'right', 'left'],
        [0xe0b4, 'left', 'right'],
        [0xe0b6, 'right', 'left'],
      ] as const) {
        const mask = draw(codePoint, size);
        const touched = edge(mask, base);
        expect(Math.min(...touched), `U+${codePoint.toString(16)} at ${size.join('x')}`).toBeGreaterThan(0);
        expect(touched.slice(1, -1).every((ink) => ink === 255)).toBe(true);
        const far = edge(mask, tip);
        expect(far.indexOf(Math.max(...far))).toBe(Math.floor((size[1] - 1) / 2));
        expect(far[0]).toBe(0);
        expect(far.at(-1)).toBe(0);
      }
    }
  });

  it('are mirror images of each other', () => {
    for (const size of SIZES) {
      for (const [right, left] of [
        [0xe0b0, 0xe0b2],
        [0xe0b4, 0xe0b6],
        [0xe0b5, 0xe0b7],
        [0xe0b8, 0xe0ba],
        [0xe0bc, 0xe0be],
        [0xe0d2, 0xe0d4],
      ] as const) {
        const mask = draw(right, size);
        const mirror = draw(left, size);
        const mirrored = Array.from({ length: size[1] }, (_, y) => row(mirror, y).toReversed()).flat();
        // Samples that lie on an edge belong to one side of it: of the 64 of a pixel that is its diagonal of 8.
        const differences = mirrored.map((ink, i) => Math.abs(ink - mask.alpha[i]!));
        expect(Math.max(...differences)).toBeLessThanOrEqual(32);
      }
    }
  });

  it('fill the corner that the line beside it would cut off', () => {
    for (const [width, height] of SIZES) {
      for (const [filled, x, y] of [
        [0xe0b8, 0, height - 1],
        [0xe0ba, width - 1, height - 1],
        [0xe0bc, 0, 0],
        [0xe0be, width - 1, 0],
      ] as const) {
        const mask = draw(filled, [width, height]);
        expect(at(mask, x, y)).toBe(255);
        expect(at(mask, width - 1 - x, height - 1 - y)).toBe(0);
      }
    }
  });
});

describe('diagonals', () => {
  it('meet the corners of the cell, and so each other', () => {
    for (const size of ODD_SIZES) {
      const [width, height] = size;
      for (const [character, x] of [
        ['╲', 0],
        ['╱', width - 1],
      ] as const) {
        const mask = draw(character, size);
        expect(at(mask, x, 0)).toBeGreaterThan(64);
        expect(at(mask, width - 1 - x, height - 1)).toBeGreaterThan(64);
      }
      const cross = draw('╳', size);
      for (const [x, y] of [
        [0, 0],
        [width - 1, 0],
        [0, height - 1],
        [width - 1, height - 1],
      ] as const) {
        expect(at(cross, x, y)).toBeGreaterThan(64);
      }
    }
  });

  it('run through a staircase of cells without a break', () => {
    for (const size of SIZES) {
      const fall = draw('╲', size);
      const blank = draw('⠀', size);
      const rows = tiled([
        [fall, blank],
        [blank, fall],
      ]);
      // Every row is crossed once; where four cells meet, the two empty ones keep a part of the line's thickness.
      const inks = Array.from({ length: rows.height }, (_, y) => row(rows, y).reduce((sum, ink) => sum + ink, 0));
      expect(Math.min(...inks) / Math.max(...inks)).toBeGreaterThan(0.5);
    }
  });

  it('reach the edges in their middle, where straight lines end', () => {
    for (const size of SIZES) {
      const upright = edge(draw('│', size), 'up').indexOf(255);
      const level = edge(draw('─', size), 'left').indexOf(255);
      const diamond = draw(0x1fbae, size);
      for (const [name, middle] of [
        ['up', upright],
        ['down', upright],
        ['left', level],
        ['right', level],
      ] as const) {
        const profile = edge(diamond, name);
        const weighted = profile.reduce((sum, ink, i) => sum + ink * (i + 0.5), 0);
        const centre = weighted / profile.reduce((sum, ink) => sum + ink, 0);
        const strokeMiddle = middle + (size[0] < 15 ? 0.5 : 1);
        expect(profile[middle], `${name} at ${size.join('x')}`).toBeGreaterThan(128);
        expect(Math.abs(centre - strokeMiddle)).toBeLessThan(0.25);
        expect(profile[0]).toBe(0);
      }
    }
  });
});

describe('circles', () => {
  it('are whole if their halves and quarters are joined', () => {
    for (const size of SIZES) {
      const [width, height] = size;
      const radius = Math.min(width, height) / 2;
      for (const cells of [
        tiled([[draw(0x1fbe9, size), draw(0x1fbeb, size)]]),
        tiled([[draw(0x1fbea, size)], [draw(0x1fbe8, size)]]),
        tiled([
          [draw(0x1fbee, size), draw(0x1fbed, size)],
          [draw(0x1fbec, size), draw(0x1fbef, size)],
        ]),
      ]) {
        expect(Math.abs(totalInk(cells) / 255 - Math.PI * radius * radius)).toBeLessThan(1 + radius / 4);
        expect(pieces(cells).length).toBe(1);
      }
    }
  });

  it('run through their cells as one closed line', () => {
    for (const size of SIZES) {
      const blank = draw('⠀', size);
      const cell = (codePoint: number) => draw(codePoint, size);
      const large = tiled([
        [cell(0x1cc30), cell(0x1cc31), cell(0x1cc32), cell(0x1cc33)],
        [cell(0x1cc34), blank, blank, cell(0x1cc37)],
        [cell(0x1cc38), blank, blank, cell(0x1cc3b)],
        [cell(0x1cc3c), cell(0x1cc3d), cell(0x1cc3e), cell(0x1cc3f)],
      ]);
      const small = tiled([
        [cell(0x1cc35), cell(0x1cc36)],
        [cell(0x1cc39), cell(0x1cc3a)],
      ]);
      for (const circle of [large, small]) {
        const line = pieces(circle);
        expect(line.length).toBe(1);
        expect(line[0]).toMatchObject({ width: circle.width, height: circle.height });
        expect(at(circle, circle.width / 2, circle.height / 2)).toBe(0);
      }
    }
  });
});

describe('progress bars', () => {
  it('join into a frame that is closed, with a filling that does not touch it', () => {
    for (const size of SIZES) {
      const empty = tiled([[draw(0xee00, size), draw(0xee01, size), draw(0xee02, size)]]);
      const full = tiled([[draw(0xee03, size), draw(0xee04, size), draw(0xee05, size)]]);
      expect(pieces(empty).length).toBe(1);
      expect(pieces(full).length).toBe(2);
      expect(totalInk(full)).toBeGreaterThan(2 * totalInk(empty));
    }
  });

  it('turn the spinner through six frames about the same middle', () => {
    const heights = range(0xee06, 0xee0b).map((codePoint) => {
      const mask = draw(codePoint, [20, 40]);
      const inked = [...mask.alpha.keys()].filter((i) => mask.alpha[i]! > 0);
      return inked.reduce((sum, i) => sum + Math.floor(i / 20), 0) / inked.length;
    });
    const [top, , , bottom] = heights;
    expect(top).toBe(Math.min(...heights));
    expect(bottom).toBeGreaterThan(20);
    expect(pieces(draw(0xee09, [20, 40])).length).toBe(1);
  });
});
