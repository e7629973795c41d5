import { describe, expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import type { RawExtended } from '../../../src/vt/xterm/internals.js';
import {
  backgroundFlags,
  buildRow,
  colorWord,
  foregroundFlags,
  underlineStyle,
} from '../../../src/vt/xterm/row-builder.js';
import * as S from '../../../src/vt/snapshot.js';

function rowOf(output: string, linkTarget: (number: number) => string | undefined = () => undefined): S.SnapshotRow {
  const emulator = new Emulator({ cols: 6, rows: 2, scrollback: 0 });
  emulator.parse(output);
  const row = buildRow(emulator.buffer.lines.get(0)!, 'double-top', linkTarget);
  emulator.dispose();
  return row;
}

const cellAt = ({ cells }: S.SnapshotRow, col: number): number[] =>
  Array.from(cells.subarray(col * S.CELL_WORDS, (col + 1) * S.CELL_WORDS));
const WIDTH_1 = 1 << S.ATTR_WIDTH_SHIFT;
const WIDTH_2 = 2 << S.ATTR_WIDTH_SHIFT;
const EMPTY = [0, 0, 0, WIDTH_1];

describe('a row', () => {
  test('has a cell for each column, its line size and whether it continues another row', () => {
    const row = rowOf('a');
    expect(row.cells.length).toBe(6 * S.CELL_WORDS);
    expect([cellAt(row, 0), cellAt(row, 5)]).toEqual([[0x61, 0, 0, WIDTH_1], EMPTY]);
    expect(row).toMatchObject({ wrapped: false, lineSize: 'double-top', clusters: [] });
    expect([row.links, row.underlineColors]).toEqual([undefined, undefined]);
    const emulator = new Emulator({ cols: 2, rows: 2, scrollback: 0 });
    emulator.parse('abc');
    expect(buildRow(emulator.buffer.lines.get(1)!, 'single', () => undefined).wrapped).toBe(true);
    emulator.dispose();
  });

  test.each([
    ['1', S.ATTR_BOLD],
    ['2', S.ATTR_DIM],
    ['3', S.ATTR_ITALIC],
    ['4', 1 << S.ATTR_UNDERLINE_SHIFT],
    ['4:2', 2 << S.ATTR_UNDERLINE_SHIFT],
    ['4:3', 3 << S.ATTR_UNDERLINE_SHIFT],
    ['4:4', 4 << S.ATTR_UNDERLINE_SHIFT],
    ['4:5', 5 << S.ATTR_UNDERLINE_SHIFT],
    ['5', S.ATTR_BLINK],
    ['7', S.ATTR_INVERSE],
    ['8', S.ATTR_INVISIBLE],
    ['9', S.ATTR_STRIKETHROUGH],
    ['53', S.ATTR_OVERLINE],
    ['1;3;4:3;9', S.ATTR_BOLD | S.ATTR_ITALIC | (3 << S.ATTR_UNDERLINE_SHIFT) | S.ATTR_STRIKETHROUGH],
  ])('has the attribute of SGR %s, and no other', (parameters, attributes) => {
    const row = rowOf(`\x1b[${parameters}mx\x1b[my`);
    expect(cellAt(row, 0)).toEqual([0x78, 0, 0, WIDTH_1 | attributes]);
    expect(cellAt(row, 1)).toEqual([0x79, 0, 0, WIDTH_1]);
  });

  test.each([
    ['31', S.COLOR_PALETTE | 1, 0],
    ['97', S.COLOR_PALETTE | 15, 0],
    ['38;5;200', S.COLOR_PALETTE | 200, 0],
    ['38;2;1;2;3', S.COLOR_RGB | 0x010203, 0],
    ['42', 0, S.COLOR_PALETTE | 2],
    ['48;5;255', 0, S.COLOR_PALETTE | 255],
    ['48;2;255;0;9', 0, S.COLOR_RGB | 0xff0009],
    ['31;42', S.COLOR_PALETTE | 1, S.COLOR_PALETTE | 2],
  ])('has the colours of SGR %s', (parameters, fg, bg) => {
    expect(cellAt(rowOf(`\x1b[${parameters}mx`), 0)).toEqual([0x78, fg, bg, WIDTH_1]);
  });

  test('keeps characters of more than one code point beside its cells', () => {
    const row = rowOf('e\u0301xo\u0302');
    expect([0, 1, 2].map((col) => cellAt(row, col)[0])).toEqual([
      S.GRAPHEME_CLUSTER,
      0x78,
      (S.GRAPHEME_CLUSTER | 1) >>> 0,
    ]);
    expect(row.clusters).toEqual(['e\u0301', 'o\u0302']);
  });

  test('has a wide character in two cells, the right one without width', () => {
    const row = rowOf('\x1b[31m中\x1b[mx');
    expect([0, 1, 2].map((col) => cellAt(row, col))).toEqual([
      [0x4e2d, S.COLOR_PALETTE | 1, 0, WIDTH_2],
      [0, S.COLOR_PALETTE | 1, 0, 0],
      [0x78, 0, 0, WIDTH_1],
    ]);
  });

  test('has the targets of links and the colours of underlines by column', () => {
    const pen = (id: number): string => `\x1b]8;;http://a/${id}\x07`;
    const emulator = new Emulator({ cols: 6, rows: 1, scrollback: 0 });
    const input = emulator.internals._inputHandler;
    const usePen = (number: number): void => {
      const extended = input._curAttrData.extended.clone();
      extended.urlId = number;
      input._curAttrData.extended = extended;
      input._curAttrData.updateExtended();
    };
    usePen(7);
    emulator.parse('a');
    usePen(8);
    emulator.parse('b');
    usePen(0);
    emulator.parse('c\x1b[4;58;5;9md\x1b[58;2;1;2;3me\x1b[0;4mf');
    const row = buildRow(emulator.buffer.lines.get(0)!, 'single', (number) => (number === 8 ? undefined : pen(number)));
    expect(row.links).toEqual(new Map([[0, pen(7)]]));
    expect(row.underlineColors).toEqual(
      new Map([
        [3, S.COLOR_PALETTE | 9],
        [4, S.COLOR_RGB | 0x010203],
      ]),
    );
    // A link alone underlines nothing.
    const styles = Array.from({ length: 6 }, (_, col) => (cellAt(row, col)[3] ?? 0) >> S.ATTR_UNDERLINE_SHIFT);
    expect(styles).toEqual([0, 0, 0, 1, 1, 1]);
    emulator.dispose();
  });
});

describe('the words of the library', () => {
  test.each([
    [0, S.COLOR_DEFAULT],
    [0x00ff_ffff, S.COLOR_DEFAULT],
    [0x0100_0007, S.COLOR_PALETTE | 7],
    [0x0200_00ff, S.COLOR_PALETTE | 255],
    [0x0300_0000, S.COLOR_RGB],
    [0xff12_3456, S.COLOR_RGB | 0x123456],
  ])('%i is the colour %i', (raw, word) => {
    expect(colorWord(raw)).toBe(word);
  });

  test('have one bit for each flag', () => {
    const flags = (read: (word: number) => number): number[] =>
      Array.from({ length: 32 }, (_, bit) => read((1 << bit) >>> 0)).slice(24);
    const [inverse, bold, blink, invisible, struck] = [
      S.ATTR_INVERSE,
      S.ATTR_BOLD,
      S.ATTR_BLINK,
      S.ATTR_INVISIBLE,
      S.ATTR_STRIKETHROUGH,
    ];
    expect(flags(foregroundFlags)).toEqual([0, 0, inverse, bold, 0, blink, invisible, struck]);
    expect(flags(backgroundFlags)).toEqual([0, 0, S.ATTR_ITALIC, S.ATTR_DIM, 0, 0, S.ATTR_OVERLINE, 0]);
    expect([foregroundFlags(0), backgroundFlags(0)]).toEqual([0, 0]);
    expect(foregroundFlags(0xffff_ffff)).toBe(
      S.ATTR_INVERSE | S.ATTR_BOLD | S.ATTR_BLINK | S.ATTR_INVISIBLE | S.ATTR_STRIKETHROUGH,
    );
    expect(backgroundFlags(0xffff_ffff)).toBe(S.ATTR_ITALIC | S.ATTR_DIM | S.ATTR_OVERLINE);
  });

  test('mean a single underline if the extended attributes have no style', () => {
    const extended = (style: number): RawExtended => ({
      _ext: (style << 26) >>> 0,
      urlId: 0,
      clone: () => ({ ...extended(style) }),
    });
    const isExtended = 0x1000_0000;
    expect([1, 2, 3, 4, 5].map((style) => underlineStyle(isExtended, extended(style)))).toEqual([1, 2, 3, 4, 5]);
    expect(underlineStyle(isExtended, extended(0))).toBe(1);
    expect(underlineStyle(isExtended, undefined)).toBe(1);
    expect(underlineStyle(0, extended(3))).toBe(1);
  });
});
