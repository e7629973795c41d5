import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { Coverage } from '../../../src/render/fonts/coverage.js';
import { COLOR_FACE, FACES } from '../../../src/render/fonts/faces.js';
import { FontChain } from '../../../src/render/fonts/font-chain.js';
import { GlyphRasterizer } from '../../../src/render/glyphs/rasterizer.js';
import { type Glyph, STYLE_BOLD, STYLE_ITALIC, STYLE_WIDE } from '../../../src/render/glyphs/glyph.js';
import { drawTofu } from '../../../src/render/glyphs/tofu.js';
import { FONTS_DIR } from '../support/test-renderer.js';
import { EMOJI, TUI_SYMBOLS } from '../support/symbols.js';

const press = new GlyphRasterizer(FONTS_DIR);
const chain = new FontChain(FONTS_DIR);
/** Of 15. */
const SEEN = 3;

function glyphOf(grapheme: string, style = 0, cellWidth = 10): Glyph {
  const single = grapheme.length === String.fromCodePoint(grapheme.codePointAt(0)!).length;
  const key = single ? grapheme.codePointAt(0)! : grapheme;
  return press.draw({ grapheme: key, style, cellWidth, cellHeight: cellWidth * 2, lineSize: 'single' });
}

function kindOf(grapheme: string): string {
  return glyphOf(grapheme, STYLE_WIDE).kind;
}

/** First row with ink to be seen, and one past the last. */
function rowsOf({ levels, width }: Glyph): string {
  const first = levels.findIndex((level) => level >= SEEN);
  return `${Math.floor(first / width)} ${Math.floor(levels.findLastIndex((level) => level >= SEEN) / width) + 1}`;
}

function isTofu(grapheme: string, glyph: Glyph): boolean {
  return Buffer.compare(glyph.levels, drawTofu(grapheme, glyph.width, glyph.height).levels) === 0;
}

test('more than 207 symbols of terminal programs have ink, and none is a box with its code', () => {
  const symbols = [...new Set(TUI_SYMBOLS)];
  expect(symbols.length).toBeGreaterThan(207);
  const bad = symbols.filter((symbol) => {
    const glyph = glyphOf(symbol);
    return isTofu(symbol, glyph) || glyph.levels.every((level) => level === 0);
  });
  expect(bad).toEqual([]);
});

test('emoji of every kind are one colour glyph: ZWJ, skin tones, flags, keycaps, VS16', () => {
  for (const emoji of EMOJI) {
    const glyph = glyphOf(emoji, STYLE_WIDE);
    expect(glyph.kind, emoji).toBe('color');
    if (glyph.kind !== 'color') continue;
    const shades = new Set(glyph.colors.filter((_, at) => glyph.levels[at]! > 8));
    expect(shades.size, emoji).toBeGreaterThan(1);
    const { text } = chain.choose(emoji, false, false)!;
    expect(text, emoji).toBe(String.fromCodePoint(text.codePointAt(0)!));
  }
});

test('VS15 asks for text and VS16 for colour; without either, Unicode decides', () => {
  expect([kindOf('❤\ufe0f'), kindOf('❤\ufe0e'), kindOf('❤')]).toEqual(['color', 'mask', 'mask']);
  expect([kindOf('⌚\ufe0f'), kindOf('⌚\ufe0e'), kindOf('⌚')]).toEqual(['color', 'mask', 'color']);
  expect(kindOf('1')).toBe('mask');
});

test('a default text symbol is drawn as text, and in colour after VS16', () => {
  const all = Array.from({ length: 0x2_0000 }, (_, codePoint) => String.fromCodePoint(codePoint));
  const signs = all.filter((sign) => /^\p{Emoji}$/u.test(sign) && !/^\p{Emoji_Presentation}$/u.test(sign));
  const texts = signs.filter((sign) => !/^\p{Regional_Indicator}$/u.test(sign));
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.filter((sign) => kindOf(sign) !== 'mask' || kindOf(`${sign}\ufe0e`) !== 'mask')).toEqual([]);
  expect(texts.filter((sign) => kindOf(`${sign}\ufe0f`) !== 'color')).toEqual([]);
});

test.each([7, 8, 9, 10, 20])('the sign before a hint is the letter i, bold, in cells %i wide', (cellWidth) => {
  const bold = glyphOf('i', STYLE_BOLD, cellWidth);
  for (const sign of ['ℹ', 'ℹ\ufe0e']) expect(glyphOf(sign, 0, cellWidth)).toEqual(bold);
  expect(glyphOf('i', 0, cellWidth)).not.toEqual(bold);
  expect(glyphOf('ℹ\ufe0f', STYLE_WIDE, cellWidth).kind).toBe('color');
});

test.each(['⤴', '⤵', 'ℹ'])('%s, which is text by default, is no filled box with a hole', (sign) => {
  const { levels, width, height } = glyphOf(sign, 0, 8);
  const inked = Array.from(levels.keys()).filter((at) => levels[at]! >= SEEN);
  const rows = new Set(inked.map((at) => Math.floor(at / width)));
  const cols = new Set(inked.map((at) => at % width));
  expect(rows.size).toBeLessThan(height);
  expect(inked.length / (rows.size * cols.size)).toBeLessThan(0.7);
});

test('every script has a face: CJK, Hangul, kana, Hebrew, Arabic, Thai, Devanagari, Georgian, Tamil', () => {
  for (const text of [
    '漢',
    '字',
    '한',
    'あ',
    'カ',
    'ש',
    'ع',
    'ก',
    'न',
    'ქ',
    'த',
    'ﾊ',
    'Ａ',
    'é',
    'n\u0303',
    'नि',
    'ที่',
  ]) {
    const glyph = glyphOf(text, STYLE_WIDE, 8);
    expect(isTofu(text, glyph), text).toBe(false);
    expect(
      glyph.levels.some((level) => level > 8),
      text,
    ).toBe(true);
  }
});

test('bold and italic letters come from their own faces, and slant where there is none', () => {
  expect(chain.choose('a', true, true)?.file).toBe('dejavu-sans-mono-bold-oblique');
  expect(chain.choose('a', true, false)?.file).toBe('dejavu-sans-mono-bold');
  expect(chain.choose('ש', false, true)).toMatchObject({ file: 'noto-sans-hebrew', slant: true });
});

test('digits are on the same rows in every face', () => {
  for (const width of [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 18, 20]) {
    for (const style of [0, STYLE_BOLD, STYLE_ITALIC, STYLE_BOLD | STYLE_ITALIC]) {
      const rows = Array.from('0123456789', (digit) => rowsOf(glyphOf(digit, style, width)));
      expect(new Set(rows).size, `${width} wide, style ${style}: ${rows.join()}`).toBe(1);
    }
  }
});

test("1 comes from JetBrains Mono in each style, and so does 0 if the primary face's dot would fill it", () => {
  expect(chain.choose('1', false, false)?.file).toBe('jetbrains-mono-regular');
  expect(chain.choose('1', true, true)?.file).toBe('jetbrains-mono-bold-italic');
  expect(chain.choose('0', false, false, 7)?.file).toBe('jetbrains-mono-regular');
  expect(chain.choose('0', false, false, 8)?.file).toBe('dejavu-sans-mono');
});

test('an l ends higher than digits and capitals in the cells of every profile', () => {
  for (const width of [7, 8, 10, 20]) {
    const [tall, ...others] = Array.from('l1I0', (letter) => Number(rowsOf(glyphOf(letter, 0, width)).split(' ')[0]));
    for (const top of others) expect(tall, `${width} wide`).toBeLessThan(top);
  }
});

test('strokes of Unifont are more than a pixel thick at 8x16, leave narrow gaps open, and are thicker in bold', () => {
  const [regular, bold] = [glyphOf('目', STYLE_WIDE, 8), glyphOf('目', STYLE_WIDE | STYLE_BOLD, 8)];
  const inkOf = ({ levels }: Glyph): number => levels.reduce((sum, level) => sum + level, 0);
  expect(inkOf(bold)).toBeGreaterThan(1.1 * inkOf(regular));
  const row = [...regular.levels.subarray(4 * 16, 5 * 16)];
  const first = row.findIndex((level) => level === 15);
  expect(row[first + 1]).toBeGreaterThan(SEEN);
  expect(row[first + 2]).toBe(0);
  // In 語 the first two bars of the left half are a row apart.
  const bars = [1, 2, 3].map((y) => glyphOf('語', STYLE_WIDE, 8).levels[y * 16 + 4]);
  expect(bars).toEqual([15, 0, 15]);
});

test('a character without a face shows its code, legibly at every size', () => {
  const missing = '\u{10ffff}';
  expect(chain.choose(missing, false, false)).toBeUndefined();
  for (const width of [4, 7, 8, 10, 20, 40]) {
    const glyph = glyphOf(missing, 0, width);
    expect(isTofu(missing, glyph)).toBe(true);
    expect([...glyph.levels.subarray(0, width)]).toEqual(Array<number>(width).fill(15));
  }
});

test('the characters in coverage.txt are those of the font files', () => {
  const named = readFileSync(join(FONTS_DIR, 'coverage.txt'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(':')[0]!);
  const used = [...FACES, COLOR_FACE].flatMap(({ name, bold, italic, boldItalic }) => [name, bold, italic, boldItalic]);
  expect([...new Set(used.filter((name) => name !== undefined))].sort()).toEqual(named.sort());
  for (const name of named.filter((each) => each !== 'unifont')) {
    const [tag] =
      readFileSync(join(FONTS_DIR, `${name}.ttf`))
        .subarray(0, 4)
        .toString('hex')
        .match(/^(00010000|4f54544f)$/) ?? [];
    expect(tag, name).toBeDefined();
  }
});

test('a code point is found in its range with the number of those before it', () => {
  const coverage = new Coverage('20-7e,a0,100-1ff');
  expect([0x1f, 0x20, 0x7e, 0x7f, 0xa0, 0xa1, 0x100, 0x1ff, 0x200].map((code) => coverage.rank(code))).toEqual([
    undefined,
    0,
    94,
    undefined,
    95,
    undefined,
    96,
    351,
    undefined,
  ]);
  expect(coverage.size).toBe(352);
});

test('no face carries hints or names of its glyphs, which no picture uses', () => {
  const faces = readdirSync(FONTS_DIR).filter((name) => name.endsWith('.ttf'));
  expect(faces.length).toBeGreaterThan(10);
  const carried = faces.flatMap((name) => {
    const font = readFileSync(join(FONTS_DIR, name));
    const directory = Array.from({ length: font.readUInt16BE(4) }, (_, at) => 12 + 16 * at);
    const tables = new Map(directory.map((at) => [font.toString('latin1', at, at + 4), at]));
    const names = font.readUInt32BE((tables.get('post') ?? 0) + 12) > 32 ? ['names'] : [];
    return [...['fpgm', 'prep', 'cvt '].filter((tag) => tables.has(tag)), ...names].map((each) => `${name}: ${each}`);
  });
  expect(carried).toEqual([]);
});
