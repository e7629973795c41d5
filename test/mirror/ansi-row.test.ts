/* oxlint-disable no-control-regex -- sequences begin with Escape */
/** What a person's terminal is written: it shows the cells of the screen, and gets nothing but text and SGR. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../src/base/clock.js';
import { FrameHistory } from '../../src/features/reading/frame-history.js';
import { ansiRow } from '../../src/mirror/ansi-row.js';
import { FrameWriter } from '../../src/mirror/frame-writer.js';
import { Mirror, type MirrorRow, type MirrorRun } from '../../src/mirror/mirror.js';
import { OuterStyles, type ProgramColors } from '../../src/mirror/outer-style.js';
import { Screen } from '../../src/vt/screen.js';
import { show, THEME } from '../vt/screens.js';
import { type Cell, frameFor, output, shownCells } from './screens.js';
import { runsOf } from '../support/trial.js';

const PLAIN: ProgramColors = { colors: {}, reverseScreen: false };
const rowOf = (...runs: MirrorRun[]): MirrorRow => ({ runs, wrapped: false, size: 'single' });
const written = (row: MirrorRow, { left = 0, cols = 10, colors = PLAIN } = {}): string =>
  ansiRow(row, { left, cols }, new OuterStyles(colors));

/** Links are not passed on, and a mark alone in its cell is put on a blank. */
const expected = (cells: Cell[]): Cell[] =>
  cells.map(([text, sgr, width]) => [/^[\p{M}\p{Cf}]/u.test(text) ? ` ${text}` : text, sgr, width, '']);

test('after any output, a terminal that gets the changed rows shows the cells of the screen', async () => {
  // Without wrapping, characters that have no room at the right end make clusters which no text makes.
  const wrapping = output.filter((text) => text !== '\x1b[?7l');
  const screens = fc.array(fc.array(wrapping, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(screens, async (all) => {
      const size = { cols: 20, rows: 5, scrollback: 10, colors: THEME, version: '1' };
      const screen = new Screen(size);
      const outer = new Screen(size);
      const history = new FrameHistory(new FakeClock());
      const mirror = new Mirror();
      const writer = new FrameWriter();
      const styles = new OuterStyles(PLAIN);
      await show(outer, '\x1b[?7l');
      for (const texts of all) {
        const snapshot = await show(screen, texts.join(''));
        mirror.apply(frameFor(mirror, history, snapshot));
        const lines = mirror.rows.map((row) => ansiRow(row, { left: 0, cols: 20 }, styles));
        const { row, col, visible } = mirror.cursor;
        const bytes = writer.write({ lines, cursor: visible ? { row, col } : undefined });
        expect(lines.join('').replaceAll(/\x1b\[[\d;:]*[mG]/g, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
        const shown = await show(outer, bytes);
        expect(shown.lines.map(shownCells)).toEqual(snapshot.lines.map(shownCells).map(expected));
        expect(shown.cursor.visible).toBe(visible);
        if (visible) expect(shown.cursor).toMatchObject({ row, col: Math.min(col, 19) });
      }
      screen.dispose();
      outer.dispose();
      history.dispose();
    }),
    { numRuns: runsOf({ suite: 42, trial: 200 }) },
  );
});

describe('a row', () => {
  test('is cut to its window, and half of a wide character is blank', () => {
    const row = rowOf(['ab'], ['漢字', '1', 4], ['cd']);
    expect(written(row, { cols: 3 })).toBe('ab\x1b[0;1m \x1b[0m');
    expect(written(row, { left: 3, cols: 10 })).toBe('\x1b[0;1m 字\x1b[4G\x1b[0mcd');
    expect(written(row, { left: 1, cols: 1 })).toBe('b');
    expect(written(row, { left: 9, cols: 4 })).toBe('');
  });

  test('has no more than text and SGR, even of hostile runs', () => {
    const hostile = '\x1b]52;c;aGk=\x07\x9b?25l\u202e\r\nx';
    expect(written(rowOf([hostile, '0m\x1b[?1049l', hostile.length], ['\x1b', '', 1], ['y']), { cols: 80 })).toBe(
      `]52;c;aGk=?25lx\x1b[${hostile.length + 1}G y`,
    );
  });

  test('has the colors that the program has set, in place of the palette and the defaults', () => {
    const colors = {
      colors: {
        foreground: '#010203',
        background: '#0a0b0c',
        palette: { 1: '#ff0000', 12: '#0000ff', 200: '#00ff00' },
      },
      reverseScreen: false,
    };
    const style = new OuterStyles(colors);
    expect(style.of('')).toBe('38;2;1;2;3;48;2;10;11;12');
    expect(style.of('1;31')).toBe('1;38;2;255;0;0;48;2;10;11;12');
    expect(style.of('94;48:5:200')).toBe('38;2;0;0;255;48;2;0;255;0');
    expect(style.of('32;41')).toBe('32;48;2;255;0;0');
    // Blank cells have the background, too.
    expect(written(rowOf(['a']), { cols: 3, colors })).toBe('\x1b[0;38;2;1;2;3;48;2;10;11;12ma  \x1b[0m');
  });

  test('has colors in the old form, and is inverse on a reversed screen', () => {
    const plain = new OuterStyles(PLAIN);
    expect(plain.of('38:2::1:2:3;48:5:9;58:5:3;4:3')).toBe('38;2;1;2;3;48;5;9;58:5:3;4:3');
    const reversed = new OuterStyles({ colors: {}, reverseScreen: true });
    expect([reversed.of(''), reversed.of('1;7')]).toEqual(['7', '1']);
  });
});
