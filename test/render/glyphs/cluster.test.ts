/** Which marks are put on a letter one by one, and where they stand. */
import { describe, expect, test } from 'vitest';
import { clusterOf } from '../../../src/render/glyphs/cluster.js';
import { isPlacedMark, isSeenMark, type MarkAnchor, placeOf } from '../../../src/render/fonts/combining-marks.js';

const ALL = (): boolean => true;
const NONE = (): boolean => false;
const codes = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0)!);

describe('a cluster', () => {
  test.each([
    ['a letter', 'a', 'a', ''],
    ['a letter that is one character with its mark', 'e\u0301', 'é', ''],
    ['a letter that is none with its mark', 'x\u0301', 'x', '\u0301'],
    ['a letter that is one with the first of its marks', 'e\u0301\u0332', 'é', '\u0332'],
    ['marks alone', '\u0301\u0323', '', '\u0323\u0301'],
    ['a mark alone, which has another width when it is composed', '\u0340', '', '\u0340'],
    ['an ideograph that is composed as another', '\uf900', '\uf900', ''],
    ['marks out of order', 'x\u0301\u0323', 'x', '\u0323\u0301'],
    ['what is not to be seen among the marks', 'x\u0301\u034f\u0302', 'x', '\u0301\u0302'],
    ['marks of the script of their letter, which its face places', 'ש\u05b8', 'ש\u05b8', ''],
    ['a mark of no script upon a letter of another', 'ש\u0301', 'ש', '\u0301'],
    ['a mark of another script upon a letter of fixed pitch', 'a\u05b8', 'a', '\u05b8'],
    ['a letter of Greek', 'α\u064e', 'α', '\u064e'],
    ['a letter of Cyrillic', 'ж\u064e', 'ж', '\u064e'],
  ])('is decomposed: %s', (_, text, letter, marks) => {
    expect(clusterOf(text, ALL)).toEqual({ letter, marks: codes(marks) });
  });

  test('is decomposed further if only its parts are drawn well', () => {
    const onlyBare = (text: string): boolean => text === 'e' || text === 'ê';
    expect(clusterOf('é', onlyBare)).toEqual({ letter: 'e', marks: [0x301] });
    expect(clusterOf('e\u0301', onlyBare)).toEqual({ letter: 'e', marks: [0x301] });
    expect(clusterOf('ê', onlyBare)).toEqual({ letter: 'ê', marks: [] });
    expect(clusterOf('ế', onlyBare)).toEqual({ letter: 'e', marks: [0x302, 0x301] });
  });

  test('stays composed if its parts are drawn no better', () => {
    expect(clusterOf('é', NONE)).toEqual({ letter: 'é', marks: [] });
    expect(clusterOf('e\u0301', NONE)).toEqual({ letter: 'é', marks: [] });
    expect(clusterOf('漢', NONE)).toEqual({ letter: '漢', marks: [] });
    expect(clusterOf('한', (text) => text !== '한')).toEqual({ letter: '한', marks: [] });
  });

  test.each([
    ['i\u0304\u0323', 'ị', '\u0304'],
    ['i\u20d7', '\u0131', '\u20d7'],
    ['j\u0304', '\u0237', '\u0304'],
    ['j\u0331', 'j', '\u0331'],
    ['j\u0334', 'j', '\u0334'],
    ['j\u20dd', 'j', '\u20dd'],
    ['j\u0331\u0304', '\u0237', '\u0331\u0304'],
    ['x\u0304', 'x', '\u0304'],
  ])('has no dot under a mark above it: %j', (text, letter, marks) => {
    expect(clusterOf(text, ALL)).toEqual({ letter, marks: codes(marks) });
  });
});

describe('a mark', () => {
  test.each<[number, MarkAnchor['where'], MarkAnchor['side'], boolean]>([
    [0x301, 'above', 'middle', false],
    [0x305, 'above', 'whole', false],
    [0x315, 'above', 'right', false],
    [0x316, 'below', 'middle', false],
    [0x31b, 'above', 'right', true],
    [0x327, 'below', 'middle', true],
    [0x332, 'below', 'whole', false],
    [0x334, 'over', 'middle', false],
    [0x336, 'over', 'whole', false],
    [0x358, 'above', 'right', false],
    [0x488, 'around', 'middle', false],
    [0x1abe, 'around', 'middle', false],
    [0x1ab5, 'below', 'middle', false],
    [0x1dce, 'above', 'middle', true],
    [0x1df6, 'above', 'right', false],
    [0x1df7, 'above', 'left', false],
    [0x1dfa, 'below', 'left', false],
    [0x20d2, 'over', 'middle', false],
    [0x20dd, 'around', 'middle', false],
    [0x20e5, 'over', 'middle', false],
    [0x20ec, 'below', 'middle', false],
    [0xfe26, 'above', 'whole', false],
    [0xfe2d, 'below', 'whole', false],
  ])('%i stands %s its letter, %s, and grows out of it: %s', (codePoint, where, side, attached) => {
    expect(isPlacedMark(codePoint)).toBe(true);
    for (const seen of ['above', 'below'] as const) expect(placeOf(codePoint, seen)).toEqual({ where, side, attached });
  });

  test('of a script is where its face draws it', () => {
    for (const codePoint of [0x5b8, 0x64e, 0xe38, 0x941]) {
      expect(isPlacedMark(codePoint)).toBe(false);
      expect(placeOf(codePoint, 'above').where).toBe('above');
      expect(placeOf(codePoint, 'below')).toEqual({ where: 'below', side: 'middle', attached: false });
    }
  });

  test('belongs to no script only in these blocks', () => {
    const edges = [
      0x2ff, 0x300, 0x36f, 0x370, 0x482, 0x483, 0x489, 0x48a, 0x20cf, 0x20d0, 0x20f0, 0x20f1, 0xfe1f, 0xfe20,
    ];
    expect(edges.filter(isPlacedMark)).toEqual([0x300, 0x36f, 0x483, 0x489, 0x20d0, 0x20f0, 0xfe20]);
    expect([0, 0x41, 0x1f600].filter(isPlacedMark)).toEqual([]);
  });

  test('is visible unless it joins, selects or is unassigned', () => {
    expect([0x301, 0x1ad0, 0x5b8, 0x64e, 0xe38, 0x93e, 0x1e8d0].filter((mark) => !isSeenMark(mark))).toEqual([]);
    expect([0x34f, 0x200d, 0xfe0f, 0xe0100, 0x180b, 0x41, 0x20, 0x6f22].filter(isSeenMark)).toEqual([]);
  });
});
