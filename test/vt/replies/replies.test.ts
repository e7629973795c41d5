import { expect, test } from 'vitest';
import { openScreen, show } from '../screens.js';

const ST = '\x1b\\';

async function repliesTo(text: string): Promise<string> {
  const screen = openScreen({ cols: 80, rows: 24, cellWidth: 9, cellHeight: 18 });
  let replies = '';
  screen.onReply.on((bytes) => {
    replies += bytes;
  });
  await show(screen, text);
  return replies;
}

const QUERIES: readonly (readonly [name: string, query: string, reply: string])[] = [
  ['DA1', '\x1b[c', '\x1b[?1;2c'],
  ['DA2', '\x1b[>c', '\x1b[>0;276;0c'],
  ['DSR', '\x1b[5n', '\x1b[0n'],
  ['CPR after a full row', `${'a'.repeat(80)}\x1b[6n`, '\x1b[1;80R'],
  ['CPR in origin mode', '\x1b[2;4r\x1b[?6h\x1b[2;5H\x1b[6n', '\x1b[2;5R'],
  ['DECXCPR in origin mode', '\x1b[2;4r\x1b[?6h\x1b[2;5H\x1b[?6n', '\x1b[?2;5R'],
  ['CPR', 'ab\r\nc\x1b[6n', '\x1b[2;2R'],
  ['XTVERSION', '\x1b[>q', `\x1bP>|t4a 1.2.3${ST}`],
  ['text area in pixels', '\x1b[14t', '\x1b[4;432;720t'],
  ['cell in pixels', '\x1b[16t', '\x1b[6;18;9t'],
  ['text area in cells', '\x1b[18t', '\x1b[8;24;80t'],
  ['foreground', '\x1b]10;?\x07', `\x1b]10;rgb:c0c0/caca/f5f5${ST}`],
  ['background', '\x1b]11;?\x07', `\x1b]11;rgb:1a1a/1b1b/2626${ST}`],
  ['cursor colour', '\x1b]12;?\x07', `\x1b]12;rgb:ffff/9e9e/6464${ST}`],
  ['two colours in one', '\x1b]10;?;?\x07', `\x1b]10;rgb:c0c0/caca/f5f5${ST}\x1b]11;rgb:1a1a/1b1b/2626${ST}`],
  ['palette', '\x1b]4;1;?;255;?\x07', `\x1b]4;1;rgb:0101/0101/0101${ST}\x1b]4;255;rgb:ffff/ffff/ffff${ST}`],
  ['a colour after it was set', '\x1b]11;#102030\x07\x1b]11;?\x07', `\x1b]11;rgb:1010/2020/3030${ST}`],
  ['a colour after its reset', '\x1b]11;#102030\x07\x1b]111\x07\x1b]11;?\x07', `\x1b]11;rgb:1a1a/1b1b/2626${ST}`],
  ['a palette colour set and queried in one', '\x1b]4;7;rgb:f/80/0000;7;?\x07', `\x1b]4;7;rgb:ffff/8080/0000${ST}`],
  ['DECRQM bracketed paste', '\x1b[?2004h\x1b[?2004$p', '\x1b[?2004;1$y'],
  ['DECRQM synchronized output', '\x1b[?2026$p', '\x1b[?2026;2$y'],
  ['DECRQM DECSCNM', '\x1b[?5h\x1b[?5$p\x1b[?5l\x1b[?5$p', '\x1b[?5;1$y\x1b[?5;2$y'],
  ['DECRQM mouse encodings', '\x1b[?1006;1015h\x1b[?1006$p\x1b[?1015$p', '\x1b[?1006;2$y\x1b[?1015;1$y'],
  [
    'DECRQM graphemes, which are always clusters',
    '\x1b[?2027$p\x1b[?2027l\x1b[?2027$p',
    '\x1b[?2027;3$y\x1b[?2027;3$y',
  ],
  ['DECRQM unknown', '\x1b[?7777$p', '\x1b[?7777;0$y'],
  ['DECRQSS SGR', `\x1b[1;4:3;38;2;1;2;3;48;5;99;91;58;5;4m\x1bP$qm${ST}`, `\x1bP1$r0;1;4:3;91;48:5:99;58:5:4m${ST}`],
  ['DECRQSS SGR truecolour', `\x1b[38;2;1;2;3m\x1bP$qm${ST}`, `\x1bP1$r0;38:2::1:2:3m${ST}`],
  ['DECRQSS cursor style', `\x1b[5 q\x1bP$q q${ST}`, `\x1bP1$r5 q${ST}`],
  ['DECRQSS margins', `\x1b[3;9r\x1bP$qr${ST}`, `\x1bP1$r3;9r${ST}`],
  ['kitty keyboard', '\x1b[>5u\x1b[?u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[<u\x1b[?u', '\x1b[?5u\x1b[?0u\x1b[?0u'],
];

test.each(QUERIES)('%s is answered', async (_, query, reply) => {
  expect(await repliesTo(query)).toBe(reply);
});

test('replies come in the order of their queries', async () => {
  expect(await repliesTo('\x1b[5n\x1b]11;?\x07\x1b[6n')).toBe(`\x1b[0n\x1b]11;rgb:1a1a/1b1b/2626${ST}\x1b[1;1R`);
});

test('invalid colours change nothing', async () => {
  const screen = openScreen();
  const { colors } = await show(screen, '\x1b]10;salmon\x07\x1b]4;256;#fff;x;#fff;3\x07\x1b]11;rgb:1/2\x07');
  expect(colors).toEqual({ palette: new Map(), foreground: undefined, background: undefined, cursor: undefined });
});

test('colours that the program sets are in the snapshot until it resets them or the terminal', async () => {
  const screen = openScreen();
  const set = await show(screen, '\x1b]4;1;#f00;2;#00ff00\x07\x1b]10;rgb:11/22/33;#445566;#777788889999\x07');
  expect(set.colors).toEqual({
    palette: new Map([
      [1, 0xf00000],
      [2, 0x00ff00],
    ]),
    foreground: 0x112233,
    background: 0x445566,
    cursor: 0x778899,
  });
  const some = await show(screen, '\x1b]104;1\x07\x1b]110\x07');
  expect(some.colors).toMatchObject({ palette: new Map([[2, 0x00ff00]]), foreground: undefined, background: 0x445566 });
  const none = await show(screen, '\x1bc');
  expect(none.colors).toEqual({ palette: new Map(), foreground: undefined, background: undefined, cursor: undefined });
});
