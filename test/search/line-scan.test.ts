/** Which lines of a screen count as read. */
import { describe, expect, test } from 'vitest';
import { LineScan } from '../../src/search/line-scan.js';
import type { SnapshotRow } from '../../src/vt/snapshot.js';
import { COLS, lines, ScannedRows, wrapped } from './scanned-rows.js';
import { row } from '../events/screens.js';

/** What is new by now: the number of each line, and its text. */
function read(scan: LineScan): [number, string][] {
  return Array.from(scan.changed(), ({ number, text }) => [number, text]);
}

describe('a reader', () => {
  test('reads the visible lines first, and then each line that appears or changes, once', () => {
    const [a, b, c, d] = lines('a', 'b', 'c', 'd') as [SnapshotRow, SnapshotRow, SnapshotRow, SnapshotRow];
    const screen = new ScannedRows([...lines('old'), a, b, c, d], 5);
    const scan = new LineScan(screen);
    const first: [number, string][] = [
      [6, 'a'],
      [7, 'b'],
      [8, 'c'],
      [9, 'd'],
    ];
    expect(read(scan)).toEqual(first);
    screen.show([...lines('old'), a, row('B', COLS), c, d]);
    expect(read(scan)).toEqual([[7, 'B']]);
    screen.rev++;
    expect(read(scan)).toEqual([]);
  });

  test('does not read a screen of the same revision again', () => {
    const screen = new ScannedRows(lines('a'));
    const scan = new LineScan(screen);
    read(scan);
    screen.looks = 0;
    expect(read(scan)).toEqual([]);
    expect(screen.looks).toBe(0);
  });

  test('reads what another has read in the same step, at no cost', () => {
    const [a, b] = lines('a', 'b') as [SnapshotRow, SnapshotRow];
    const screen = new ScannedRows([a, b]);
    const [one, other] = [new LineScan(screen), new LineScan(screen)];
    read(one);
    read(other);
    screen.show([a, row('c', COLS)]);
    expect(read(one)).toEqual([[1, 'c']]);
    screen.looks = 0;
    expect(read(other)).toEqual([[1, 'c']]);
    expect(screen.looks).toBe(0);
  });

  test('skips blank lines', () => {
    const scan = new LineScan(new ScannedRows(lines('', 'a', '')));
    expect(read(scan)).toEqual([[1, 'a']]);
  });

  test('reads soft-wrapped rows as one line, and again when one of them changes', () => {
    const [start, other] = lines('0123456789', 'x') as [SnapshotRow, SnapshotRow];
    const screen = new ScannedRows([start, wrapped('abc'), other]);
    const scan = new LineScan(screen);
    expect(read(scan)).toEqual([
      [0, '0123456789abc'],
      [2, 'x'],
    ]);
    screen.rev++;
    expect(read(scan)).toEqual([]);
    screen.show([start, wrapped('abcd'), other]);
    expect(read(scan)).toEqual([[0, '0123456789abcd']]);
  });

  test('reads lines that have scrolled off, even before the first look', () => {
    const shown = lines('a', 'b', 'c', 'd');
    const screen = new ScannedRows(shown, 3);
    const scan = new LineScan(screen);
    const more = lines('e', 'f', 'g', 'h', 'i');
    screen.show([...shown, ...more]);
    expect(read(scan).map(([number]) => number)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
    screen.show([...shown, ...more, ...lines('j', 'k')]);
    expect(read(scan)).toEqual([
      [12, 'j'],
      [13, 'k'],
    ]);
  });

  test('finds the place of a character in the viewport, or above it', () => {
    const screen = new ScannedRows([...lines('0', '0123456789'), wrapped('abc'), ...lines('b', 'c', 'd')], 7);
    const scan = new LineScan(screen);
    const place = (number: number, at: number): unknown => scan.placeOf({ number, text: 'x', rows: undefined }, at);
    expect([place(7, 0), place(8, 11), place(10, 2), place(12, 0)]).toEqual([
      { row: -2, col: 0 },
      { row: 0, col: 1 },
      { row: 1, col: 2 },
      { row: 3, col: 0 },
    ]);
  });
});

describe('a line that begins above the scanned rows', () => {
  test('is read from its beginning', () => {
    const screen = new ScannedRows(
      [...lines('x', '0123456789'), wrapped('9876543210'), wrapped('end')].concat(lines('a', 'b')),
    );
    expect(screen.scrollbackLines).toBe(2);
    expect(read(new LineScan(screen))).toEqual([
      [1, '01234567899876543210end'],
      [4, 'a'],
      [5, 'b'],
    ]);
  });

  test('is read from its oldest row in the scrollback', () => {
    const screen = new ScannedRows([wrapped('0123456789'), wrapped('abc'), ...lines('a', 'b', 'c')], 40);
    expect(read(new LineScan(screen))[0]).toEqual([40, '0123456789abc']);
  });

  test('is read from at most 200 rows above', () => {
    const screen = new ScannedRows([
      ...lines('0123456789'),
      ...Array.from({ length: 250 }, () => wrapped('9876543210')),
    ]);
    expect(screen.scrollbackLines).toBe(247);
    const [[number, text] = [0, '']] = read(new LineScan(screen));
    expect([number, text.length]).toEqual([47, 204 * COLS]);
  });
});

describe('a row that has moved', () => {
  const [a, b, c, d] = lines('a', 'b', 'c', 'd') as [SnapshotRow, SnapshotRow, SnapshotRow, SnapshotRow];

  function readTwice(before: readonly SnapshotRow[], after: readonly SnapshotRow[], firstLineNumber = 0): string[] {
    const screen = new ScannedRows(before, firstLineNumber);
    const scan = new LineScan(screen);
    read(scan);
    screen.show(after);
    return read(scan).map(([number, text]) => `${number - firstLineNumber} ${text}`);
  }

  test.each([0, 6])('is not new in its new place (%i lines lost)', (lost) => {
    expect(readTwice([a, b, c, d], lines('new').concat([a, b, c]), lost)).toEqual(['0 new']);
    expect(readTwice([a, b, c, d], [b, c, d, ...lines('new')], lost)).toEqual(['3 new']);
  });

  test.each([0, 6])('is not new once for each place that it has left (%i lines lost)', (lost) => {
    expect(readTwice([a, b, c, d], [b, a, a, d], lost)).toEqual(['2 a']);
    expect(readTwice([a, a, b, c], [b, c, a, a], lost)).toEqual([]);
  });

  test.each([0, 6])('is new in a second place if it stays in its first (%i lines lost)', (lost) => {
    expect(readTwice([a, b, c, d], [a, a, c, d], lost)).toEqual(['1 a']);
  });

  test('is new if its line was lost since the last read', () => {
    const screen = new ScannedRows([a, b, c, d]);
    const scan = new LineScan(screen);
    read(scan);
    screen.firstLineNumber = 1;
    screen.show([b, c, d, a]);
    expect(read(scan)).toEqual([[4, 'a']]);
  });
});

describe('the alternate screen', () => {
  test('is read completely, even if it shows the same rows', () => {
    const shown = lines('a', 'b');
    const screen = new ScannedRows(shown);
    const scan = new LineScan(screen);
    read(scan);
    screen.altScreen = true;
    screen.rev++;
    expect(read(scan)).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
  });

  test('is followed by the visible lines of the main screen, not by its scrollback', () => {
    const screen = new ScannedRows(lines('editor'));
    screen.altScreen = true;
    const scan = new LineScan(screen);
    expect(read(scan)).toEqual([[0, 'editor']]);
    screen.altScreen = false;
    screen.show(lines('old 1', 'old 2', 'a', 'b', 'c', 'd'));
    expect(read(scan).map(([, text]) => text)).toEqual(['a', 'b', 'c', 'd']);
  });
});

test('a line that makes the grid what it was before is read, although the revision is the same', () => {
  const screen = new ScannedRows(lines('Sure? y', 'Sure? y', 'Sure? y', 'Sure? '));
  screen.cursor = { row: 3, col: 6 };
  const scan = new LineScan(screen);
  read(scan);
  const { rev } = screen;
  screen.show(lines('Sure? y', 'Sure? y', 'Sure? y', 'Sure? y', 'Sure? '));
  screen.rev = rev;
  expect(read(scan).at(-1)).toEqual([4, 'Sure? ']);
});
