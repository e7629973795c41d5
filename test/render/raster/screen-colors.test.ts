/** The colours that a screen has by its theme, and by what the program has set. */
import { expect, test } from 'vitest';
import { colorsKey, ScreenColors } from '../../../src/render/raster/cell-colors.js';
import { DEFAULT_THEME, paletteOf, THEMES } from '../../../src/render/theme.js';
import type { DynamicColors } from '../../../src/vt/snapshot.js';
import { indexed, rgb } from '../support/screen.js';
import { themeNamed } from '../support/test-renderer.js';

const theme = themeNamed('xterm');
const UNSET: DynamicColors = { palette: new Map(), foreground: undefined, background: undefined, cursor: undefined };
const SET = { palette: new Map([[1, 0x123456]]), foreground: 0x010101, background: 0x020202, cursor: 0x030303 };

test.each([
  [0, 0x000000],
  [15, 0xffffff],
  [16, 0x000000],
  [17, 0x00005f],
  [22, 0x005f00],
  [52, 0x5f0000],
  [67, 0x5f87af],
  [231, 0xffffff],
  [232, 0x080808],
  [244, 0x808080],
  [255, 0xeeeeee],
])('colour %i of the 256 is %i, as in xterm', (index, expected) => {
  expect(paletteOf(theme)[index]).toBe(expected);
  expect(new ScreenColors(theme, UNSET, false).resolve(indexed(index), 1)).toBe(expected);
});

test('the default theme is one of the built-in ones, each with its own name', () => {
  expect(THEMES.has(DEFAULT_THEME)).toBe(true);
  for (const [name, each] of THEMES) expect(each.name).toBe(name);
});

test.each([
  ['the theme', UNSET, false, [0xe5e5e5, 0x000000, 0xe5e5e5]],
  ['the theme on a reversed screen', UNSET, true, [0x000000, 0xe5e5e5, 0x000000]],
  ['the program', SET, false, [0x010101, 0x020202, 0x030303]],
  ['the program on a reversed screen', SET, true, [0x020202, 0x010101, 0x030303]],
])('the colours of text, background and cursor: %s', (_, dynamic, reverse, expected) => {
  const { foreground, background, cursor } = new ScreenColors(theme, dynamic, reverse);
  expect([foreground, background, cursor]).toEqual(expected);
});

test('a colour is the default, one of the palette as the program has set it, or itself', () => {
  const colors = new ScreenColors(theme, SET, false);
  expect(colors.resolve(0, 0xabcdef)).toBe(0xabcdef);
  expect(colors.resolve(indexed(1), 0xabcdef)).toBe(0x123456);
  expect(colors.resolve(indexed(2), 0xabcdef)).toBe(0x00cd00);
  expect(colors.resolve(rgb(0x000001), 0xabcdef)).toBe(0x000001);
});

test('only screens with the same colours have the same key', () => {
  const keyOf = (colors: Partial<DynamicColors>, reverseScreen = false): string =>
    colorsKey({ colors: { ...UNSET, ...colors }, reverseScreen });
  const two = new Map([
    [1, 0x111111],
    [2, 0x222222],
  ]);
  const keys = [
    keyOf({}),
    keyOf({}, true),
    ...[0, 1].flatMap((set) => [keyOf({ foreground: set }), keyOf({ background: set }), keyOf({ cursor: set })]),
    keyOf({ cursor: 0 }, true),
    keyOf({ palette: new Map([[1, 0x111111]]) }),
    keyOf({ palette: two }),
    keyOf({ palette: new Map([[1, 0x222222]]) }),
    ...[[1, 11, 2, 3] as const, [1, 1, 12, 3] as const].map(([first, firstColor, second, secondColor]) =>
      keyOf({
        palette: new Map([
          [first, firstColor],
          [second, secondColor],
        ]),
      }),
    ),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keyOf({ palette: new Map([...two].toReversed()) })).toBe(keyOf({ palette: two }));
});
