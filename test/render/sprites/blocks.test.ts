import { describe, expect, it } from 'vitest';
import { column, draw, ODD_SIZES, range, row, SIZES, stacked, tiled, totalInk, type Size } from './mask-probes.js';

const LOWER_EIGHTHS = Array.from('▁▂▃▄▅▆▇█');
const LEFT_EIGHTHS = Array.from('▏▎▍▌▋▊▉█');
/** Upper and right k/8 for k of 1 to 7. */
const UPPER_EIGHTHS = [0x2594, 0x1fb82, 0x1fb83, 0x2580, 0x1fb84, 0x1fb85, 0x1fb86];
const RIGHT_EIGHTHS = [0x2595, 0x1fb87, 0x1fb88, 0x2590, 0x1fb89, 0x1fb8a, 0x1fb8b];

/** Characters that together cover the cell once. */
const PARTITIONS: (string | number)[][] = [
  ['▌', '▐'],
  ['▀', '▄'],
  ['▘', '▝', '▖', '▗'],
  ['▚', '▞'],
  ['▙', '▝'],
  ['▛', '▗'],
  ['▜', '▖'],
  ['▟', '▘'],
  ['▌', '▝', '▗'],
  ['▀', '▖', '▗'],
  range(0x1ce90, 0x1ce9f),
  [0x1cea0, 0x1cea3, 0x1fb85],
  [0x1cea1, 0x1ce9c, 0x1fb85],
  [0x1cea2, 0x1ce9f, 0x1fb85],
  [0x1cea8, 0x1ceab, '▆'],
  [0x1cea9, 0x1ce93, '▆'],
  [0x1ceaa, 0x1ce90, '▆'],
  [0x1cea4, 0x1cea7, 0x1fb8a],
  [0x1cea5, 0x1ce90, 0x1fb8a],
  [0x1cea6, 0x1ce9c, 0x1fb8a],
  [0x1ceac, 0x1ceaf, '▊'],
  [0x1cead, 0x1ce9f, '▊'],
  [0x1ceae, 0x1ce93, '▊'],
  [0x1fbe4, 0x1fbe5, '▎', 0x1fb87],
  [0x1fbe6, 0x1fbe7, 0x1fb82, '▂'],
  [0x1fb80, 0x1fb76, 0x1fb77, 0x1fb78, 0x1fb79, 0x1fb7a, 0x1fb7b],
];

function sums(characters: readonly (string | number)[], size: Size): number[] {
  return [...new Set(stacked(characters.map((character) => draw(character, size))))];
}

describe('blocks', () => {
  it('cover the cell exactly once if halves, quadrants and quarters complete each other', () => {
    for (const size of SIZES) {
      for (const partition of PARTITIONS) {
        // A cell of seven pixels has no eight rows; fourteen have.
        expect(sums(partition, size), `${partition.join(' ')} at ${size.join('x')}`).toEqual([255]);
      }
    }
  });

  it('tile k eighths from one side with 8 - k from the other in any cell', () => {
    for (const size of ODD_SIZES) {
      for (let k = 1; k < 8; k++) {
        expect(sums([LOWER_EIGHTHS[k - 1]!, UPPER_EIGHTHS[7 - k]!], size), `${k}/8 at ${size.join('x')}`).toEqual([
          255,
        ]);
        expect(sums([LEFT_EIGHTHS[k - 1]!, RIGHT_EIGHTHS[7 - k]!], size), `${k}/8 at ${size.join('x')}`).toEqual([255]);
      }
    }
  });

  it('grow with every eighth, by a pixel at least if there are eight', () => {
    for (const size of ODD_SIZES) {
      for (const [eighths, pixels] of [
        [LOWER_EIGHTHS, size[1]],
        [LEFT_EIGHTHS, size[0]],
        [[...UPPER_EIGHTHS, 0x2588], size[1]],
        [[...RIGHT_EIGHTHS, 0x2588], size[0]],
      ] as const) {
        const inks = eighths.map((character) => totalInk(draw(character, size)));
        for (let k = 1; k < 8; k++) {
          if (pixels >= 8) expect(inks[k]).toBeGreaterThan(inks[k - 1]!);
          else expect(inks[k]).toBeGreaterThanOrEqual(inks[k - 1]!);
        }
        expect(inks[0]).toBeGreaterThan(0);
        expect(inks[6]).toBeLessThan(inks[7]!);
      }
    }
  });

  it('fill the whole cell with eight strips of one eighth if the pixels suffice', () => {
    const columns = ['▏', ...range(0x1fb70, 0x1fb75), '▕'];
    const rows = ['▔', ...range(0x1fb76, 0x1fb7b), '▁'];
    for (const size of SIZES) {
      if (size[0] >= 8) expect(sums(columns, size)).toEqual([255]);
      expect(sums(rows, size)).toEqual([255]);
    }
  });

  it('combine the strips of one eighth that their names list', () => {
    const unions: [number, (string | number)[]][] = [
      [0x1fb7c, ['▏', '▁']],
      [0x1fb7d, ['▏', '▔']],
      [0x1fb7e, ['▕', '▔']],
      [0x1fb7f, ['▕', '▁']],
      [0x1fb80, ['▔', '▁']],
      [0x1fb81, ['▔', 0x1fb77, 0x1fb79, '▁']],
    ];
    for (const size of SIZES) {
      for (const [codePoint, parts] of unions) {
        const united = stacked(parts.map((part) => draw(part, size))).map((ink) => Math.min(ink, 255));
        expect([...draw(codePoint, size).alpha]).toEqual(united);
      }
    }
  });

  it('shade evenly at a quarter, a half and three quarters', () => {
    for (const size of ODD_SIZES) {
      const inks = Array.from('░▒▓', (shade) => [...new Set(draw(shade, size).alpha)]);
      expect(inks).toEqual([[64], [128], [191]]);
      expect([...new Set(draw(0x1fb90, size).alpha)]).toEqual([128]);
    }
  });

  it('bound shaded halves where the solid halves are bounded', () => {
    for (const size of SIZES) {
      for (const [shaded, solid] of [
        [0x1fb8c, '▌'],
        [0x1fb8d, '▐'],
        [0x1fb8e, '▀'],
        [0x1fb8f, '▄'],
      ] as const) {
        expect([...draw(shaded, size).alpha]).toEqual(
          [...draw(solid, size).alpha].map((ink) => (ink === 255 ? 128 : 0)),
        );
      }
      expect(stacked([draw(0x1fb91, size), draw(0x1fb92, size)]).every((ink) => ink === 255 + 128)).toBe(true);
      expect(stacked([draw(0x1fb94, size), draw(0x1fb8d, size)]).filter((ink) => ink !== 128)).toEqual(
        [...draw('▐', size).alpha].filter((ink) => ink === 255).map((ink) => ink + 128),
      );
    }
  });

  it('take a third and two thirds from the left', () => {
    for (const [width, third, twoThirds] of [
      [7, 2, 5],
      [8, 3, 5],
      [9, 3, 6],
      [20, 7, 13],
    ] as const) {
      const inked = (codePoint: number) => row(draw(codePoint, [width, 2 * width]), 0).filter((ink) => ink > 0).length;
      expect([inked(0x1fbcf), inked(0x1fbce)]).toEqual([third, twoThirds]);
    }
  });

  it('fill with checks, stripes and lines that run on into the next cell', () => {
    for (const size of SIZES) {
      expect(sums([0x1fb95, 0x1fb96], size)).toEqual([255]);
      for (const codePoint of [0x1fb95, 0x1fb96, 0x1fb98, 0x1fb99, 0x1cc43]) {
        const cell = draw(codePoint, size);
        const field = tiled([
          [cell, cell],
          [cell, cell],
        ]);
        const share = totalInk(field) / field.alpha.length / 255;
        expect(share).toBeGreaterThan(0.4);
        expect(share).toBeLessThan(0.6);
      }
      // The top left check is inked, and the first of the next cell like it: both counts are even.
      const checks = tiled([[draw(0x1fb95, size), draw(0x1fb95, size)]]);
      expect([row(checks, 0)[0], row(checks, 0)[size[0] - 1], row(checks, 0)[size[0]]]).toEqual([255, 0, 255]);
      expect([column(checks, 0)[0], column(checks, 0)[size[1] - 1]]).toEqual([255, 0]);
    }
  });

  it('put scan lines from the top edge to the bottom edge, with the light line in their middle', () => {
    for (const size of SIZES) {
      const tops = Array.from('⎺⎻─⎼⎽', (line) => column(draw(line, size), 0).indexOf(255));
      expect(tops[0]).toBe(0);
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
      expect(new Set(tops).size).toBe(5);
      expect(column(draw('⎽', size), 0).at(-1)).toBe(255);
      for (const line of '⎺⎻⎼⎽') expect(totalInk(draw(line, size))).toBe(totalInk(draw('─', size)));
    }
  });
});
