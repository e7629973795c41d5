import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowAnsi } from '../../../src/vt/rows/row-ansi.js';
import { rowCols } from '../../../src/vt/rows/row-text.js';
import type { Screen } from '../../../src/vt/screen.js';
import { CELL_WORDS, type SnapshotRow } from '../../../src/vt/snapshot.js';
import { openScreen, show } from '../screens.js';
import { runsOf } from '../../support/trial.js';

async function screenOf(output: string, options: Parameters<typeof openScreen>[0] = {}): Promise<Screen> {
  const screen = openScreen(options);
  await show(screen, output);
  return screen;
}

function rowsOf(screen: Screen): SnapshotRow[] {
  return Array.from({ length: screen.totalLines }, (_, i) => screen.row(i)).filter((row) => row !== undefined);
}

/** Everything that a row shows; an empty cell is a space. */
function shown(row: SnapshotRow): unknown[] {
  return Array.from({ length: rowCols(row) }, (_, col) => {
    const [grapheme = 0, fg, bg, attributes] = row.cells.subarray(col * CELL_WORDS, (col + 1) * CELL_WORDS);
    const text = grapheme >= 0x8000_0000 ? row.clusters[grapheme & 0x7fff_ffff] : grapheme || 0x20;
    const isRightHalf = grapheme === 0 && ((attributes ?? 0) & 0x300) === 0;
    return [isRightHalf ? '' : text, fg, bg, attributes, row.underlineColors?.get(col), row.links?.get(col)];
  });
}

/** Rows as a terminal would be sent them: a line break wherever the next row does not go on. */
function dump(rows: readonly SnapshotRow[], joined: boolean): string {
  return rows
    .map((row, i) => {
      const goesOn = joined && rows[i + 1]?.wrapped === true;
      return rowAnsi(row, goesOn ? rows[i + 1] : undefined) + (goesOn || i === rows.length - 1 ? '' : '\r\n');
    })
    .join('');
}

const color = fc.oneof(
  fc.constantFrom('39', '49', '31', '44', '97', '105'),
  fc.nat(255).map((index) => `38;5;${index}`),
  fc.nat(255).map((index) => `48:5:${index}`),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(([r, g, b]) => `48;2;${r};${g};${b}`),
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(([r, g, b]) => `58:2::${r}:${g}:${b}`),
);
const attribute = fc.constantFrom('0', '1', '2', '3', '4', '4:2', '4:3', '4:5', '5', '7', '8', '9', '53', '22', '24');
const text = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', maxLength: 25 }).map((ascii) => ascii.replaceAll(/[^ -~]/g, 'x')),
  fc.constantFrom('é', '中文', '🇩🇪', '👩‍👩‍👧', '❤️', 'e\u0301', '한', '한', '🇩', '👍🏽', '①', 'ｱ', '\u0915\u094d\u0937'),
);
const link = fc.constantFrom('https://example.org/a?b=c', 'file:///tmp/x').map((uri) => `\x1b]8;;${uri}\x1b\\`);
const output = fc.oneof(
  { weight: 6, arbitrary: text },
  { weight: 4, arbitrary: fc.oneof(color, attribute).map((parameters) => `\x1b[${parameters}m`) },
  { weight: 2, arbitrary: fc.constantFrom('\r\n', '\r', '\t', '\x1b]8;;\x1b\\') },
  { weight: 1, arbitrary: link },
);
/** Also what leaves holes: erased, inserted and deleted cells, places jumped to. */
const painting = fc.oneof(
  output,
  fc.constantFrom(
    '\x1b[K',
    '\x1b[1K',
    '\x1b[3X',
    '\x1b[2P',
    '\x1b[2@',
    '\x1b[L',
    '\x1b[M',
    '\x1b[2J',
    '\x1b#6',
    '\x1b#3',
  ),
  fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 20 })).map(([row, col]) => `\x1b[${row};${col}H`),
);

describe('a screen dumped with escape sequences and printed again', () => {
  test('has the same cells, attributes and links after any output', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(painting, { maxLength: 60 }), async (pieces) => {
        const original = await screenOf(pieces.join(''));
        const rows = rowsOf(original);
        const copy = await screenOf(dump(rows, false), { scrollback: 1000 });
        expect(rowsOf(copy).slice(0, rows.length).map(shown)).toEqual(rows.map(shown));
        expect(rowsOf(copy).map((row) => row.lineSize)).toEqual(rows.map((row) => row.lineSize));
      }),
      { numRuns: runsOf({ suite: 50, trial: 150 }) },
    );
  });

  test('wraps at the same columns if wrapped rows are joined', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(output, { maxLength: 60 }), async (pieces) => {
        const original = await screenOf(pieces.join(''));
        const rows = rowsOf(original);
        const copy = await screenOf(dump(rows, true), { scrollback: 1000 });
        expect(rowsOf(copy).map(shown)).toEqual(rows.map(shown));
        expect(rowsOf(copy).map((row) => row.wrapped)).toEqual(rows.map((row) => row.wrapped));
      }),
      { numRuns: runsOf({ suite: 50, trial: 150 }) },
    );
  });
});

describe('characters of neighbouring cells', () => {
  // Each was printed by itself, with a jump of the cursor before the second; in a row they would be one character.
  test.each([
    ['halves of a flag', '🇩', '🇪'],
    ['an emoji and a skin tone', '👍', '🏽'],
    ['half of a flag, one cell wide, and a whole flag', '🇩', '🇩🇪'],
  ])('stay separate: %s', async (_, first, second) => {
    const original = await screenOf(`${first}\x1b[A${second}!`);
    const copy = await screenOf(dump(rowsOf(original), false));
    expect(shown(original.row(0) as SnapshotRow)).toEqual(shown(copy.row(0) as SnapshotRow));
    const joined = await screenOf(`${first}${second}!`);
    expect(shown(joined.row(0) as SnapshotRow)).not.toEqual(shown(original.row(0) as SnapshotRow));
  });
});

describe('a line with escape sequences', () => {
  test('is plain text if nothing is coloured', async () => {
    const screen = await screenOf('hello  world');
    expect(rowAnsi(screen.row(0) as SnapshotRow)).toBe('hello  world');
  });

  test.each([
    ['', ''],
    ['ab  ', 'ab  '],
    ['\x1b[31ma\x1b[mb', '\x1b[0;31ma\x1b[mb'],
    ['\x1b[31ma\x1b[32mb', '\x1b[0;31ma\x1b[0;32mb\x1b[m'],
    ['\x1b[31m中a', '\x1b[0;31m中a\x1b[m'],
    ['\x1b]8;;http://a/\x07a\x1b]8;;\x07b', '\x1b]8;;http://a/\x1b\\a\x1b]8;;\x1b\\b'],
    ['\x1b]8;;http://a/\x07a\x1b]8;;http://b/\x07b', '\x1b]8;;http://a/\x1b\\a\x1b]8;;http://b/\x1b\\b\x1b]8;;\x1b\\'],
    ['\x1b#6a', '\x1b#6a'],
    ['\x1b#3a', '\x1b#3a'],
    ['\x1b#4a', '\x1b#4a'],
    ['a\x1b[1m\u{1f1e9}\x1b[2;1H\x1b[1;3H\u{1f1ea}', 'a\x1b[0;1m\u{1f1e9}\x1b[0;1m\u{1f1ea}\x1b[m'],
    ['e\u0301\u4e2d', 'e\u0301\u4e2d'],
  ])('of %j is %j', async (printed, expected) => {
    const screen = await screenOf(printed);
    expect(rowAnsi(screen.row(0) as SnapshotRow)).toBe(expected);
  });

  test('prints every cell if the next row continues the line', async () => {
    const screen = await screenOf('\x1b[31mab', { cols: 6 });
    const next = screen.row(2) as SnapshotRow;
    expect(rowAnsi(screen.row(0) as SnapshotRow, next)).toBe('\x1b[0;31mab\x1b[m    ');
    expect(rowAnsi(screen.row(1) as SnapshotRow, next)).toBe('      ');
    const wide = await screenOf('abcd中', { cols: 6 });
    expect(rowAnsi(wide.row(0) as SnapshotRow, next)).toBe('abcd中');
  });

  test('leaves out the cell that a wide character did not fit into', async () => {
    const screen = await screenOf('\x1b[41mabcde中', { cols: 6 });
    expect(rowAnsi(screen.row(0) as SnapshotRow, screen.row(1))).toBe('\x1b[0;41mabcde\x1b[m');
  });

  test('ends with default attributes and without an open link', async () => {
    const screen = await screenOf('\x1b]8;;https://example.org\x1b\\\x1b[1;31mred');
    expect(rowAnsi(screen.row(0) as SnapshotRow)).toBe(
      '\x1b]8;;https://example.org\x1b\\\x1b[0;1;31mred\x1b]8;;\x1b\\\x1b[m',
    );
  });

  test('keeps the coloured rest of an erased row', async () => {
    const screen = openScreen({ cols: 6 });
    await show(screen, 'ab\x1b[44m\x1b[K');
    expect(rowAnsi(screen.row(0) as SnapshotRow)).toBe('ab\x1b[0;44m    \x1b[m');
  });
});
