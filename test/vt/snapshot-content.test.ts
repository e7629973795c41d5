import type { IBufferCell } from '@xterm/headless';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Emulator } from '../../src/vt/xterm/emulator.js';
import { LineNumbers } from '../../src/vt/rows/line-numbers.js';
import { rowText, withoutGap } from '../../src/vt/rows/row-text.js';
import { ScreenState } from '../../src/vt/screen-state.js';
import * as S from '../../src/vt/snapshot.js';
import { bytesOf, contentOf, openScreen, rowContent, show, THEME } from './screens.js';
import { choppedInput } from './terminal-input.js';
import { runsOf } from '../support/trial.js';

test('every cell of a snapshot equals that of the public interface of the emulator, after any output', () => {
  fc.assert(
    fc.property(choppedInput, (pieces) => {
      const emulator = new Emulator({ cols: 20, rows: 5, scrollback: 10 });
      const state = new ScreenState(emulator, new LineNumbers(emulator), { colors: THEME, version: '' }, () => {});
      const decoder = new TextDecoder();
      for (const piece of pieces) {
        emulator.parse(decoder.decode(piece, { stream: true }));
        state.update();
        expectPublicCells(emulator, state.snapshot());
      }
      emulator.dispose();
    }),
    // An underline's style, a restored cursor, the underline's colour: what no run had met for long.
    {
      numRuns: runsOf({ suite: 30, trial: 300 }),
      examples: ['\x1b[4:3m\x1b8\x1b[59m ', '\x1b[4:3m\x1b7\x1b[!p\x1b8\x1b[59m '].map((text) => [[bytesOf(text)]]),
    },
  );
});

function expectPublicCells({ terminal }: Emulator, snapshot: S.Snapshot): void {
  const buffer = terminal.buffer.active;
  expect(snapshot.lines.length).toBe(terminal.rows);
  expect([snapshot.cursor.row, snapshot.cursor.col]).toEqual([buffer.cursorY, buffer.cursorX]);
  for (const [y, row] of snapshot.lines.entries()) {
    const line = buffer.getLine(buffer.baseY + y)!;
    expect(row.wrapped).toBe(line.isWrapped);
    for (let col = 0; col < terminal.cols; col++) {
      // The emulator calls a hyperlink underlined; here it is a link, and underlined only when SGR 4 said so.
      const linked = row.links?.has(col) ?? false;
      expect(fromSnapshot(row, col, linked), `row ${y} col ${col}`).toEqual(fromCell(line.getCell(col)!));
    }
  }
}

function fromSnapshot(row: S.SnapshotRow, col: number, linked: boolean): object {
  const [, fg = 0, bg = 0, attributes = 0] = row.cells.subarray(col * S.CELL_WORDS);
  return {
    chars: S.graphemeAt(row, col),
    width: (attributes & S.ATTR_WIDTH_MASK) >> S.ATTR_WIDTH_SHIFT,
    fg: colorName(fg & S.COLOR_KIND_MASK, fg & S.COLOR_VALUE_MASK),
    bg: colorName(bg & S.COLOR_KIND_MASK, bg & S.COLOR_VALUE_MASK),
    flags: [
      S.ATTR_BOLD,
      S.ATTR_DIM,
      S.ATTR_ITALIC,
      S.ATTR_INVERSE,
      S.ATTR_INVISIBLE,
      S.ATTR_BLINK,
      S.ATTR_STRIKETHROUGH,
      S.ATTR_OVERLINE,
    ].map((flag) => (attributes & flag) !== 0),
    underlined: linked || (attributes & S.ATTR_UNDERLINE_MASK) !== 0,
  };
}

function colorName(kind: number, value: number): string {
  if (kind === S.COLOR_DEFAULT) return 'default';
  return `${kind === S.COLOR_RGB ? 'rgb' : 'palette'} ${value}`;
}

function publicColorName(rgb: boolean, palette: boolean, value: number): string {
  if (rgb) return `rgb ${value}`;
  return palette ? `palette ${value}` : 'default';
}

function fromCell(cell: IBufferCell): object {
  const flags = [
    cell.isBold(),
    cell.isDim(),
    cell.isItalic(),
    cell.isInverse(),
    cell.isInvisible(),
    cell.isBlink(),
    cell.isStrikethrough(),
    cell.isOverline(),
  ];
  return {
    chars: cell.getChars(),
    width: cell.getWidth(),
    fg: publicColorName(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    bg: publicColorName(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    flags: flags.map((flag) => flag !== 0),
    underlined: cell.isUnderline() !== 0,
  };
}

test('rows that are kept between snapshots equal the rows of a fresh screen', async () => {
  await fc.assert(
    fc.asyncProperty(choppedInput, async (pieces) => {
      const screen = openScreen({ scrollback: 5 });
      for (const piece of pieces) {
        screen.write(piece);
        await screen.settle(60_000);
        screen.snapshot();
      }
      const fresh = openScreen({ scrollback: 5 });
      fresh.write(Buffer.concat(pieces));
      await fresh.settle(60_000);
      expect(screen.snapshot().lines.map(rowContent)).toEqual(fresh.snapshot().lines.map(rowContent));
      for (let index = 0; index < screen.totalLines; index++) {
        const row = screen.row(index)!;
        expect(rowContent(row)).toEqual(rowContent(fresh.row(index)!));
        expect(screen.lineText(index)).toBe(rowText(row));
        // Joined with the next one, without the cell that a wide character has left.
        const next = screen.continuesLine(index + 1) ? screen.row(index + 1) : undefined;
        expect(screen.lineText(index, { trim: false })).toBe(rowText(withoutGap(row, next), { trim: false }));
      }
      screen.dispose();
      fresh.dispose();
    }),
    // A blank in the middle of a wide character: what no run had met for long.
    {
      numRuns: runsOf({ suite: 42, trial: 200 }),
      examples: [[[bytesOf('中文\x1b[D\x1b[@')]], [[bytesOf(`中文${' '.repeat(15)}中`)]]],
    },
  );
});

test('a snapshot has underline styles and colours, hyperlinks and clusters', async () => {
  const { lines } = await show(
    openScreen(),
    '\x1b[4:3;58;2;1;2;3mA\x1b[21;58;5;9mB\x1b[0;4mC\x1b[0m\x1b]8;;http://a.example/\x1b\\D\x1b[4mE\x1b[0m\x1b]8;;\x1b\\e\u0301F',
  );
  const row = lines[0]!;
  const style = (col: number) => (row.cells[col * 4 + 3]! & S.ATTR_UNDERLINE_MASK) >> S.ATTR_UNDERLINE_SHIFT;
  expect([0, 1, 2, 3, 4, 5].map(style)).toEqual([3, 2, 1, 0, 1, 0]);
  expect([...row.underlineColors!]).toEqual([
    [0, S.COLOR_RGB | 0x010203],
    [1, S.COLOR_PALETTE | 9],
  ]);
  expect([...row.links!]).toEqual([
    [3, 'http://a.example/'],
    [4, 'http://a.example/'],
  ]);
  expect(S.graphemeAt(row, 5)).toBe('e\u0301');
  expect(S.graphemeAt(row, 6)).toBe('F');
});

test('the cursor has its position, its style and a pending wrap', async () => {
  const screen = openScreen({ cols: 4 });
  expect((await show(screen, '')).cursor).toEqual({ row: 0, col: 0, visible: true, shape: 'block', blink: false });
  expect((await show(screen, 'abcd\x1b[3 q\x1b[?25l')).cursor).toEqual({
    row: 0,
    col: 4,
    visible: false,
    shape: 'underline',
    blink: true,
  });
  expect((await show(screen, '\x1b[6 qe')).cursor).toMatchObject({ row: 1, col: 1, shape: 'bar', blink: false });
  expect((await show(screen, '\x1bc')).cursor).toEqual({ row: 0, col: 0, visible: true, shape: 'block', blink: false });
});

test('a snapshot that was taken never changes', async () => {
  const screen = openScreen();
  const before = await show(screen, 'one\r\ntwo');
  const copy = structuredClone(contentOf(before));
  await show(screen, '\x1b[2J\x1b[Hthree\r\n\n\n\n\n\n\x1b]2;x\x07\x1b[?5h');
  expect(contentOf(before)).toEqual(copy);
});
