/** Lines that are read from a real screen, which builds rows anew once they have scrolled off. */
import { describe, expect, test } from 'vitest';
import { LineScan } from '../../src/search/line-scan.js';
import { Random } from '../../trials/support/random.js';
import { openScreen, show } from '../vt/screens.js';

function read(scan: LineScan): string[] {
  return Array.from(scan.changed(), ({ number, text }) => `${number} ${text}`);
}

describe('of lines that scroll off a real screen', () => {
  test('none is read again, and none of the same words is taken for one of them', async () => {
    const screen = openScreen({ cols: 10, rows: 3 });
    const scan = new LineScan(screen);
    await show(screen, 'tick\r\na\r\n');
    expect(read(scan)).toEqual(['0 tick', '1 a']);
    await show(screen, 'tick\r\n');
    expect(read(scan)).toEqual(['2 tick']);
    await show(screen, 'tick\r\ntick\r\n');
    expect(read(scan)).toEqual(['3 tick', '4 tick']);
  });

  test('one that was completed before is read again', async () => {
    const screen = openScreen({ cols: 10, rows: 3 });
    const scan = new LineScan(screen);
    await show(screen, 'ab');
    expect(read(scan)).toEqual(['0 ab']);
    await show(screen, 'c\r\n1\r\n2\r\n3\r\n4');
    expect(read(scan)).toEqual(['0 abc', '1 1', '2 2', '3 3', '4 4']);
  });

  test('all are read once, with any characters and in any pieces', async () => {
    const random = new Random(20261126);
    const pieces = ['a', 'é', '漢', '👍', ' ', 'tick', 'x'.repeat(25), '\x1b[1m', '|'];
    const screen = openScreen({ cols: 10, rows: 4, scrollback: 5000 });
    const scan = new LineScan(screen);
    const printed: string[] = [];
    const seen: string[] = [];
    for (let round = 0; round < 60; round++) {
      let output = '';
      for (let count = random.below(12); count > 0; count--) {
        const line = `${printed.length}:${Array.from({ length: random.below(5) }, () => random.pick(pieces)).join('')}.`;
        printed.push(line.replaceAll('\x1b[1m', ''));
        output += `${line}\r\n`;
      }
      await show(screen, output);
      seen.push(...Array.from(scan.changed(), ({ text }) => text).filter((text) => text !== ''));
    }
    // A wide character that has no room at the end of a row leaves a cell empty.
    const dense = (lines: string[]): string[] => lines.map((line) => line.replaceAll(' ', ''));
    expect(dense(seen)).toEqual(dense(printed));
  });

  test('a place is that of its cell, wide characters counted', async () => {
    const screen = openScreen({ cols: 10, rows: 3 });
    const scan = new LineScan(screen);
    await show(screen, `${'漢'.repeat(7)}x\r\n1\r\n2\r\n3`);
    const [line] = scan.changed();
    expect(scan.placeOf(line!, 7)).toEqual({ row: -1, col: 4 });
  });
});
