/** Which lines of a screen are new to a reader that has sent input. */
import { describe, expect, test } from 'vitest';
import { LineScan } from '../../src/search/line-scan.js';
import { lines, ScannedRows, wrapped } from './scanned-rows.js';

describe('a reader that has sent input', () => {
  /** What is new of each line: its text from where it is not known. */
  function news(scan: LineScan): string[] {
    return Array.from(scan.changed(), ({ text, knownLength }) => text.slice(knownLength));
  }

  test('ignores the text that was already on the screen, and the echo after the cursor', () => {
    const screen = new ScannedRows(lines('old 1', 'old 2', 'a', '$ '), 9);
    screen.show(lines('old 1', 'old 2', 'old 3', 'a', 'b', '$ '));
    screen.cursor = { row: 3, col: 2 };
    const scan = new LineScan(screen, 'make\n');
    expect(news(scan)).toEqual([]);
    screen.show(lines('old 1', 'old 2', 'old 3', 'a', 'B', '$ make it'));
    expect(news(scan)).toEqual(['B', ' it']);
  });

  test('ignores the echo after a prompt of more than one row', () => {
    const screen = new ScannedRows([...lines('long prom>'), wrapped('two> ')]);
    screen.cursor = { row: 1, col: 5 };
    const scan = new LineScan(screen, 'ls\n');
    screen.show([...lines('long prom>'), wrapped('two> ls!')]);
    expect(news(scan)).toEqual(['!']);
  });

  test('ignores the echo at a cursor beyond the end of the text', () => {
    const screen = new ScannedRows([...lines('long prom>'), wrapped('two>')]);
    screen.cursor = { row: 1, col: 6 };
    const scan = new LineScan(screen, 'ls\n');
    screen.show([...lines('long prom>'), wrapped('two>  ls!')]);
    expect(news(scan)).toEqual(['!']);
  });

  test('takes only the first line of its input as the echo, and only on the line of the cursor', () => {
    const screen = new ScannedRows(lines('> ', '> '));
    screen.cursor = { row: 1, col: 2 };
    const scan = new LineScan(screen, 'one\ntwo');
    screen.show(lines('> one', '> onetwo'));
    expect(news(scan)).toEqual(['one', 'two']);
  });

  test('reads a prompt again that is below the one that was answered', () => {
    const screen = new ScannedRows(lines('Sure? ', '', ''));
    screen.cursor = { row: 0, col: 6 };
    const scan = new LineScan(screen, '');
    expect(news(scan)).toEqual([]);
    screen.show(lines('Sure? y', 'Sure? ', ''));
    expect(news(scan)).toEqual(['y', expect.stringMatching(/^Sure\?/)]);
  });

  test('reads the whole of a new line', () => {
    const screen = new ScannedRows(lines('a', 'b', 'c', '$ '));
    screen.cursor = { row: 3, col: 2 };
    const scan = new LineScan(screen, 'x');
    screen.show(lines('a', 'b', 'c', '$ x', 'abc', 'a'));
    expect(news(scan)).toEqual(['abc', 'a']);
  });

  test('reads the whole alternate screen after a switch', () => {
    const screen = new ScannedRows(lines('same'));
    const scan = new LineScan(screen, 'x');
    screen.altScreen = true;
    screen.rev++;
    expect(news(scan)).toEqual(['same']);
  });
});
