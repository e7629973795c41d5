/** The language of pictures, each command by itself, and the families that are drawn with it. */
import { describe, expect, it } from 'vitest';
import { circles } from '../../../src/render/sprites/circles.js';
import { digits } from '../../../src/render/sprites/digits.js';
import { drawings } from '../../../src/render/sprites/drawing.js';
import { pictures } from '../../../src/render/sprites/pictures.js';
import { powerline } from '../../../src/render/sprites/powerline.js';
import { progress } from '../../../src/render/sprites/progress.js';
import { supplement } from '../../../src/render/sprites/supplement.js';
import { rowsOf } from '../support/ink.js';
import { range } from './mask-probes.js';

function drawn(drawing: string, width = 10, height = 10, stroke = 1): string[] {
  return rowsOf(drawings({ 1: drawing }).draw(1, { width, height, stroke }));
}

function framed(top: number, rows: readonly string[], height = 10): string[] {
  const blank = '.'.repeat(rows[0]!.length);
  return Array.from({ length: height }, (_, y) => rows[y - top] ?? blank);
}

function inkOf(drawing: string, width: number, height: number, stroke = 1): number {
  const { alpha } = drawings({ 1: drawing }).draw(1, { width, height, stroke });
  return alpha.reduce((sum, ink) => sum + ink, 0) / 255;
}

describe('a command', () => {
  it.each([
    ['rect: from corner to corner', 'rect 20,30 60,80', framed(3, Array<string>(5).fill('..####....'))],
    ['block: in eighths', 'block 2,2 6,4', framed(3, ['...#####..', '...#####..'])],
    ['line: a light stroke to the border', 'line 0,50 100,50', framed(4, ['##########'])],
    ['line: upright', 'line 50,0 50,100', framed(0, Array<string>(10).fill('....#.....'))],
    ['bold: twice as thick', 'bold 50,0 50,100', framed(0, Array<string>(10).fill('....##....'))],
    ['bold: level', 'bold 0,50 100,50', framed(4, ['##########', '##########'])],
    [
      'line: to the first and the last pixel',
      'line 0.1,0 0.1,100; line 99.9,0 99.9,100',
      Array<string>(10).fill('#........#'),
    ],
    [
      'keep: nothing outside of the polygon',
      'block 0,0 8,8; keep 0,0 50,0 50,30 0,30',
      framed(0, Array<string>(3).fill('#####.....')),
    ],
    [
      'cut: what the command leaves',
      'block 0,0 8,8; cut rect 20,20 80,80',
      ['##########', '##########', ...Array<string>(6).fill('##......##'), '##########', '##########'],
    ],
    [
      'several, one after the other',
      'rect 0,0 50,50; rect 50,50 100,100',
      [...Array<string>(5).fill('#####.....'), ...Array<string>(5).fill('.....#####')],
    ],
  ])('%s', (_, drawing, rows) => {
    expect(drawn(drawing)).toEqual(rows);
  });

  it('fill: a polygon', () => {
    const rows = drawn('fill 0,0 100,0 0,100', 8, 16);
    expect(rows[0]!.startsWith('#######')).toBe(true);
    expect(rows[15]!.endsWith('.......')).toBe(true);
    expect(Math.abs(inkOf('fill 0,0 100,0 0,100', 8, 16) - 64)).toBeLessThan(1);
  });

  it.each([
    ['disc: radius in percent of the smaller side', 'disc 50,50 40', 20, 40, Math.PI * 64],
    ['disc: of a wide cell', 'disc 50,50 40', 40, 20, Math.PI * 64],
    ['ring: its light outline', 'ring 50,50 40', 20, 40, Math.PI * (64 - 49)],
    ['oval: radii in percent of width and height', 'oval 50,50 30,40', 20, 40, Math.PI * 6 * 16],
    ['hoop: its light outline', 'hoop 50,50 30,40', 20, 40, Math.PI * (6 * 16 - 5 * 15)],
    ['disc: as far as it is in the cell', 'disc 0,100 50', 20, 40, (Math.PI * 100) / 4],
    ['oval: as far as it is in the cell', 'oval 100,50 50,25', 20, 40, (Math.PI * 10 * 10) / 2],
  ])('%s', (_, drawing, width, height, pixels) => {
    expect(Math.abs(inkOf(drawing, width, height) - pixels)).toBeLessThan(1.5);
  });

  it('ring and hoop are as thick as the stroke', () => {
    expect(Math.abs(inkOf('ring 50,50 40', 20, 40, 3) - Math.PI * (64 - 25))).toBeLessThan(1.5);
    expect(Math.abs(inkOf('hoop 50,50 30,40', 20, 40, 3) - Math.PI * (6 * 16 - 3 * 13))).toBeLessThan(1.5);
  });

  it('oval and disc lie around their point', () => {
    const bounds = (rows: readonly string[]): number[] => {
      const columns = rows.flatMap((row) => Array.from(row, (sign, x) => (sign === '.' ? [] : [x])).flat());
      const inked = rows.flatMap((row, y) => (/[^.]/.test(row) ? [y] : []));
      return [Math.min(...columns), Math.max(...columns), inked[0]!, inked.at(-1)!];
    };
    expect(bounds(drawn('oval 25,50 10,20', 20, 40))).toEqual([3, 6, 12, 27]);
    expect(bounds(drawn('hoop 75,25 10,20', 20, 40))).toEqual([13, 16, 2, 17]);
    expect(bounds(drawn('disc 50,75 20', 20, 40))).toEqual([6, 13, 26, 33]);
    expect(bounds(drawn('ring 50,25 20', 20, 40))).toEqual([6, 13, 6, 13]);
  });

  it('line: from a point within the cell to its corners', () => {
    const signs = (drawing: string): string[] => {
      const rows = drawn(drawing, 11, 11);
      return [rows[0]![0]!, rows[0]![10]!, rows[10]![0]!, rows[10]![10]!];
    };
    expect(signs('line 50,50 100,0').map((sign) => sign !== '.')).toEqual([false, true, false, false]);
    expect(signs('line 50,50 100,100').map((sign) => sign !== '.')).toEqual([false, false, false, true]);
    expect(signs('line 50,50 0,100').map((sign) => sign !== '.')).toEqual([false, false, true, false]);
  });

  it('puts strokes upon whole pixels, in the cell', () => {
    for (const [width, height, stroke] of [
      [8, 16, 1],
      [9, 18, 1],
      [20, 40, 2],
      [4, 8, 1],
    ] as const) {
      for (const percent of [0.1, 10, 33, 50, 77, 99.9]) {
        const level = drawn(`line 0,${percent} 100,${percent}`, width, height, stroke);
        expect(level.filter((row) => row === '#'.repeat(width))).toHaveLength(stroke);
        expect(level.filter((row) => row === '.'.repeat(width))).toHaveLength(height - stroke);
        const top = level.indexOf('#'.repeat(width));
        expect(Math.abs(top + stroke / 2 - (percent * height) / 100)).toBeLessThanOrEqual(stroke / 2 + 0.5);
        const upright = drawn(`bold ${percent},0 ${percent},100`, width, height, stroke);
        expect(new Set(upright).size).toBe(1);
        expect(upright[0]!.replaceAll('.', '')).toBe('#'.repeat(2 * stroke));
      }
    }
  });
});

describe('a seven-segment digit', () => {
  /** Segments a to g by a point of each, in percent. */
  const SEGMENTS = {
    a: [50, 12],
    b: [80, 30],
    c: [80, 70],
    d: [50, 88],
    e: [20, 70],
    f: [20, 30],
    g: [50, 50],
  } as const;

  it.each([...['abcdef', 'bc', 'abdeg', 'abcdg', 'bcfg', 'acdfg', 'acdefg', 'abc', 'abcdefg', 'abcdfg'].entries()])(
    '%i has the segments %s alight and no others',
    (digit, lit) => {
      for (const [width, height] of [
        [20, 40],
        [40, 80],
      ] as const) {
        const mask = digits.draw(0x1fbf0 + digit, { width, height, stroke: Math.round(width / 10) });
        const seen = Object.entries(SEGMENTS).flatMap(([name, [x, y]]) =>
          (mask.alpha[Math.floor((y * height) / 100) * width + Math.floor((x * width) / 100)] ?? 0) > 127 ? [name] : [],
        );
        expect(seen.join('')).toBe(lit);
      }
    },
  );

  it('is one of ten', () => {
    expect(range(0x1fbe0, 0x1fc00).filter((codePoint) => digits.has(codePoint))).toEqual(range(0x1fbf0, 0x1fbf9));
  });
});

it.each([
  ['circles', circles, 0x1fbe0, 0x1cc30, 0x1fbe4],
  ['pictures', pictures, 0x1fbaf, 0x1fbcd, 0x1fbd0],
  ['separators', powerline, 0xe0b0, 0xe0d4, 0xe0d1],
  ['progress bars', progress, 0xee00, 0xee0b, 0xee0c],
  ['supplement', supplement, 0x1cc1b, 0x1cc8f, 0x1cc1a],
] as const)('%s have what is in their table', (_, family, first, last, other) => {
  expect([first, last, other].map((codePoint) => family.has(codePoint))).toEqual([true, true, false]);
  for (const codePoint of [first, last]) {
    const { alpha } = family.draw(codePoint, { width: 10, height: 20, stroke: 1 });
    expect(Math.max(...alpha)).toBeGreaterThan(200);
  }
});
