/** Picture protocols of terminals, decoding of PNG, and encoding as sixels. */
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { graphicsOf } from '../../../src/cli/output/picture/graphics.js';
import { inlinePicture } from '../../../src/cli/output/picture/inline.js';
import { pixelsOfPng } from '../../../src/base/png-pixels.js';
import { sixel } from '../../../src/cli/output/picture/sixel.js';
import { onTerminal, type FakeHost } from '../../support/host.js';

/** A terminal that answers in these pieces. */
function answering(env: Record<string, string>, ...answers: string[]): FakeHost & { asked: () => string } {
  let asked = '';
  const person = onTerminal({
    env,
    out(data) {
      asked += String(data);
      queueMicrotask(() => answers.forEach(person.press));
    },
  });
  return { ...person, asked: () => asked };
}

const SIXEL = '\x1b[?62;4c';

describe('the picture protocol of a terminal', () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ['is that of iTerm2 by TERM_PROGRAM', { TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
    ['is that of iTerm2 by LC_TERMINAL, which ssh passes on', { LC_TERMINAL: 'iTerm2' }, 'iterm2'],
    ['is undefined within tmux', { TMUX: 'x', TERM_PROGRAM: 'iTerm.app' }, undefined],
    ['is undefined within screen', { STY: 'x', TERM_PROGRAM: 'iTerm.app' }, undefined],
    ['is undefined for a dumb terminal', { TERM: 'dumb', TERM_PROGRAM: 'iTerm.app' }, undefined],
  ])('%s', async (_name, env, protocol) => {
    const person = answering(env, SIXEL);
    expect([await graphicsOf(person), person.asked()]).toEqual([protocol, '']);
  });

  test.each<[string, string[], string | undefined]>([
    ['is that of kitty by its answer', ['\x1b_Gi=31;OK\x1b\\', '\x1b[?62c'], 'kitty'],
    ['is found in an answer that arrives in pieces', ['\x1b[?6', '2;4', 'c'], 'sixel'],
    ['is that of iTerm2 for WezTerm by its name', ['\x1bP>|WezTerm 2024\x1b\\\x1b[?65;4c'], 'iterm2'],
    ['is that of iTerm2 for mintty by its name', ['\x1bP>|mintty 3.7\x1b\\\x1b[?64c'], 'iterm2'],
    ['is undefined for a name that only begins like a known one', ['\x1bP>|minttyx\x1b\\\x1b[?64c'], undefined],
    ['is undefined after another answer of kitty', ['\x1b_Gi=31;EINVAL\x1b\\\x1b[?62c'], undefined],
  ])('%s', async (_name, answers, protocol) => {
    const person = answering({ TERM: 'xterm' }, ...answers);
    expect(await graphicsOf(person)).toBe(protocol);
    expect(person.watchers()).toBe(0);
    expect(person.asked().startsWith('\x1b_G')).toBe(true);
    expect(person.asked().endsWith('\x1b\\\x1b[>q\x1b[c')).toBe(true);
  });

  test('is undefined if standard input or output is no terminal', async () => {
    const silent = { ...answering({}, SIXEL), stdinIsTerminal: false };
    expect([await graphicsOf(silent), silent.asked()]).toEqual([undefined, '']);
    const piped = { ...answering({ TERM_PROGRAM: 'iTerm.app' }, SIXEL), stdoutIsTerminal: false };
    expect(await graphicsOf(piped)).toBeUndefined();
  });
});

/** A PNG of 8 bits a channel whose rows are filtered as given. */
function png(width: number, type: number, rows: readonly (readonly number[])[], depth = 8, palette?: number[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(rows.length, 4);
  header.set([depth, type], 8);
  const chunk = (kind: string, body: Uint8Array): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return Buffer.concat([length, Buffer.from(kind), body, Buffer.alloc(4)]);
  };
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from('no pixels')),
    ...(palette === undefined ? [] : [chunk('PLTE', Buffer.from(palette))]),
    chunk('IDAT', data.subarray(0, 5)),
    chunk('IDAT', data.subarray(5)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const hex = (image: Uint8Array): string[] =>
  Array.from(pixelsOfPng(image).colors, (color) => color.toString(16).padStart(6, '0'));

describe('the pixels of a PNG', () => {
  const [NONE, SUB, UP, AVERAGE, PAETH] = [0, 1, 2, 3, 4];

  test.each<[string, readonly number[], string[]]>([
    ['None', [NONE, 1, 2, 3, 4, 5, 6], ['010203', '040506']],
    ['Sub', [SUB, 1, 2, 3, 4, 5, 6], ['010203', '050709']],
    ['Up', [UP, 1, 2, 3, 4, 5, 6], ['0b1621', '2c3742']],
    ['Average', [AVERAGE, 1, 2, 3, 4, 5, 6], ['060c12', '1b242d']],
    ['Paeth', [PAETH, 1, 2, 3, 4, 5, 6], ['0b1621', '2c3742']],
  ])('are decoded with the filter %s', (_name, row, expected) => {
    expect(hex(png(2, 2, [[NONE, 10, 20, 30, 40, 50, 60], row])).slice(2)).toEqual(expected);
  });

  test('are predicted by Paeth from left, above and corner, in this order of preference', () => {
    // Rows of one channel; the last byte of the second row is told from left, above and corner.
    const told = (left: number, above: number, corner: number): number => {
      const [, , , color = 0] = pixelsOfPng(
        png(2, 0, [
          [NONE, corner, above],
          [PAETH, (left - corner) & 0xff, 0],
        ]),
      ).colors;
      return color & 0xff;
    };
    expect(told(50, 20, 20)).toBe(50);
    expect(told(20, 50, 20)).toBe(50);
    expect(told(10, 30, 20)).toBe(20);
    expect(told(30, 30, 60)).toBe(30);
    expect(told(10, 14, 13)).toBe(10);
    expect(told(14, 10, 13)).toBe(10);
    expect(told(10, 18, 16)).toBe(10);
    expect(told(18, 10, 16)).toBe(10);
    expect(told(18, 12, 14)).toBe(18);
  });

  test('are grey if the PNG has one channel, or one beside alpha', () => {
    expect(hex(png(2, 0, [[NONE, 1, 0xff]]))).toEqual(['010101', 'ffffff']);
    expect(hex(png(2, 4, [[NONE, 1, 0, 0x80, 0xff]]))).toEqual(['010101', '808080']);
  });

  test('ignore the alpha channel', () => {
    expect(hex(png(2, 6, [[NONE, 1, 2, 3, 0, 4, 5, 6, 0xff]]))).toEqual(['010203', '040506']);
  });

  test.each([
    [8, [0, 1, 2]],
    [4, [0x01, 0x20]],
    [2, [0b00_01_10_00]],
  ])('are palette colours for indices of %i bits', (depth, row) => {
    const palette = [1, 2, 3, 4, 5, 6, 0xff, 0xfe, 0xfd];
    expect(hex(png(3, 3, [[NONE, ...row]], depth, palette))).toEqual(['010203', '040506', 'fffefd']);
  });

  test('are complete for a PNG at any offset of its buffer', () => {
    const image = png(2, 0, [
      [NONE, 1, 2],
      [NONE, 3, 4],
      [NONE, 5, 6],
    ]);
    const within = Buffer.concat([Buffer.alloc(7), image]).subarray(7);
    const { width, height, colors } = pixelsOfPng(within);
    expect([width, height, colors.length, colors[5]]).toEqual([2, 3, 6, 0x060606]);
  });
});

describe('sixels', () => {
  const picture = (width: number, ...colors: number[]): string =>
    sixel({ width, height: colors.length / width, colors: Uint32Array.from(colors) });
  const [R, G] = [0xff0000, 0x00ff00];

  test('define a register for each colour, with channels in percent', () => {
    expect(picture(1, R)).toBe('\x1bP0;1q"1;1;1;1#0;2;100;0;0#0@\x1b\\');
    expect(picture(2, 0x3380ff, G)).toContain('"1;1;2;1#0;2;20;50;100#1;2;0;100;0#0@?$#1?@\x1b\\');
  });

  test('encode more than three equal columns as a repetition', () => {
    expect(picture(3, R, R, R)).toContain('#0@@@\x1b');
    expect(picture(4, R, R, R, R)).toContain('#0!4@\x1b');
    expect(picture(6, R, R, R, R, G, R)).toContain('#0!4@?@$#1!4?@?\x1b');
  });

  test('keep up to 256 colours in registers, and reduce a larger number', () => {
    // Blues; the last one is that of the last two pixels.
    const shown = picture(257, ...Array.from({ length: 256 }, (_, i) => i), 255);
    expect(shown).toContain('#255;2;0;0;100#');
    expect(shown).not.toContain('#256;');
    expect(shown).toContain('$#255!255?@@\x1b');
    expect(picture(257, ...Array.from({ length: 257 }, (_, i) => i))).not.toContain('#128;');
  });

  test('are written in bands of six rows', () => {
    expect(picture(1, R, R, R, R, R, R)).toContain('#0~\x1b');
    expect(picture(1, R, G, R, R, R, R, R, G)).toContain('#0|$#1A-#0@$#1A\x1b');
  });
});

test('a long picture for kitty is split into pieces, with the description only in the first', () => {
  const short = inlinePicture('kitty', Buffer.from('abc'));
  expect(short).toBe('\x1b_Ga=T,f=100,q=2,m=0;YWJj\x1b\\\n');
  const [first, second, ...rest] = inlinePicture('kitty', Buffer.alloc(3072 + 3)).split('\x1b\\');
  expect(first).toBe(`\x1b_Ga=T,f=100,q=2,m=1;${'A'.repeat(4096)}`);
  expect(second).toBe('\x1b_Gm=0;AAAA');
  expect(rest).toEqual(['\n']);
});

test('a picture in sixels ends with a line break', () => {
  expect(inlinePicture('sixel', png(1, 0, [[0, 0xff]]))).toBe('\x1bP0;1q"1;1;1;1#0;2;100;100;100#0@\x1b\\\n');
});
