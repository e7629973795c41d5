import { describe, expect, test } from 'vitest';
import { openScreen, show } from '../screens.js';

const GRID = { cols: 10, rows: 5, scrollback: 3 };
const LINES = 'x\r\n'.repeat(20);

describe.each([
  ['ESC 7 and ESC 8', '\x1b7', '\x1b8'],
  ['CSI s and CSI u', '\x1b[s', '\x1b[u'],
  ['mode 1048', '\x1b[?1048h', '\x1b[?1048l'],
])('%s', (_name, save, restore) => {
  test.each([
    ['an empty scrollback', '\x1b[H'],
    ['a full scrollback', LINES],
  ])('come back to the row after scrolling, with %s', async (_state, before) => {
    const { cursor } = await show(openScreen(GRID), `${before}\x1b[3;2H${save}\x1b[5;1H\n\n${restore}`);
    expect(cursor).toMatchObject({ row: 2, col: 1 });
  });

  test('come back to the row after the scrollback is erased', async () => {
    const { cursor } = await show(openScreen(GRID), `${LINES}\x1b[3;2H${save}\x1b[H\x1b[3J${restore}`);
    expect(cursor).toMatchObject({ row: 2, col: 1 });
  });

  test('come back to the row after the scrollback is cut', async () => {
    const screen = openScreen(GRID);
    await show(screen, `${LINES}\x1b[3;2H${save}\x1b[5;1H\n`);
    screen.limitScrollback(0);
    expect((await show(screen, restore)).cursor).toMatchObject({ row: 2, col: 1 });
  });
});

test.each([
  ['a reset', '\x1bc'],
  ['a soft reset', '\x1b[!p'],
])('%s saves the top row', async (_name, reset) => {
  const { cursor } = await show(openScreen(GRID), `${LINES}\x1b[3;2H\x1b7${reset}${LINES}\x1b8`);
  expect(cursor).toMatchObject({ row: 0, col: 0 });
});

test('the screens save a row each', async () => {
  const saved = `${LINES}\x1b[3;2H\x1b7\x1b[?47h\x1b[2;4H\x1b7\x1b[H\x1b8`;
  const screen = openScreen(GRID);
  expect((await show(screen, saved)).cursor).toMatchObject({ row: 1, col: 3 });
  expect((await show(screen, '\x1b[?47l\x1b8')).cursor).toMatchObject({ row: 2, col: 1 });
});

test('a saved row follows its line across a change of size', async () => {
  const screen = openScreen(GRID);
  await show(screen, `${LINES}\x1b[3;1Hhere\x1b7\x1b[5;1H`);
  await screen.resize(10, 3);
  const { lines, cursor } = await show(screen, '\x1b8!');
  expect(lines.findIndex((row) => row.cells[0] === 'h'.codePointAt(0))).toBe(cursor.row);
  expect(cursor).toMatchObject({ row: 0, col: 5 });
});

test('a saved row stays within a smaller screen', async () => {
  const screen = openScreen(GRID);
  await show(screen, '\x1b[?47h\x1b[5;1H\x1b7\x1b[H');
  await screen.resize(10, 2);
  expect((await show(screen, '\x1b8')).cursor).toMatchObject({ row: 1, col: 0 });
});

const DIGITS = '0123456789';

describe('a saved cursor follows its text', () => {
  test.each<[string, string, number, { row: number; col: number }]>([
    ['in a wrapped line that gets one row', `${DIGITS}${DIGITS}01X\x1b[D`, 30, { row: 0, col: 22 }],
    ['in a wrapped line that gets wider rows', `${DIGITS}${DIGITS}01X\x1b[D`, 15, { row: 1, col: 7 }],
    ['in a wrapped line that gets narrower rows', `${DIGITS}01X\x1b[D`, 5, { row: 1, col: 2 }],
    ['in a row that gets several', `${DIGITS}\x1b[1;8H`, 5, { row: 0, col: 2 }],
    ['behind a cell that a wide character left empty', `${DIGITS.slice(1)}漢字X\x1b[D`, 30, { row: 0, col: 13 }],
    ['below a wrapped line', `${DIGITS}${DIGITS}\r\nab\x1b[D`, 30, { row: 1, col: 1 }],
    ['on the first row of a wrapped line', `${DIGITS}${DIGITS}\x1b[1;4H`, 30, { row: 0, col: 3 }],
    ['behind the text, within the screen', `ab\x1b[1;10H`, 5, { row: 0, col: 4 }],
    // Where a row more is needed than the screen has, the topmost goes to the scrollback.
  ])('%s', async (_, text, cols, place) => {
    const screen = openScreen(GRID);
    await show(screen, `${text}\x1b7\x1b[5;1H`);
    await screen.resize(cols, 5);
    expect((await show(screen, '\x1b8')).cursor).toMatchObject(place);
  });

  test('also with a scrollback', async () => {
    const screen = openScreen(GRID);
    await show(screen, `${LINES}${DIGITS}${DIGITS}X\x1b7\x1b[5;1H`);
    await screen.resize(30, 5);
    const { lines, cursor } = await show(screen, '\x1b8');
    expect(lines.findIndex((row) => row.cells[0] === '0'.codePointAt(0))).toBe(cursor.row);
    expect(cursor.col).toBe(21);
  });

  test('and none that was never saved stays at the top', async () => {
    const screen = openScreen(GRID);
    await show(screen, DIGITS.repeat(8));
    await screen.resize(30, 5);
    expect((await show(screen, '\x1b8')).cursor).toMatchObject({ row: 0, col: 0 });
  });
});
