/** Which face draws what, of fonts of the test's own and of the project's. */
import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLEARER_FACES, COLOR_FACE, FACES, LETTER_SIGNS, TEXT_FACES } from '../../../src/render/fonts/faces.js';
import { FontChain } from '../../../src/render/fonts/font-chain.js';
import { tempDir } from '../../support/temp-dir.js';
import { FONTS_DIR } from '../support/test-renderer.js';

const chain = new FontChain(FONTS_DIR);

function fileOf(text: string, bold = false, italic = false, cellWidth?: number): string | undefined {
  return chain.choose(text, bold, italic, cellWidth)?.file;
}

/** A chain that has these characters in these files. */
function chainOf(coverage: Readonly<Record<string, string>>, sequences: readonly string[] = []): FontChain {
  const { path, join } = tempDir();
  const lines = Object.entries(coverage).map(([file, ranges]) => `${file}:${ranges}\n`);
  writeFileSync(join('coverage.txt'), lines.join(''));
  writeFileSync(join('twemoji.sequences.txt'), sequences.map((line) => `${line}\n`).join(''));
  return new FontChain(path);
}

describe('the chain', () => {
  test('takes the first face that has the whole grapheme', () => {
    const own = chainOf({
      'dejavu-sans-mono': '61-7a',
      'jetbrains-mono-regular': '61-7a,301',
      unifont: '61-7a,301-302',
    });
    const choice = (text: string) => {
      const { file = '', text: drawn = '', rest = [] } = own.choose(text, false, false) ?? {};
      return [file, drawn, rest];
    };
    expect(choice('a')).toEqual(['dejavu-sans-mono', 'a', []]);
    expect(choice('a\u0301')).toEqual(['jetbrains-mono-regular', 'a\u0301', []]);
    expect(choice('a\u0302')).toEqual(['unifont', 'a\u0302', []]);
    expect(own.choose('A', false, false)).toBeUndefined();
  });

  test('takes the face that has most of its beginning, if none has all', () => {
    const own = chainOf({ 'dejavu-sans-mono': '61', 'jetbrains-mono-regular': '61,301', unifont: '61,301,303' });
    expect(own.choose('a\u0302', false, false)).toMatchObject({ file: 'dejavu-sans-mono', text: 'a', rest: [0x302] });
    expect(own.choose('a\u0301\u0302', false, false)).toMatchObject({
      file: 'jetbrains-mono-regular',
      text: 'a\u0301',
      rest: [0x302],
    });
    expect(own.choose('a\u0302\u034f\u0304', false, false)?.rest).toEqual([0x302, 0x304]);
  });

  test('ignores joiners and selectors that a face lacks', () => {
    const own = chainOf({ 'dejavu-sans-mono': '61-62', 'jetbrains-mono-regular': '61-62,200d' });
    expect(own.choose('a\u200db', false, false)).toMatchObject({ file: 'dejavu-sans-mono', text: 'ab', rest: [] });
    expect(own.choose('a\u200cb\ufe0e', false, false)).toMatchObject({ file: 'dejavu-sans-mono', text: 'ab' });
    expect(own.choose('\u200d', false, false)?.file).toBe('jetbrains-mono-regular');
    const joined = chainOf({ 'dejavu-sans-mono': '61-62,200c-200d' });
    expect(joined.choose('a\u200db', false, false)?.text).toBe('a\u200db');
  });

  test.each([
    [false, false, 'dejavu-sans-mono', false],
    [true, false, 'dejavu-sans-mono-bold', false],
    [false, true, 'dejavu-sans-mono-oblique', false],
    [true, true, 'dejavu-sans-mono-bold-oblique', false],
  ])('has siblings for text (bold %s, italic %s): %s', (bold, italic, file, slant) => {
    expect(chain.choose('a', bold, italic)).toMatchObject({ file, slant });
  });

  test('slants the face itself if its sibling lacks the character', () => {
    const own = chainOf({
      'dejavu-sans-mono': '61-62',
      'dejavu-sans-mono-bold': '61',
      'dejavu-sans-mono-oblique': '61',
    });
    expect(own.choose('b', true, false)).toMatchObject({ file: 'dejavu-sans-mono', slant: false });
    expect(own.choose('b', false, true)).toMatchObject({ file: 'dejavu-sans-mono', slant: true });
    expect(own.choose('b', true, true)).toMatchObject({ file: 'dejavu-sans-mono', slant: true });
    expect(own.choose('a', false, true)).toMatchObject({ file: 'dejavu-sans-mono-oblique', slant: false });
    expect(chain.choose('ש', false, true)).toMatchObject({ file: 'noto-sans-hebrew', slant: true });
    expect(chain.choose('ש', true, true)).toMatchObject({ file: 'noto-sans-hebrew', slant: true });
    expect(chain.choose('漢', true, false)).toMatchObject({ file: 'unifont', slant: false });
  });

  test('tries a sequence of emoji before any face, unless text is requested', () => {
    const own = chainOf({ 'dejavu-sans-mono': '31,20e3', twemoji: '31' }, ['31-20e3']);
    const keycap = own.choose('1\ufe0f\u20e3', true, true);
    expect(keycap).toMatchObject({ face: COLOR_FACE, file: 'twemoji', slant: false, text: '\u{100000}', rest: [] });
    expect(own.choose('1\u20e3', false, false)?.text).toBe('\u{100000}');
    expect(own.choose('1\ufe0e\u20e3', false, false)).toMatchObject({ file: 'dejavu-sans-mono', text: '1\u20e3' });
    expect(own.choose('1', false, false)?.file).toBe('dejavu-sans-mono');
  });

  test.each([
    ['an emoji', '😀', 'twemoji'],
    ['a sign that is an emoji by itself', '⌚', 'twemoji'],
    ['the first of those', '\u231a', 'twemoji'],
    ['one that is to be text', '⌚\ufe0e', 'noto-sans-symbols-2'],
    ['a sign that is text by itself', '❤', 'dejavu-sans-mono'],
    ['one that is to be an emoji', '❤\ufe0f', 'twemoji'],
    ['the first sign that may be an emoji', '‼', 'dejavu-sans-mono'],
    ['a digit', '2', 'dejavu-sans-mono'],
    ['a digit that is to be an emoji', '2\ufe0f', 'twemoji'],
    ['an icon', '\uf09b', 'symbols-nerd-font-mono'],
    ['Hebrew', 'ש', 'noto-sans-hebrew'],
    ['Thai', 'ก', 'noto-sans-thai'],
    ['Devanagari', 'क', 'noto-sans-devanagari'],
    ['Chinese', '漢', 'unifont'],
    ['the ideograph in a circle', '㊙', 'noto-emoji'],
    ['the other one', '㊗', 'noto-emoji'],
  ])('has a face for %s, %s: %s', (_, text, file) => {
    expect(fileOf(text)).toBe(file);
  });

  test('prefers other faces to emoji of one colour for a text symbol, and these to colour emoji', () => {
    const own = chainOf({ 'noto-emoji': '2934,1fad6', unifont: '2934', twemoji: '41,2934,1fad6' });
    expect(own.choose('\u2934', false, false)?.file).toBe('unifont');
    expect(own.choose('\u2934\ufe0e', false, false)?.file).toBe('unifont');
    expect(own.choose('\u2934\ufe0f', false, false)?.file).toBe('twemoji');
    expect(own.choose('\u{1fad6}\ufe0e', false, false)?.file).toBe('noto-emoji');
    expect(own.choose('A', false, false)?.file).toBe('twemoji');
    const marks = chainOf({ 'noto-emoji': '203c', unifont: '203c' });
    expect(marks.choose('\u203c', false, false)?.file).toBe('unifont');
  });

  test('takes the clearer of two faces for a digit alone, at certain widths', () => {
    for (const width of [4, 6, 7, 8, 20, Infinity]) {
      expect(fileOf('1', false, false, width)).toBe('jetbrains-mono-regular');
      expect(fileOf('0', false, false, width)).toBe(width === 7 ? 'jetbrains-mono-regular' : 'dejavu-sans-mono');
      expect(fileOf('2', false, false, width)).toBe('dejavu-sans-mono');
    }
    expect(fileOf('1\u0301', false, false, 8)).toBe('dejavu-sans-mono');
    expect(fileOf('1')).toBe('jetbrains-mono-regular');
    expect([fileOf('1', true), fileOf('1', false, true), fileOf('1', true, true)]).toEqual([
      'jetbrains-mono-bold',
      'jetbrains-mono-italic',
      'jetbrains-mono-bold-italic',
    ]);
  });

  test('draws the sign that is a letter as that letter, bold, with its marks', () => {
    expect(chain.choose('ℹ', false, false)).toMatchObject({ file: 'dejavu-sans-mono-bold', text: 'i' });
    expect(chain.choose('ℹ\ufe0e', false, true)).toMatchObject({ file: 'dejavu-sans-mono-bold-oblique', text: 'i' });
    expect(chain.choose('ℹ\u0323', false, false)).toMatchObject({ file: 'dejavu-sans-mono-bold', text: 'i\u0323' });
    expect(fileOf('ℹ\ufe0f')).toBe('twemoji');
  });

  test('reports the coverage of its files', () => {
    expect(chain.coverageOf('dejavu-sans-mono')?.has(0x41)).toBe(true);
    expect(chain.coverageOf('no-such-face')).toBeUndefined();
  });
});

describe('faces', () => {
  test('are text on the baseline, fitted symbols, pixels or colours', () => {
    const kinds = new Map([...FACES, COLOR_FACE].map(({ name, kind }) => [name, kind]));
    const named = (kind: string): string[] => [...kinds].filter(([, each]) => each === kind).map(([name]) => name);
    expect(named('symbol')).toEqual([
      'symbols-nerd-font-mono',
      'noto-sans-symbols-2',
      'noto-sans-symbols',
      'noto-emoji',
    ]);
    expect([named('bitmap'), named('color')]).toEqual([['unifont'], ['twemoji']]);
    expect(named('text')).toEqual([
      'dejavu-sans-mono',
      'jetbrains-mono-regular',
      'noto-sans-hebrew',
      'noto-naskh-arabic',
      'noto-sans-thai',
      'noto-sans-devanagari',
    ]);
  });

  test('for text include all of them, with emoji of one colour last', () => {
    expect(TEXT_FACES).toHaveLength(FACES.length);
    expect(new Set(TEXT_FACES)).toEqual(new Set(FACES));
    expect(TEXT_FACES.at(-1)?.name).toBe('noto-emoji');
  });

  test('that are clearer come first for their digit', () => {
    expect(
      CLEARER_FACES.get(0x31)
        ?.order.map(({ name }) => name)
        .slice(0, 2),
    ).toEqual(['jetbrains-mono-regular', 'dejavu-sans-mono']);
    expect(LETTER_SIGNS.get(0x2139)).toBe('i');
  });
});
