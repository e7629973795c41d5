import { expect, test } from 'vitest';
import { openScreen, show } from '../screens.js';

const ST = '\x1b\\';

async function repliesTo(...texts: readonly string[]): Promise<string> {
  const screen = openScreen({ cols: 30, rows: 7, cellWidth: 9, cellHeight: 19 });
  let replies = '';
  screen.onReply.on((bytes) => {
    replies += bytes;
  });
  for (const text of texts) await show(screen, text);
  return replies;
}

/** The setting and its report; if they differ, xterm's way to write it. */
const LOOKS: readonly (readonly [set: string, told: string])[] = [
  ...['1', '2', '3', '4', '5', '7', '8', '9', '53'].map((flag) => [flag, flag] as const),
  ...['4:2', '4:3', '4:4', '4:5'].map((underline) => [underline, underline] as const),
  ['4:1', '4'],
  ['21', '4:2'],
  ...['30', '37', '90', '97', '40', '47', '100', '107'].map((color) => [color, color] as const),
  ['38;5;7', '37'],
  ['38;5;8', '90'],
  ['38;5;15', '97'],
  ['38;5;16', '38:5:16'],
  ['48;5;0', '40'],
  ['48;5;15', '107'],
  ['48;5;255', '48:5:255'],
  ['38;2;255;128;0', '38:2::255:128:0'],
  ['48;2;1;2;3', '48:2::1:2:3'],
  ['4;58;5;7', '4;58:5:7'],
  ['4;58;2;1;2;3', '4;58:2::1:2:3'],
  ['53;9;1;31;44;4', '1;9;53;4;31;44'],
];

test.each(LOOKS)('the attributes that CSI %s m sets are reported as 0;%s', async (set, told) => {
  expect(await repliesTo(`\x1b[${set}m\x1bP$qm${ST}`)).toBe(`\x1bP1$r0;${told}m${ST}`);
});

test.each(['', '0', '1;22', '3;23', '4;24', '31;39', '41;49', '1;3;4;38;2;1;2;3;0'])(
  'after CSI %s m the attributes are reported as only 0',
  async (set) => {
    expect(await repliesTo(`\x1b[${set}m\x1bP$qm${ST}`)).toBe(`\x1bP1$r0m${ST}`);
  },
);

test.each([1, 2, 3, 4, 5, 6])('the cursor style %i is reported as it was set', async (style) => {
  expect(await repliesTo(`\x1b[${style} q\x1bP$q q${ST}`)).toBe(`\x1bP1$r${style} q${ST}`);
});

test.each([
  ['', 2],
  ['\x1b[?12h', 1],
  ['\x1b[?12h\x1b[?12l', 2],
  ['\x1b[?12h\x1bc', 2],
  ['\x1b[5 q\x1bc', 2],
])('after %j the cursor has style %i', async (sequence, style) => {
  expect(await repliesTo(`${sequence}\x1bP$q q${ST}`)).toBe(`\x1bP1$r${style} q${ST}`);
});

test('an unknown setting is reported as invalid', async () => {
  expect(await repliesTo(`\x1bP$qx${ST}`)).toBe(`\x1bP0$r${ST}`);
});

test.each([
  ['\x1b[14t', '\x1b[4;133;270t'],
  ['\x1b[14;0t', '\x1b[4;133;270t'],
  ['\x1b[14;2t', '\x1b[4;133;270t'],
  ['\x1b[16t', '\x1b[6;19;9t'],
  ['\x1b[18t', '\x1b[8;7;30t'],
  ['\x1b[14;1t', ''],
  ['\x1b[21t', ''],
  ['\x1b[>1q', ''],
])('%j is answered with %j', async (query, reply) => {
  expect(await repliesTo(query)).toBe(reply);
});

test('a screen without a cell size in pixels reports a default size', async () => {
  const screen = openScreen({ cols: 10, rows: 3 });
  const replies: string[] = [];
  screen.onReply.on((bytes) => replies.push(bytes));
  await show(screen, '\x1b[16t');
  await show(screen, '\x1b[14t');
  const [, height, width] = /^\[6;([1-9]\d*);([1-9]\d*)t$/.exec(replies[0]?.slice(1) ?? '') ?? [];
  expect(replies[1]).toBe(`\x1b[4;${3 * Number(height)};${10 * Number(width)}t`);
});

test.each([5, 67, 1005, 1006, 1015, 1016, 1, 25, 2004, 2026, 1004])(
  'the private mode %i is reported as set or reset',
  async (mode) => {
    const ask = `\x1b[?${mode}$p`;
    expect(await repliesTo(`\x1b[?${mode}h${ask}`)).toBe(`\x1b[?${mode};1$y`);
    expect(await repliesTo(`\x1b[?${mode}h\x1b[?${mode}l${ask}`)).toBe(`\x1b[?${mode};2$y`);
  },
);

test.each([5, 67, 1005, 1006, 1015, 1016])('the private mode %i is reported as reset at first', async (mode) => {
  expect(await repliesTo(`\x1b[?${mode}$p`)).toBe(`\x1b[?${mode};2$y`);
});
