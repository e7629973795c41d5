import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { GlyphRasterizer } from '../../../src/render/glyphs/rasterizer.js';
import { type Glyph, STYLE_BOLD, STYLE_ITALIC, STYLE_WIDE } from '../../../src/render/glyphs/glyph.js';
import { FONTS_DIR } from '../support/test-renderer.js';
import { casesOf, runsOf } from '../../support/trial.js';

const press = new GlyphRasterizer(FONTS_DIR);

/** First and last; after the combining classes of UnicodeData.txt. */
const BLOCKS = [
  [0x300, 0x36f],
  [0x1ab0, 0x1ace],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20f0],
  [0xfe20, 0xfe2f],
] as const;
const GRAPHEME_JOINER = 0x34f;
const MARKS = BLOCKS.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at)).filter(
  (codePoint) => codePoint !== GRAPHEME_JOINER,
);
const ABOVE = [
  '\u0300',
  '\u0301',
  '\u0302',
  '\u0303',
  '\u0304',
  '\u0306',
  '\u0307',
  '\u0308',
  '\u030a',
  '\u0363',
  '\u1dc4',
  '\u20d7',
  '\ufe26',
];
const BELOW = ['\u0323', '\u0324', '\u0325', '\u0330', '\u0331', '\u0332', '\u0347', '\u1dca', '\u20ef', '\ufe2b'];
const OVER = ['\u0334', '\u0335', '\u0336', '\u0337', '\u0338', '\u20d2', '\u20d8', '\u20e5', '\u20eb'];
const AROUND = ['\u20dd', '\u20de', '\u20df', '\u20e0', '\u20e2', '\u20e3', '\u20e4'];
const STYLES = [0, STYLE_BOLD, STYLE_ITALIC, STYLE_BOLD | STYLE_ITALIC];
const CELL_WIDTHS = [4, 5, 7, 8, 10, 20, 64];
/** Of 15. */
const SEEN = 3;

function draw(text: string, cellWidth: number, style = 0): Glyph {
  const single = text.length === String.fromCodePoint(text.codePointAt(0)!).length;
  const grapheme = single ? text.codePointAt(0)! : text;
  return press.draw({ grapheme, style, cellWidth, cellHeight: cellWidth * 2, lineSize: 'single' });
}

function differs(a: Glyph, b: Glyph): boolean {
  return a.levels.some((level, at) => Math.abs(level - b.levels[at]!) >= SEEN);
}

/** Rows that hold ink, from and up to. */
function inkRows({ levels, width, height }: Glyph): { readonly top: number; readonly bottom: number } {
  const rows = Array.from({ length: height }, (_, y) =>
    levels.subarray(y * width, (y + 1) * width).some((ink) => ink >= SEEN),
  );
  return { top: rows.indexOf(true), bottom: rows.lastIndexOf(true) + 1 };
}

function inkColumns({ levels, width }: Glyph): { readonly left: number; readonly right: number } {
  const columns = Array.from({ length: width }, (_, x) => levels.some((ink, at) => at % width === x && ink >= SEEN));
  return { left: columns.indexOf(true), right: columns.lastIndexOf(true) + 1 };
}

/** Runs of rows that hold ink, with blank rows between them. */
function bandsOf({ levels, width, height }: Glyph): number {
  let bands = 0;
  let inked = false;
  for (let y = 0; y < height; y++) {
    const ink = levels.subarray(y * width, (y + 1) * width).some((level) => level >= SEEN);
    if (ink && !inked) bands++;
    inked = ink;
  }
  return bands;
}

test.each(casesOf(['a', 'o', 'x', 'I'], (letter) => letter === 'o'))('every combining mark is seen on %s, in every style', (letter) => {
  const lost: string[] = [];
  for (const [style, cellWidths] of [
    [0, [7, 8, 10, 20]],
    [STYLE_BOLD, [7, 8]],
    [STYLE_ITALIC, [8]],
    [STYLE_BOLD | STYLE_ITALIC, [8]],
  ] as const) {
    for (const cellWidth of cellWidths) {
      const bare = draw(letter, cellWidth, style);
      for (const mark of MARKS) {
        const glyph = draw(letter + String.fromCodePoint(mark), cellWidth, style);
        expect([glyph.width, glyph.height]).toEqual([cellWidth, cellWidth * 2]);
        if (!differs(glyph, bare)) lost.push(`U+${mark.toString(16)} style ${style} at ${cellWidth}`);
      }
    }
  }
  expect(lost).toEqual([]);
});

test('all marks above, and all below, differ on an o of 20x40', () => {
  for (const marks of [ABOVE, BELOW, OVER, AROUND]) {
    const drawn = marks.map((mark) => draw(`o${mark}`, 20));
    for (const [at, glyph] of drawn.entries()) {
      for (const [before, other] of drawn.slice(0, at).entries()) {
        expect(differs(glyph, other), `${marks[before]} and ${marks[at]}`).toBe(true);
      }
    }
  }
});

test.each(CELL_WIDTHS)('marks above are above the letter, and marks below are below it, in cells %i wide', (cellWidth) => {
  for (const style of STYLES) {
    const bare = inkRows(draw('o', cellWidth, style));
    for (const mark of ABOVE) {
      const { top } = inkRows(draw(`o${mark}`, cellWidth, style));
      expect(top, `U+${mark.codePointAt(0)!.toString(16)}`).toBeLessThan(bare.top);
    }
    for (const mark of BELOW) {
      const { bottom } = inkRows(draw(`o${mark}`, cellWidth, style));
      expect(bottom, `U+${mark.codePointAt(0)!.toString(16)}`).toBeGreaterThan(bare.bottom);
    }
  }
});

test.each(CELL_WIDTHS)('a mark above and one below are both visible in cells %i wide, in either order', (cellWidth) => {
  for (const style of STYLES) {
    for (const [letter, above, below] of [
      ['o', '\u0308', '\u0323'],
      ['a', '\u0301', '\u0323'],
      ['n', '\u0303', '\u0331'],
      ['v', '\u20d7', '\u0332'],
    ] as const) {
      const bare = inkRows(draw(letter, cellWidth, style));
      const glyph = draw(letter + above + below, cellWidth, style);
      const both = inkRows(glyph);
      expect(both.top).toBeLessThan(bare.top);
      expect(both.bottom).toBeGreaterThan(bare.bottom);
      for (const poorer of [letter, letter + above, letter + below]) {
        expect(differs(glyph, draw(poorer, cellWidth, style)), `${letter}${above}${below} and ${poorer}`).toBe(true);
      }
      expect(draw(letter + below + above, cellWidth, style)).toEqual(glyph);
    }
    expect(draw('\u00f6\u0323', cellWidth, style)).toEqual(draw('o\u0308\u0323', cellWidth, style));
  }
});

test('marks on one side are stacked, the first one next to the letter', () => {
  for (const cellWidth of [8, 10, 20, 64]) {
    expect(bandsOf(draw('o', cellWidth))).toBe(1);
    // The letter, and for each bar a row of its own with a blank one before it.
    expect(bandsOf(draw('o\u0304\u0305', cellWidth)), `two above at ${cellWidth}`).toBe(3);
    expect(bandsOf(draw('o\u0331\u0332', cellWidth)), `two below at ${cellWidth}`).toBe(3);
    expect(bandsOf(draw('x\u0304\u0305\u033f\u0331', cellWidth)), `all around at ${cellWidth}`).toBeGreaterThanOrEqual(
      5,
    );
  }
  expect(differs(draw('o\u0304\u0307', 8), draw('o\u0307\u0304', 8))).toBe(true);
});

test.each(CELL_WIDTHS)('each of three marks is visible in cells %i wide, on small letters and capitals', (cellWidth) => {
  const marks = ['\u0308', '\u0304', '\u0301'];
  for (const letter of ['o', 'I', 'g']) {
    const all = draw(letter + marks.join(''), cellWidth);
    for (const left of marks) {
      const without = draw(letter + marks.filter((mark) => mark !== left).join(''), cellWidth);
      expect(differs(all, without), `${letter} without U+${left.codePointAt(0)!.toString(16)}`).toBe(true);
    }
  }
});

test.each(CELL_WIDTHS)(
  'a mark over a letter crosses it and keeps its width, in cells %i wide',
  (cellWidth) => {
    const bare = draw('x', cellWidth);
    const columns = inkColumns(bare);
    for (const mark of OVER) {
      const glyph = draw(`x${mark}`, cellWidth);
      const kept = bare.levels.every((level, at) => glyph.levels[at]! >= level - 1);
      expect(kept, `U+${mark.codePointAt(0)!.toString(16)}`).toBe(true);
      const { left, right } = inkColumns(glyph);
      expect(left).toBeLessThanOrEqual(columns.left);
      expect(right).toBeGreaterThanOrEqual(columns.right);
    }
  },
);

test('an enclosing mark surrounds a smaller letter, in one cell or two', () => {
  for (const mark of AROUND) {
    for (const [letter, style] of [
      ['x', 0],
      ['漢', STYLE_WIDE],
    ] as const) {
      const { left, right } = inkColumns(draw(letter + mark, 20, style));
      const cells = style === STYLE_WIDE ? 2 : 1;
      expect([left <= 1, right >= 20 * cells - 1], `${letter}${mark}`).toEqual([true, true]);
      expect(differs(draw(letter + mark, 20, style), draw(` ${mark}`, 20, style)), `${letter}${mark}`).toBe(true);
    }
  }
});

test('a letter of each script shows each mark of its script', () => {
  const clusters: readonly (readonly [letter: string, marks: readonly string[]])[] = [
    ['ש', ['\u05c1', '\u05c2', '\u05bc', '\u05b8', '\u05c1\u05b8', '\u05bc\u05b7']],
    ['ב', ['\u05b0', '\u05b1', '\u05b4', '\u05b5', '\u05b6', '\u05b9', '\u05bb', '\u0591', '\u05a3']],
    ['ب', ['\u064b', '\u064c', '\u064d', '\u064e', '\u064f', '\u0650', '\u0651', '\u0652', '\u0651\u064e', '\u0670']],
    ['ل', ['\u064b', '\u064f', '\u0650', '\u0651', '\u0651\u064f']],
    [
      'ก',
      [
        '\u0e31',
        '\u0e34',
        '\u0e35',
        '\u0e37',
        '\u0e38',
        '\u0e39',
        '\u0e47',
        '\u0e48',
        '\u0e49',
        '\u0e4c',
        '\u0e35\u0e48',
      ],
    ],
    ['ป', ['\u0e34', '\u0e35', '\u0e38', '\u0e48', '\u0e35\u0e49', '\u0e39\u0e48']],
    [
      'क',
      [
        '\u093e',
        '\u093f',
        '\u0940',
        '\u0941',
        '\u0947',
        '\u0948',
        '\u0902',
        '\u0901',
        '\u093c',
        '\u094d',
        '\u094d\u0937',
        '\u0947\u0902',
      ],
    ],
    ['ক', ['\u0981', '\u09cd']],
    ['க', ['\u0bcd']],
  ];
  for (const cellWidth of [8, 10, 20]) {
    for (const [letter, marks] of clusters) {
      for (const style of [0, STYLE_BOLD, STYLE_WIDE]) {
        const drawn = ['', ...marks].map((mark) => ({ mark, glyph: draw(letter + mark, cellWidth, style) }));
        for (const [at, { mark, glyph }] of drawn.entries()) {
          for (const other of drawn.slice(0, at)) {
            expect(differs(glyph, other.glyph), `${letter}${mark} and ${letter}${other.mark} at ${cellWidth}`).toBe(
              true,
            );
          }
        }
      }
    }
  }
});

test('letters with high marks keep the whole mark on its own rows', () => {
  for (const [marked, letter] of [
    ['ĥ', 'h'],
    ['ḟ', 'f'],
    ['É', 'E'],
    ['Ñ', 'N'],
    ['Ẫ', 'A'],
    ['Ǟ', 'A'],
  ] as const) {
    for (const cellWidth of [7, 8, 10, 20]) {
      expect(differs(draw(marked, cellWidth), draw(letter, cellWidth)), `${marked} at ${cellWidth}`).toBe(true);
      expect(bandsOf(draw(marked, cellWidth)), `${marked} at ${cellWidth}`).toBeGreaterThan(1);
    }
  }
});

test.each([6, 7, 8, 9, 10, 11, 12, 16, 20])(
  'a capital with a mark above stays on the row of the bare one in cells %i wide, in every style',
  (cellWidth) => {
    for (const style of STYLES) {
      for (const marked of 'ÀÁÂÃÄÅÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜŨŮŘŠŽĤẼ') {
        const letter = marked.normalize('NFD').charAt(0);
        const { bottom } = inkRows(draw(marked, cellWidth, style));
        expect(bottom, `${marked}, style ${style}`).toBe(inkRows(draw(letter, cellWidth, style)).bottom);
      }
    }
  },
);

test('a capital with two marks above stays on its row, too, if half of the cell is enough', () => {
  for (const cellWidth of [8, 10, 20]) {
    for (const marked of 'ẾẤỖǕ') {
      const { bottom } = inkRows(draw('O', cellWidth));
      expect(inkRows(draw(marked, cellWidth)).bottom, `${marked} at ${cellWidth}`).toBe(bottom);
    }
  }
});

test('the bars of a capital that becomes lower for its mark keep their pixels', () => {
  for (const cellWidth of [7, 8]) {
    const [marked, bare] = [draw('É', cellWidth), draw('E', cellWidth)];
    const bars = ({ levels }: Glyph): string[] =>
      Array.from({ length: 2 * cellWidth }, (_, y) =>
        levels.subarray(y * cellWidth, (y + 1) * cellWidth).join(),
      ).filter((row) => row.split(',').filter((ink) => Number(ink) > 12).length > 3);
    expect(bars(marked)).toEqual(bars(bare));
    expect(bars(bare)).toHaveLength(3);
  }
});

test('a mark without a letter, and one of another script, are visible', () => {
  for (const cellWidth of [4, 8, 20]) {
    for (const mark of [...ABOVE, ...BELOW, ...OVER, ...AROUND]) {
      expect(inkRows(draw(mark, cellWidth)).bottom, mark).toBeGreaterThan(0);
      expect(inkRows(draw(` ${mark}`, cellWidth)).bottom, mark).toBeGreaterThan(0);
    }
    for (const mark of ['\u05b8', '\u064e', '\u0e48', '\u0902', '\u{1e8d0}']) {
      expect(differs(draw(`a${mark}`, cellWidth), draw('a', cellWidth)), `a${mark} at ${cellWidth}`).toBe(true);
    }
  }
});

test('a mark without a face is a small box in its place', () => {
  const bare = draw('a', 20);
  const glyph = draw('a\u1ad0', 20);
  expect(inkRows(glyph).top).toBeLessThan(inkRows(bare).top);
  expect(bandsOf(glyph)).toBe(2);
});

test('i and j lose their dots under a mark above, and keep them with one below', () => {
  expect(bandsOf(draw('j\u0304', 20))).toBe(2);
  expect(bandsOf(draw('j\u0331', 20))).toBe(3);
});

test('joiners and selectors do not change a letter', () => {
  for (const unseen of ['\u034f', '\u200d', '\ufe00', '\ufe0f', '\u{e0100}']) {
    expect(draw(`a${unseen}`, 10).levels, unseen.codePointAt(0)!.toString(16)).toEqual(draw('a', 10).levels);
  }
});

test('a letter with a thousand marks shows the first twelve', () => {
  const twelve = draw(`x${'\u0301'.repeat(12)}`, 20);
  expect(draw(`x${'\u0301'.repeat(1000)}`, 20)).toEqual(twelve);
  expect(differs(draw(`x${'\u0301'.repeat(11)}`, 20), twelve)).toBe(true);
});

test('any letter with any marks is a picture with ink in its cells', () => {
  const mark = fc.oneof(fc.constantFrom(...MARKS), fc.constantFrom(0x5b8, 0x64e, 0xe48, 0x902, 0x9cd, 0x1e8d0, 0x200d));
  const letter = fc.constantFrom(
    '',
    ' ',
    '_',
    '-',
    'g',
    'Ẫ',
    'é',
    '│',
    '█',
    'ש',
    'ل',
    'ก',
    'क',
    '漢',
    '한',
    '😀',
    '👍🏽',
    '\u{10ffff}',
  );
  const clusters = fc.tuple(letter, fc.array(mark, { minLength: 1, maxLength: 16 }));
  const widths = fc.constantFrom(4, 5, 6, 7, 8, 13, 20, 64);
  const styles = fc.integer({ min: 0, max: STYLE_BOLD | STYLE_ITALIC | STYLE_WIDE });
  fc.assert(
    fc.property(clusters, widths, styles, ([base, marks], cellWidth, style) => {
      const glyph = draw(base + String.fromCodePoint(...marks), cellWidth, style);
      expect([glyph.width, glyph.height]).toEqual([cellWidth * ((style & STYLE_WIDE) === 0 ? 1 : 2), cellWidth * 2]);
      const unseen = marks.every((codePoint) => codePoint === 0x200d) && base.trim() === '';
      if (!unseen) expect(Math.max(...glyph.levels)).toBeGreaterThan(0);
    }),
    { numRuns: runsOf({ suite: 12, trial: 60 }) },
  );
});

test('decomposed Hangul equals the composed syllable', () => {
  expect(draw('\u1112\u1161\u11ab', 10, STYLE_WIDE)).toEqual(draw('한', 10, STYLE_WIDE));
});

test('a mark around an emoji shows the emoji as text inside', () => {
  const glyph = draw('😀\u20e0', 20, STYLE_WIDE);
  expect(glyph.kind).toBe('mask');
  expect(differs(glyph, draw(' \u20e0', 20, STYLE_WIDE))).toBe(true);
});
