import { describe, expect, it } from 'vitest';
import { at, draw, pieces, range, SIZES, stacked, tiled, totalInk, type Size } from './mask-probes.js';

/** One code point per tile, in the order of the tiles' numbers, and the same for the tiles of other families. */
const QUADRANTS = ['▘', '▝', '▖', '▗'];
const SEXTANTS = [0x1fb00, 0x1fb01, 0x1fb03, 0x1fb07, 0x1fb0f, 0x1fb1e];
const OCTANTS = [0x1cea8, 0x1ceab, 0x1cd00, 0x1cd03, 0x1cd09, 0x1cd18, 0x1cea3, 0x1cea0];

/** Numbers of the inked tiles, from the shape that was drawn. */
function tilesOf(codePoint: number, tiles: readonly (string | number)[], size: Size): string {
  const mask = draw(codePoint, size);
  const names: number[] = [];
  tiles.forEach((tile, i) => {
    const region = draw(tile, size);
    const inked = [...mask.alpha].filter((_, pixel) => region.alpha[pixel] === 255);
    expect(new Set(inked).size, 'a tile is inked all over or not at all').toBe(1);
    if (inked[0] === 255) names.push(i + 1);
  });
  return names.join('');
}

/** The tiles' numbers as the names in the Unicode character database give them: 'BLOCK OCTANT-1235'. */
const NAMED_SEXTANTS: [number, string][] = [
  [0x1fb00, '1'],
  [0x1fb02, '12'],
  [0x1fb12, '125'],
  [0x1fb13, '35'],
  [0x1fb14, '235'],
  [0x1fb15, '1235'],
  [0x1fb27, '146'],
  [0x1fb3b, '23456'],
];
const NAMED_OCTANTS: [number, string][] = [
  [0x1cd00, '3'],
  [0x1cd01, '23'],
  [0x1cd02, '123'],
  [0x1cd03, '4'],
  [0x1cd04, '14'],
  [0x1cd09, '5'],
  [0x1cd0a, '15'],
  [0x1cd0f, '1235'],
  [0x1cd50, '23457'],
  [0x1cdb7, '3478'],
  [0x1cde5, '2345678'],
];

describe('mosaics', () => {
  it('partition the cell by their single tiles', () => {
    for (const size of SIZES) {
      for (const tiles of [QUADRANTS, SEXTANTS, OCTANTS]) {
        expect(new Set(stacked(tiles.map((tile) => draw(tile, size))))).toEqual(new Set([255]));
      }
    }
  });

  it('ink the tiles in their names', () => {
    for (const size of SIZES) {
      for (const [codePoint, name] of NAMED_SEXTANTS) expect(tilesOf(codePoint, SEXTANTS, size)).toBe(name);
      for (const [codePoint, name] of NAMED_OCTANTS) expect(tilesOf(codePoint, OCTANTS, size)).toBe(name);
    }
  });

  it('have every pattern once, and none of another character', () => {
    const halves = Array.from('▌▐▀▄█', (block) => block.codePointAt(0)!);
    const quarters = [0x1fb82, 0x1fb85, 0x2582, 0x2586, 0x1fbe6, 0x1fbe7];
    const corners = [0x1cea0, 0x1cea3, 0x1cea8, 0x1ceab];
    const elsewhere = [...halves, ...quarters, ...corners, ...range(0x2596, 0x259f)];
    const patterns = [...range(0x1cd00, 0x1cde5), ...elsewhere].map((codePoint) =>
      tilesOf(codePoint, OCTANTS, [8, 16]),
    );
    expect(new Set(patterns).size).toBe(255);
    expect(patterns.length).toBe(255);
    const sextants = [...range(0x1fb00, 0x1fb3b), ...Array.from('▌▐█', (block) => block.codePointAt(0)!)];
    expect(new Set(sextants.map((codePoint) => tilesOf(codePoint, SEXTANTS, [8, 16]))).size).toBe(63);
  });

  it('are in ascending order of the pattern read as a binary number', () => {
    for (const [codePoints, tiles] of [
      [range(0x1cd00, 0x1cde5), OCTANTS],
      [range(0x1fb00, 0x1fb3b), SEXTANTS],
    ] as const) {
      const values = codePoints.map((codePoint) =>
        Array.from(tilesOf(codePoint, tiles, [8, 16]), Number).reduce((sum, tile) => sum + 2 ** (tile - 1), 0),
      );
      expect(values).toEqual([...values].sort((a, b) => a - b));
    }
  });

  it('draw quadrants by their names', () => {
    const named = ['3', '4', '1', '134', '14', '123', '124', '2', '23', '234'];
    for (const size of SIZES) {
      expect(range(0x2596, 0x259f).map((codePoint) => tilesOf(codePoint, QUADRANTS, size))).toEqual(named);
    }
  });

  it('keep separated tiles inside of the joined ones and apart from each other, across cells too', () => {
    for (const size of SIZES) {
      for (const [first, last, tiles] of [
        [0x1cc21, 0x1cc2f, QUADRANTS],
        [0x1ce51, 0x1ce8f, SEXTANTS],
      ] as const) {
        for (let codePoint = first; codePoint <= last; codePoint++) {
          const pattern = codePoint - first + 1;
          const joined = stacked(tiles.filter((_, i) => (pattern & (1 << i)) !== 0).map((tile) => draw(tile, size)));
          const mask = draw(codePoint, size);
          expect(mask.alpha.every((ink, i) => ink <= joined[i]!)).toBe(true);
          expect(pieces(mask).length).toBe(pattern.toString(2).replaceAll('0', '').length);
        }
        const full = draw(last, size);
        const field = tiled([
          [full, full],
          [full, full],
        ]);
        expect(pieces(field).length).toBe(4 * tiles.length);
      }
    }
  });

  it('put the sixteenths at quarters of the rows and columns', () => {
    for (const size of SIZES) {
      for (const [i, codePoint] of range(0x1ce90, 0x1ce9f).entries()) {
        const x = Math.floor((((i % 4) + 0.5) * size[0]) / 4);
        const y = Math.floor(((Math.floor(i / 4) + 0.5) * size[1]) / 4);
        expect(at(draw(codePoint, size), x, y)).toBe(255);
        expect(totalInk(draw(codePoint, size))).toBeLessThan((255 * size[0] * size[1]) / 8);
      }
    }
  });
});

describe('braille', () => {
  it('draws one dot for each bit of the code point, square, equal and separate', () => {
    for (const size of SIZES) {
      for (const codePoint of range(0x2800, 0x28ff)) {
        const dots = pieces(draw(codePoint, size));
        const bits = (codePoint & 0xff).toString(2).replaceAll('0', '').length;
        expect(dots.length, `U+${codePoint.toString(16)} at ${size.join('x')}`).toBe(bits);
        for (const dot of dots) {
          expect(dot.width).toBe(dot.height);
          expect(dot.pixels).toBe(dot.width * dot.height);
          expect(dot).toEqual(dots[0]);
        }
      }
    }
  });

  it('puts dots 1 2 3 7 on the left and 4 5 6 8 on the right, from the top', () => {
    for (const [width, height] of SIZES) {
      const places = range(0, 7).map((bit) => {
        const mask = draw(0x2800 + (1 << bit), [width, height]);
        const first = mask.alpha.indexOf(255);
        return [Math.floor(((first % width) * 2) / width), Math.floor((Math.floor(first / width) * 4) / height)];
      });
      expect(places).toEqual([
        [0, 0],
        [0, 1],
        [0, 2],
        [1, 0],
        [1, 1],
        [1, 2],
        [0, 3],
        [1, 3],
      ]);
    }
  });

  it('keeps the dots of neighbouring cells apart, and the gaps within a pixel of each other', () => {
    for (const size of SIZES) {
      const full = draw('⣿', size);
      const field = tiled([
        [full, full, full],
        [full, full, full],
      ]);
      expect(pieces(field).length).toBe(48);
      const dotColumn = full.alpha.indexOf(255) % size[0];
      const dotRow = Math.floor(full.alpha.indexOf(255) / size[0]);
      const across = gaps(Array.from({ length: field.width }, (_, x) => at(field, x, dotRow)));
      const down = gaps(Array.from({ length: field.height }, (_, y) => at(field, dotColumn, y)));
      expect(Math.max(...across) - Math.min(...across)).toBeLessThanOrEqual(1);
      expect(Math.max(...down) - Math.min(...down)).toBeLessThanOrEqual(1);
    }
  });
});

/** Lengths of the runs without ink between two with ink. */
function gaps(inks: readonly number[]): number[] {
  const line = inks.map((ink) => (ink > 0 ? '#' : '.')).join('');
  return Array.from(line.matchAll(/(?<=#)\.+(?=#)/g), ([gap]) => gap.length);
}
