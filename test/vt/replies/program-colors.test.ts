import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatColorSpec, parseColorSpec } from '../../../src/vt/replies/color-spec.js';
import { NO_COLORS, sameColors } from '../../../src/vt/replies/program-colors.js';
import type { DynamicColors } from '../../../src/vt/snapshot.js';
import { openScreen, show } from '../screens.js';

test.each([
  ['rgb:f/0/8', 0xff0088],
  ['rgb:ff/00/80', 0xff0080],
  ['rgb:fff/000/800', 0xff0080],
  ['rgb:ffff/0000/8080', 0xff0080],
  ['RGB:Ab/cD/Ef', 0xabcdef],
  ['rgb:1/22/3333', 0x112233],
  ['#f08', 0xf00080],
  ['#ff0080', 0xff0080],
  ['#fff000808', 0xff0080],
  ['#ffff00008080', 0xff0080],
  ['#000', 0],
])('the colour %s is parsed', (spec, color) => {
  expect(parseColorSpec(spec)).toBe(color);
});

test.each(['', '?', 'red', '#', '#ff', '#ffff', '#fffff', '#1234567', '#ggg', 'rgb:', 'rgb:1/2', 'rgb:1/2/3/4'])(
  '%j is not a colour',
  (spec) => {
    expect(parseColorSpec(spec)).toBeUndefined();
  },
);

test.each(['rgb:12345/1/1', 'rgb:/1/1', ' #fff', '#fff ', 'rgb:1/2/g', 'rgba:1/2/3/4'])(
  '%j is not a colour either',
  (spec) => {
    expect(parseColorSpec(spec)).toBeUndefined();
  },
);

test('a formatted colour is parsed as the same colour', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (color) => {
      expect(formatColorSpec(color)).toMatch(/^rgb:([\da-f]{4}\/){2}[\da-f]{4}$/);
      expect(parseColorSpec(formatColorSpec(color))).toBe(color);
    }),
  );
  expect(formatColorSpec(0x0a0b0c)).toBe('rgb:0a0a/0b0b/0c0c');
});

const SET = '\x1b]4;1;#ff0000;2;#00ff00;255;#0000ff\x07\x1b]10;#111111;#222222;#333333\x07';

const AFTER: readonly (readonly [sequence: string, palette: number[], special: (number | undefined)[]])[] = [
  ['', [1, 2, 255], [0x111111, 0x222222, 0x333333]],
  ['\x1b]104\x07', [], [0x111111, 0x222222, 0x333333]],
  ['\x1b]104;2\x07', [1, 255], [0x111111, 0x222222, 0x333333]],
  ['\x1b]104;1;255\x07', [2], [0x111111, 0x222222, 0x333333]],
  ['\x1b]104;256;x;1\x07', [2, 255], [0x111111, 0x222222, 0x333333]],
  ['\x1b]110\x07', [1, 2, 255], [undefined, 0x222222, 0x333333]],
  ['\x1b]111\x07', [1, 2, 255], [0x111111, undefined, 0x333333]],
  ['\x1b]112\x07', [1, 2, 255], [0x111111, 0x222222, undefined]],
  ['\x1b]12;#444444;#555555\x07', [1, 2, 255], [0x111111, 0x222222, 0x444444]],
  ['\x1b]11;#444444;#555555\x07', [1, 2, 255], [0x111111, 0x444444, 0x555555]],
  ['\x1b]10;red;#444444\x07', [1, 2, 255], [0x111111, 0x444444, 0x333333]],
  ['\x1b]4;3\x07\x1b]4;3;\x07\x1b]4;256;#fff\x07', [1, 2, 255], [0x111111, 0x222222, 0x333333]],
  ['\x1b]4;0;#fff;x;#fff;3;#fff\x07', [0, 1, 2, 3, 255], [0x111111, 0x222222, 0x333333]],
  ['\x1bc', [], [undefined, undefined, undefined]],
];

test.each(AFTER)('after %j the set colours are those of %j and %j', async (sequence, palette, special) => {
  const { colors } = await show(openScreen(), SET + sequence);
  expect([...colors.palette.keys()].toSorted((a, b) => a - b)).toEqual(palette);
  expect([colors.foreground, colors.background, colors.cursor]).toEqual(special);
});

test('a query for a colour returns the colour that the program set, or else that of the theme', async () => {
  const screen = openScreen();
  const replies: string[] = [];
  screen.onReply.on((bytes) => replies.push(...bytes.split('\x1b\\').filter((reply) => reply !== '')));
  await show(
    screen,
    '\x1b]4;1;#ff0000\x07\x1b]4;1;?;2;?;300;?\x07\x1b]12;#00ff00;?\x07\x1b]12;?;?\x07\x1b]11;red;?\x07',
  );
  expect(replies).toEqual([
    '\x1b]4;1;rgb:ffff/0000/0000',
    '\x1b]4;2;rgb:0202/0202/0202',
    '\x1b]12;rgb:0000/ffff/0000',
    '\x1b]12;rgb:0000/ffff/0000',
  ]);
});

test('a new colour changes the screen, and the same colour again does not', async () => {
  const screen = openScreen();
  const { rev } = await show(screen, '\x1b]4;1;#ff0000\x07\x1b]11;#102030\x07');
  expect((await show(screen, '\x1b]4;1;#ff0000\x07\x1b]11;#102030\x07\x1b]104;7\x07')).rev).toBe(rev);
  expect((await show(screen, '\x1b]4;1;#ff0001\x07')).rev).toBe(rev + 1);
  expect((await show(screen, '\x1b]110\x07')).rev).toBe(rev + 1);
  expect((await show(screen, '\x1b]111\x07')).rev).toBe(rev + 2);
});

const SOME: DynamicColors = { palette: new Map([[1, 0xff0000]]), foreground: 1, background: 2, cursor: 3 };

test.each<[string, Partial<DynamicColors>, boolean]>([
  ['a copy', {}, true],
  ['an equal palette', { palette: new Map([[1, 0xff0000]]) }, true],
  ['another foreground', { foreground: 9 }, false],
  ['another background', { background: 9 }, false],
  ['no cursor colour', { cursor: undefined }, false],
  ['an empty palette', { palette: new Map() }, false],
  ['another palette colour', { palette: new Map([[1, 0x00ff00]]) }, false],
  ['the colour in another slot', { palette: new Map([[2, 0xff0000]]) }, false],
  ['one slot more', { palette: new Map([...SOME.palette, [2, 0]]) }, false],
])('colours are compared by value: %s', (_, changes, same) => {
  expect(sameColors(SOME, { ...SOME, ...changes })).toBe(same);
  expect(sameColors({ ...SOME, ...changes }, SOME)).toBe(same);
  expect(sameColors(NO_COLORS, { ...NO_COLORS })).toBe(true);
});
