import { describe, expect, test } from 'vitest';
import { codePointWidth, joinWord, PLAIN_CELL } from '../../../src/vt/xterm/graphemes.js';

/** The clusters of a text and the cells of each; what joins a cell that is not known is a cluster of its own. */
function clustersOf(text: string, startsLine = true): [string, number][] {
  const clusters: [string, number][] = [];
  let word = 0;
  for (const char of text) {
    word = joinWord(char.codePointAt(0) ?? 0, word, () => startsLine);
    const width = (word >> 1) & 3;
    const last = clusters.at(-1);
    if ((word & 1) !== 0 && last !== undefined) clusters[clusters.length - 1] = [last[0] + char, width];
    else clusters.push([char, width]);
  }
  return clusters;
}

const WOMAN = '\u{1f469}';
const HEART = '\u2764';
const FIRE = '\u{1f525}';
const KA = '\u0915';
const SHA = '\u0937';
const VIRAMA = '\u094d';
const [D, E, F] = ['\u{1f1e9}', '\u{1f1ea}', '\u{1f1eb}'];

/** The clusters of a text, with their widths. */
const CASES: readonly (readonly [name: string, ...clusters: readonly (readonly [string, number])[]])[] = [
  ['letters and blanks', ['a', 1], [' ', 1], ['~', 1]],
  ['wide characters', ['\u4e2d', 2], ['\u6587', 2], ['a', 1]],
  ['a letter and its marks', ['e\u0301\u0323', 1], ['x', 1]],
  ['keycaps', ['0\ufe0f\u20e3', 2], ['9\ufe0f\u20e3', 2], ['#\ufe0f\u20e3', 2], ['*\ufe0f\u20e3', 2]],
  ['a digit whose mark ends the keycap', ['1\u0301\ufe0f', 1]],
  ['VS16 after a character that is not an emoji', ['a\ufe0f', 1], [':\ufe0f', 1], ['\u4e2d\ufe0f', 2]],
  ['VS16 after an emoji that is text', [`${HEART}\ufe0f`, 2], [HEART, 1]],
  ['VS16 after marks on an emoji', [`${HEART}\u0301\ufe0f`, 2]],
  ['VS16 after a joiner', [`${HEART}\u200d\ufe0f`, 1]],
  ['a skin tone', ['\u{1f44d}\u{1f3fd}', 2], ['\u261d\u{1f3fd}', 2]],
  ['a skin tone on a letter', ['a', 1], ['\u{1f3fd}', 2]],
  ['a skin tone on an emoji with marks', [`${WOMAN}\u0301\u{1f3fd}`, 2]],
  ['emoji joined by ZWJ', [`${WOMAN}\u200d${WOMAN}\u200d${WOMAN}`, 2], [WOMAN, 2]],
  [
    'emoji joined, narrow and wide',
    [`${HEART}\u200d${FIRE}`, 2],
    [`${FIRE}\u200d${HEART}`, 2],
    [`${HEART}\u200d${HEART}`, 1],
  ],
  ['emoji joined after marks, VS16 and skin tones', [`${WOMAN}\u0301\ufe0f\u{1f3fe}\u200d${FIRE}`, 2]],
  ['emoji after a joiner on a letter', ['a\u200d', 1], [WOMAN, 2]],
  ['emoji after two joiners', [`${WOMAN}\u200d\u200d`, 2], [WOMAN, 2]],
  ['emoji after a joiner and a mark', [`${WOMAN}\u200d\u0301`, 2], [WOMAN, 2]],
  ['emoji after a blank without width', [`${WOMAN}\u200b\u200d`, 2], [WOMAN, 2]],
  ['a letter after a joiner', [`${WOMAN}\u200d`, 2], ['a', 1]],
  ['flags', [D + E, 2], [F + D, 2], [E, 1]],
  ['halves of flags with something between', [`${D}\u0301`, 1], [E, 1], ['a', 1], [`${F}\u200d`, 1], [D, 1]],
  ['spacing marks up to two cells', [`${KA}\u093e`, 2], ['\u093e', 1], [KA, 1]],
  ['a spacing mark on a wide character', ['\u4e2d', 2], ['\u093e', 1]],
  ['a conjunct', [KA + VIRAMA + SHA, 2], [KA, 1], [SHA, 1]],
  ['a conjunct with a mark, a joiner and two linkers', [`${KA}\u093c${VIRAMA}\u200d${VIRAMA}\u093c${SHA}`, 2]],
  ['a conjunct of three consonants, of which only two fit', [KA + VIRAMA + SHA + VIRAMA, 2], [KA, 1]],
  ['a linker without a consonant before it', [`a${VIRAMA}`, 1], [SHA, 1]],
  ['a linker after a spacing mark', [`${KA}\u093e${VIRAMA}`, 2], [SHA, 1]],
  ['half width voicing marks', ['\uff76\uff9e', 2], ['\uff9e', 1], ['a\uff9e', 2]],
  ['a half width voicing mark on a wide character', ['\u4e2d', 2], ['\uff9e', 1]],
  ['jamo', ['\u1112\u1161\u11ab', 2], ['\u1112\u1161', 2], ['\u1112', 2], ['\u1112', 2]],
  [
    'syllables and jamo',
    ['\uac00\u11a8', 2],
    ['\uac01\u11a8\u11a8', 2],
    ['\uac00\u1161', 2],
    ['\uac00', 2],
    ['\uac01', 2],
  ],
  ['syllables after a leading jamo', ['\u1112', 2], ['\uac00', 2], ['\u1112', 2], ['\uac01', 2]],
  ['jamo without width on a letter', ['a\u1161\u11ab', 1], ['b', 1]],
  ['a character without width after any other', ['a\u200b', 1], ['\u4e2d\u200b', 2], [`${D}\u200b`, 1], [E, 1]],
];

test.each(CASES)('%s', (_, ...clusters) => {
  expect(clustersOf(clusters.map(([text]) => text).join(''))).toEqual(clusters);
});

describe('a character without width after an unknown cell', () => {
  test('takes a cell of its own at the start of a line', () => {
    expect(clustersOf('\u0301\u0302a', true)).toEqual([
      ['\u0301\u0302', 1],
      ['a', 1],
    ]);
    expect(joinWord(0x301, 0, () => true)).toBe(PLAIN_CELL);
  });

  test('joins the cell to the left elsewhere, without widening it', () => {
    for (const mark of ['\u0301', '\u200d', '\ufe0f', VIRAMA, '\u1161']) {
      for (const next of ['a', WOMAN, SHA, '\u093e', '\uff9e', '\u{1f3fd}', D]) {
        const width = codePointWidth(next.codePointAt(0) ?? 0);
        expect(clustersOf(mark + next, false), JSON.stringify(mark + next)).toEqual([
          [mark, 0],
          [next, width],
        ]);
      }
      expect(joinWord(mark.codePointAt(0) ?? 0, 0, () => false) & 1).toBe(1);
      expect(clustersOf(`${mark}\u0301\ufe0f\u200b`, false)).toEqual([[`${mark}\u0301\ufe0f\u200b`, 0]]);
    }
  });

  test('is the only case that asks for the start of a line', () => {
    const unasked = (): boolean => expect.unreachable();
    for (const char of ['a', '1', '\u4e2d', WOMAN, D, '\uff9e', '\u093e']) {
      expect(joinWord(char.codePointAt(0) ?? 0, 0, unasked) & 1, char).toBe(0);
    }
    expect(joinWord(0x301, PLAIN_CELL, unasked) & 1).toBe(1);
  });
});

test.each([
  [0x20, 1],
  [0x7e, 1],
  [0xad, 1],
  [0xe9, 1],
  [0x300, 0],
  [0x36f, 0],
  [0x200b, 0],
  [0x200d, 0],
  [0x2500, 1],
  [0x2e80, 2],
  [0x4e00, 2],
  [0x9fff, 2],
  [0xac00, 2],
  [0xd7a3, 2],
  [0xe000, 1],
  [0xf8ff, 1],
  [0xfe0f, 0],
  [0xff21, 2],
  [0xff76, 1],
  [0x1f1e9, 1],
  [0x1f600, 2],
  [0x20000, 2],
  [0x3fffd, 2],
  [0xe0100, 0],
  [0x10fffd, 1],
])('the code point %i takes %i cells', (codePoint, width) => {
  expect(codePointWidth(codePoint)).toBe(width);
});
