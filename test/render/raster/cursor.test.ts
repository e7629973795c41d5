import { describe, expect, test } from 'vitest';
import {
  cursorOf,
  type DrawnCursorShape,
  drawCursorLines,
  textUnderCursor,
} from '../../../src/render/raster/overlays.js';
import { cursorAt, screen } from '../support/screen.js';
import { paper } from '../support/target.js';

const RED = 0xff0000;
const lines = ['漢字ab', 'plain'];

describe('the cursor', () => {
  test('has the place and the shape that the program has set', () => {
    expect(cursorOf(screen(6, lines, { cursor: cursorAt(1, 2, 'bar') }), true)).toEqual({
      row: 1,
      col: 2,
      span: 1,
      shape: 'bar',
    });
  });

  test('is hollow if no client has focused the terminal', () => {
    expect(cursorOf(screen(6, lines, { cursor: cursorAt(1, 2, 'bar') }), false)?.shape).toBe('hollow');
  });

  test.each([
    ['the first half of a wide character', 0, 0, 2],
    ['the second half of one', 1, 0, 2],
    ['the second half of the next', 3, 2, 2],
    ['what is after them', 4, 4, 1],
    ['a blank', 5, 5, 1],
    ['the last cell, while a wrap is pending', 6, 5, 1],
  ])('on %s covers all of it', (_, at, col, span) => {
    const blankEnd = screen(6, ['漢字a'], { cursor: cursorAt(0, at) });
    expect(cursorOf(blankEnd, true)).toMatchObject({ row: 0, col, span });
  });

  test('after a wide character at the end of the row is on it', () => {
    expect(cursorOf(screen(4, ['ab漢'], { cursor: cursorAt(0, 4) }), true)).toMatchObject({ col: 2, span: 2 });
  });

  test('is not drawn while it is hidden, or on a missing row', () => {
    const hidden = { ...cursorAt(0, 0), visible: false };
    expect(cursorOf(screen(6, lines, { cursor: hidden }), true)).toBeUndefined();
    expect(cursorOf(screen(6, lines, { cursor: cursorAt(2, 0) }), true)).toBeUndefined();
  });
});

test.each([
  ['the background of the cell', 0xffffff, 0x800000, 0x800000],
  ['the background of the cell', 0x202020, 0xffffff, 0xffffff],
  ['black upon a light cursor, where the background is like it', 0xffffff, 0xf0f0f0, 0x000000],
  ['white upon a dark one', 0x000040, 0x000000, 0xffffff],
  ['black upon a light one that the background is not far from', 0xffff00, 0x00ff00, 0x000000],
])('the letter under the cursor has %s', (_, cursorColor, background, expected) => {
  expect(textUnderCursor(cursorColor, background)).toBe(expected);
});

describe('the lines of a cursor', () => {
  const drawn = (shape: DrawnCursorShape, width: number, height: number): string[] => {
    const target = paper(width, height, 2, 1);
    drawCursorLines(shape, target, 1, width, height, RED);
    return target.rows({ [RED]: '#' });
  };

  test('are two pixels or more, except the frame of a hollow one', () => {
    const blank = '.........';
    expect(drawn('underline', 5, 4)).toEqual([blank, blank, blank, '...#####.', '...#####.', blank]);
    expect(drawn('bar', 5, 3)).toEqual([blank, '...##....', '...##....', '...##....', blank]);
    expect(drawn('hollow', 5, 4)).toEqual([blank, '...#####.', '...#...#.', '...#...#.', '...#####.', blank]);
  });

  test('are as thick as the strokes of their cell', () => {
    const inked = (shape: DrawnCursorShape): number => drawn(shape, 20, 48).join('').match(/#/g)?.length ?? 0;
    expect(inked('underline')).toBe(20 * 3);
    expect(inked('bar')).toBe(3 * 48);
    expect(inked('hollow')).toBe(20 * 48 - 14 * 42);
  });

  test('are none for a block, which changes the colours of its cell', () => {
    expect(drawn('block', 2, 2).join('')).toMatch(/^\.+$/);
  });
});
