import { expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';

const SIZE = { cols: 10, rows: 4, scrollback: 20 };

function after(text: string, scrollback = SIZE.scrollback): Emulator {
  const emulator = new Emulator({ ...SIZE, scrollback });
  emulator.parse(text);
  return emulator;
}

const rowsOf = ({ buffer }: Emulator): string[] =>
  Array.from({ length: buffer.lines.length }, (_, row) => buffer.lines.get(row)?.translateToString(true) ?? '');

test.each([
  ['the whole screen', '1\r\n2\r\n3\r\n4\x1b[2S', ['1', '2', '3', '4', '', '']],
  ['a region from the first row', '\x1b[1;3r1\r\n2\r\n3\x1b[4;1Hfoot\x1b[2S', ['1', '2', '3', '', '', 'foot']],
  ['more rows than there are', '1\r\n2\r\n3\r\n4\x1b[99S', ['1', '2', '3', '4', '', '', '', '']],
])('CSI S of %s moves rows into the scrollback', (_name, text, rows) => {
  expect(rowsOf(after(text))).toEqual(rows);
});

test.each([
  ['a region below the first row', '1\r\n2\r\n3\r\n4\x1b[2;4r\x1b[S', ['1', '3', '4', '']],
  ['the alternate screen', '\x1b[?1049h\x1b[H1\r\n2\r\n3\r\n4\x1b[S', ['2', '3', '4', '']],
])('CSI S of %s moves none', (_name, text, rows) => {
  expect(rowsOf(after(text))).toEqual(rows);
});

test('without a scrollback the rows are gone', () => {
  expect(rowsOf(after('1\r\n2\r\n3\r\n4\x1b[2S', 0))).toEqual(['3', '4', '', '']);
});

test.each(['\x1b[2T', '\x1b[2S'])('%j fills with the background of the pen, and no other row', (sequence) => {
  const { buffer } = after(`1\r\n2\r\n3\r\n4\x1b[41m${sequence}`);
  const background = (row: number): number => (buffer.lines.get(buffer.ybase + row)?._data[2] ?? 0) & 0xff;
  const filled = sequence.endsWith('T') ? [0, 1] : [2, 3];
  for (let row = 0; row < 4; row++) expect(background(row)).toBe(filled.includes(row) ? 1 : 0);
});
