import { describe, expect, test } from 'vitest';
import type { Screen } from '../../../src/vt/screen.js';
import { openScreen, show } from '../screens.js';

function sizes(screen: Screen): string[] {
  return screen.snapshot().lines.map((row) => row.lineSize);
}

test('DECDWL and DECDHL set the size of the cursor line, and DECSWL resets it', async () => {
  const screen = openScreen();
  await show(screen, '\x1b#3top\r\n\x1b#4bottom\r\n\x1b#6wide\r\nplain');
  expect(sizes(screen)).toEqual(['double-top', 'double-bottom', 'double-width', 'single', 'single']);
  await show(screen, '\x1b[1;1H\x1b#5');
  expect(sizes(screen)[0]).toBe('single');
});

test.each([100, 1, 0])(
  'a size moves with its line into a scrollback of %s and is not inherited',
  async (scrollback) => {
    const screen = openScreen({ rows: 3, scrollback });
    await show(screen, '\r\n\x1b#6wide\r\n');
    expect(sizes(screen)).toEqual(['single', 'double-width', 'single']);
    await show(screen, '\n');
    expect(sizes(screen)).toEqual(['double-width', 'single', 'single']);
    for (let i = 0; i < 6; i++) {
      await show(screen, '\n');
      expect(sizes(screen)).toEqual(['single', 'single', 'single']);
    }
    const above = Array.from({ length: screen.scrollbackLines }, (_, index) => screen.row(index)!.lineSize);
    expect(above.filter((size) => size !== 'single')).toEqual(scrollback === 100 ? ['double-width'] : []);
  },
);

test('sizes move with their lines when lines are inserted or deleted', async () => {
  const screen = openScreen();
  await show(screen, '\r\n\r\n\x1b#6wide\x1b[1;1H\x1b[L');
  expect(sizes(screen)).toEqual(['single', 'single', 'single', 'double-width', 'single']);
  await show(screen, '\x1b[2M');
  expect(sizes(screen)).toEqual(['single', 'double-width', 'single', 'single', 'single']);
});

test('lines erased as a whole are single again', async () => {
  const screen = openScreen();
  const all = '\x1b[H\x1b#6\r\n\x1b#6\r\n\x1b#6\r\n\x1b#6\r\n\x1b#6';
  await show(screen, `${all}\x1b[3;2H\x1b[J`);
  expect(sizes(screen)).toEqual(['double-width', 'double-width', 'double-width', 'single', 'single']);
  await show(screen, `${all}\x1b[3;2H\x1b[1J`);
  expect(sizes(screen)).toEqual(['single', 'single', 'double-width', 'double-width', 'double-width']);
  await show(screen, `${all}\x1b[2J`);
  expect(new Set(sizes(screen))).toEqual(new Set(['single']));
  await show(screen, `${all}\x1bc`);
  expect(new Set(sizes(screen))).toEqual(new Set(['single']));
  await show(screen, `${all}\x1b#8`);
  expect(new Set(sizes(screen))).toEqual(new Set(['single']));
});

test('the alternate screen has sizes of its own', async () => {
  const screen = openScreen();
  await show(screen, '\x1b#6\x1b[?1049h');
  expect(sizes(screen)[0]).toBe('single');
  await show(screen, '\x1b[?1049l');
  expect(sizes(screen)[0]).toBe('double-width');
});

test('DECSCNM is in the snapshot, counts as a change and ends with a reset', async () => {
  const screen = openScreen();
  expect((await show(screen, '\x1b[?5h')).reverseScreen).toBe(true);
  expect(screen.rev).toBe(1);
  expect((await show(screen, '\x1b[?25;5l')).reverseScreen).toBe(false);
  await show(screen, '\x1b[?5h');
  expect((await show(screen, '\x1bc')).reverseScreen).toBe(false);
});

describe('below a scrollback', () => {
  const above = '\r\n'.repeat(12);
  const all = '\x1b[H\x1b#6\r\n\x1b#3\r\n\x1b#4\r\n\x1b#6\r\n\x1b#3';
  const SET = ['double-width', 'double-top', 'double-bottom', 'double-width', 'double-top'];
  const SINGLE = SET.map(() => 'single');

  test.each<[string, string, number, number]>([
    ['all below the cursor, with the line of the cursor if it is at the beginning,', '\x1b[3;1H\x1b[J', 2, 5],
    ['all below the cursor, but not the line of the cursor if text is left of it,', '\x1b[3;2H\x1b[0J', 3, 5],
    ['all above the cursor, but not the line of the cursor,', '\x1b[3;20H\x1b[1J', 0, 2],
    ['nothing above the first line', '\x1b[1;3H\x1b[1J', 0, 0],
    ['the whole screen', '\x1b[3;3H\x1b[2J', 0, 5],
    ['only the scrollback', '\x1b[3J', 0, 0],
    ['a line, which keeps its size,', '\x1b[3;1H\x1b[2K', 0, 0],
    ['the screen by the test pattern', '\x1b#8', 0, 5],
    ['the screen by a reset', '\x1bc', 0, 5],
    ['the size of a line by DECSWL', '\x1b[2;4H\x1b#5', 1, 2],
  ])('erasing %s makes only the erased lines single', async (_, sequence, from, to) => {
    const screen = openScreen();
    await show(screen, above + all);
    expect(sizes(screen)).toEqual(SET);
    await show(screen, sequence);
    expect(sizes(screen)).toEqual(SET.map((size, y) => (y >= from && y < to ? 'single' : size)));
  });

  test('a line that is new in a scrolled region is single', async () => {
    const screen = openScreen({ scrollback: 0 });
    await show(screen, `${above}${all}\x1b[2;4r\x1b[4;1H\n`);
    expect(sizes(screen)).toEqual(['double-width', 'double-bottom', 'double-width', 'single', 'double-top']);
  });

  test('a size sequence changes only the line of the cursor', async () => {
    const screen = openScreen();
    await show(screen, `${above}\x1b[4;3H\x1b#4`);
    expect(sizes(screen)).toEqual(SINGLE.map((size, y) => (y === 3 ? 'double-bottom' : size)));
    expect(Array.from({ length: screen.scrollbackLines }, (_, index) => screen.row(index)!.lineSize)).not.toContain(
      'double-bottom',
    );
  });
});
