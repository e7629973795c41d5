import { describe, expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { LineTextReader, writeLatin1 } from '../../../src/vt/rows/line-text.js';
import { cellWidth, rowCols, rowText, textEnd } from '../../../src/vt/rows/row-text.js';
import { graphemeAt } from '../../../src/vt/snapshot.js';
import { openScreen, show } from '../screens.js';

const COLS = 6;

async function rowOf(output: string) {
  const { lines } = await show(openScreen({ cols: COLS }), output);
  return lines[0]!;
}

/** Output, the text of all of its row, and the text without the empty cells at the end. */
const ROWS: readonly (readonly [output: string, whole: string, trimmed: string])[] = [
  ['', '      ', ''],
  ['ab', 'ab    ', 'ab'],
  ['ab  ', 'ab    ', 'ab  '],
  ['\x1b[3Gx', '  x   ', '  x'],
  ['abcdef', 'abcdef', 'abcdef'],
  ['\xe9\xff', '\xe9\xff    ', '\xe9\xff'],
  ['\u0100', '\u0100     ', '\u0100'],
  ['\u0100 ', '\u0100     ', '\u0100 '],
  ['a\u0100\x1b[5Gb', 'a\u0100  b ', 'a\u0100  b'],
  ['e\u0301f', 'e\u0301f    ', 'e\u0301f'],
  ['中a', '中a   ', '中a'],
  ['abcd中', 'abcd中', 'abcd中'],
  ['\u{1f600}', '\u{1f600}    ', '\u{1f600}'],
];

describe('the text of a row', () => {
  test.each(ROWS)('of %j is %j, and %j without its empty end', async (output, whole, trimmed) => {
    const row = await rowOf(output);
    expect(rowCols(row)).toBe(COLS);
    expect(rowText(row, { trim: false })).toBe(whole);
    expect(rowText(row)).toBe(trimmed);
  });

  test('can be limited to some columns, and includes a wide character that starts in them', async () => {
    const row = await rowOf('a中b');
    expect(rowText(row, { from: 1 })).toBe('中b');
    expect(rowText(row, { from: 2 })).toBe('b');
    expect(rowText(row, { to: 1 })).toBe('a');
    expect(rowText(row, { to: 2 })).toBe('a中');
    expect(rowText(row, { from: 3, to: 5 })).toBe('b');
    expect(rowText(row, { from: 3, to: 5, trim: false })).toBe('b ');
  });

  test('ends after the last written cell', async () => {
    const ends: readonly [string, number][] = [
      ['', 0],
      ['a', 1],
      ['a ', 2],
      ['\x1b[6Gx', 6],
      ['中', 2],
      ['abcd中', 6],
    ];
    for (const [output, end] of ends) expect(textEnd(await rowOf(output)), output).toBe(end);
  });

  test('has the characters of its cells, with their widths', async () => {
    const row = await rowOf('a中e\u0301');
    const columns = Array.from({ length: COLS + 1 }, (_, col) => col);
    expect(columns.map((col) => graphemeAt(row, col))).toEqual(['a', '中', '', 'e\u0301', '', '', '']);
    expect(columns.slice(0, COLS).map((col) => cellWidth(row, col))).toEqual([1, 2, 0, 1, 1, 1]);
  });
});

describe('the text of a line of the emulator', () => {
  function lineOf(output: string) {
    const emulator = new Emulator({ cols: COLS, rows: 1, scrollback: 0 });
    emulator.parse(output);
    const line = emulator.buffer.lines.get(0)!;
    emulator.dispose();
    return line;
  }

  test.each(ROWS)('of %j is %j, and %j without its empty end', (output, whole, trimmed) => {
    const reader = new LineTextReader();
    expect(reader.read(lineOf(output), false, undefined)).toBe(whole);
    expect(reader.read(lineOf(output), true, undefined)).toBe(trimmed);
  });

  test('is correct after a longer or a shorter line', () => {
    const reader = new LineTextReader();
    for (const text of ['abcdef', 'x', 'abc', '\u0100', 'abcd'])
      expect(reader.read(lineOf(text), true, undefined)).toBe(text);
  });

  test('is appended as bytes, unless a character needs more than one byte', () => {
    const target = new Uint8Array(10).fill(0x21);
    const written = (end: number): string => Buffer.from(target.subarray(0, end + 1)).toString('latin1');
    expect(writeLatin1(lineOf('a\xff\x1b[4Gb'), true, undefined, target, 2)).toBe(6);
    expect(written(6)).toBe('!!a\xff b!');
    expect(writeLatin1(lineOf('cd'), false, undefined, target, 1)).toBe(7);
    expect(written(7)).toBe('!cd    !');
    expect(writeLatin1(lineOf(''), true, undefined, target, 3)).toBe(3);
    for (const wider of ['\u0100', 'a中', 'e\u0301'])
      expect(writeLatin1(lineOf(wider), true, undefined, target, 0)).toBe(-1);
  });
});
