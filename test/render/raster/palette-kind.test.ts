/** Which palette a picture gets, by what its rows draw with. */
import { expect, test } from 'vitest';
import { INDEXED_MODES } from '../../../src/render/raster/level-color.js';
import {
  choosePalette,
  isFinest,
  MAX_PALETTE,
  type Reserved,
  reservedColors,
  tooManyForFiner,
} from '../../../src/render/raster/palette.js';
import { mergedColors, RowColors } from '../../../src/render/raster/row-colors.js';

const BLACK = 0x000000;
const BACKGROUND_LEVEL = 1;
const TEXT_LEVEL = 1 << 15;
const ENDS = BACKGROUND_LEVEL | TEXT_LEVEL;
const ALL = 0xffff;
const FEW = ENDS | 0b111_1000;
const reserved: Reserved = { background: BLACK, cursor: undefined };

/** So many pens, far from one another, at these levels upon black. */
function pens(count: number, used: number, first = 1): RowColors {
  const row = new RowColors();
  for (let pen = first; pen < first + count; pen++)
    row.addPair(((pen * 0x3d_c6ef) % 0x100_0000) | 0x40_4040, BLACK, used);
  return row;
}

/** So many backgrounds. */
function backgrounds(count: number, first = 1): RowColors {
  const row = new RowColors();
  for (let bg = first; bg < first + count; bg++) row.addPair(BLACK, bg, BACKGROUND_LEVEL);
  return row;
}

test('a palette has the background first, then all others by value', () => {
  const row = new RowColors();
  row.addPair(0x0000ff, 0xffffff, ENDS);
  row.plain.add(0xff2d95);
  row.pictures.add(0x102030);
  const { kind, colors } = choosePalette([row], { background: 0xffffff, cursor: undefined });
  expect(kind).toEqual({ mode: 'indexed-16', whole: true });
  expect(colors).toEqual([0xffffff, 0x0000ff, 0x112233, 0xff2d95]);
});

test('every pen has all its levels if there is room, except one that uses only its ends', () => {
  expect(choosePalette([pens(1, 1 << 4)], reserved).colors).toHaveLength(16);
  expect(choosePalette([pens(1, ENDS)], reserved).colors).toHaveLength(2);
  expect(choosePalette([pens(1, TEXT_LEVEL)], reserved).colors).toHaveLength(2);
  expect(choosePalette([pens(1, BACKGROUND_LEVEL)], reserved).colors).toHaveLength(1);
});

test.each([
  ['as many pens as have room with all their levels', pens(17, ALL), 'indexed-16', true],
  ['one more', pens(18, ALL), 'indexed-8', true],
  ['one more, of which few levels are needed', pens(18, FEW), 'indexed-16', false],
  ['more, of which few levels are needed', pens(52, FEW), 'indexed-8', false],
  ['many pens', pens(37, ALL), 'indexed-4', true],
  ['many pens, of which few levels are needed', pens(86, FEW), 'indexed-4', false],
  ['very many pens', pens(86, ALL), 'indexed-cube', true],
  ['very many pens, of which few levels are needed', pens(171, FEW), 'indexed-cube', false],
  ['as many pens as colours', pens(256, ALL), 'direct', false],
])('the finest fitting kind is chosen: %s', (_, row, mode, whole) => {
  const { kind, colors } = choosePalette([row], reserved);
  expect(kind).toEqual({ mode, whole });
  expect(colors.length).toBeLessThanOrEqual(MAX_PALETTE);
  if (mode === 'direct') expect(colors).toEqual([]);
});

test.each([
  ['backgrounds', backgrounds],
  [
    'exact colours',
    (count: number) => {
      const row = new RowColors();
      for (let rgb = 1; rgb <= count; rgb++) row.plain.add(rgb);
      return row;
    },
  ],
])('a palette holds 256 colours, and no more: %s', (_, make) => {
  expect(choosePalette([make(255)], reserved).colors).toHaveLength(256);
  expect(choosePalette([make(256)], reserved).kind.mode).toBe('direct');
});

test('colours of a cursor at any place are only in palettes of whole pens', () => {
  const cursor = pens(1, ALL);
  const withCursor = { background: BLACK, cursor };
  expect(reservedColors(withCursor, { mode: 'indexed-16', whole: true }).size).toBe(16);
  expect([...reservedColors(withCursor, { mode: 'indexed-16', whole: false })]).toEqual([BLACK]);
  expect([...reservedColors(reserved, { mode: 'indexed-16', whole: true })]).toEqual([BLACK]);
  expect(choosePalette([], withCursor).colors).toHaveLength(16);
  expect(choosePalette([], reserved).colors).toEqual([BLACK]);
});

test('the finest kind is sixteen levels of every pen', () => {
  const kinds = INDEXED_MODES.flatMap((mode) => [true, false].map((whole) => ({ mode, whole })));
  expect(kinds.filter(isFinest)).toEqual([{ mode: 'indexed-16', whole: true }]);
  expect(isFinest({ mode: 'direct', whole: false })).toBe(false);
});

test('rows with too many colours prevent finer kinds while they are present', () => {
  const [few, many, rest] = [pens(10, ALL), pens(40, ALL, 11), pens(1, ENDS, 51)];
  const kind = { mode: 'indexed-4', whole: true } as const;
  expect(choosePalette([few, many], reserved).kind).toEqual(kind);
  expect(tooManyForFiner(kind, reserved, [few, many, rest])).toEqual([few, many]);
  expect(tooManyForFiner(kind, reserved, [many, few, rest])).toEqual([many]);
  expect(tooManyForFiner(kind, reserved, [few, rest])).toBeUndefined();
  expect(tooManyForFiner({ mode: 'indexed-8', whole: false }, reserved, [pens(18, ALL)])).toBeUndefined();
  expect(tooManyForFiner({ mode: 'indexed-8', whole: true }, reserved, [pens(18, ALL)])).toHaveLength(1);
  expect(tooManyForFiner({ mode: 'direct', whole: false }, reserved, [many])).toBeUndefined();
});

test('too many backgrounds are too many for any kind', () => {
  const rows = [backgrounds(100), backgrounds(155, 101), backgrounds(1, 256), pens(1, ALL)];
  expect(tooManyForFiner({ mode: 'direct', whole: false }, reserved, rows)).toEqual(rows.slice(0, 3));
  expect(tooManyForFiner({ mode: 'direct', whole: false }, reserved, rows.slice(0, 2))).toBeUndefined();
});

test('neighbours of equal colours are one pair, and all rows have each pair once', () => {
  const row = new RowColors();
  row.addPair(1, 2, 0b01);
  row.addPair(1, 2, 0b10);
  row.addPair(1, 3, 0b01);
  row.addPair(2, 3, 0b01);
  row.addPair(1, 2, 0b100);
  expect(row.pairs).toEqual([
    { fg: 1, bg: 2, used: 0b11 },
    { fg: 1, bg: 3, used: 0b01 },
    { fg: 2, bg: 3, used: 0b01 },
    { fg: 1, bg: 2, used: 0b100 },
  ]);
  const other = new RowColors();
  other.addPair(1, 3, 0b1000);
  other.addPair(3, 1, 0b1);
  other.plain.add(7);
  other.pictures.add(8);
  const merged = mergedColors([row, other]);
  expect(merged.pairs).toEqual([
    { fg: 1, bg: 2, used: 0b111 },
    { fg: 1, bg: 3, used: 0b1001 },
    { fg: 2, bg: 3, used: 0b01 },
    { fg: 3, bg: 1, used: 0b1 },
  ]);
  expect([[...merged.plain], [...merged.pictures]]).toEqual([[7], [8]]);
  expect(row.pairs[0]?.used).toBe(0b11);
});
