import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkWidths } from '../../../src/vt/xterm/width-check.js';
import { graphemeAt, type SnapshotRow } from '../../../src/vt/snapshot.js';
import { openScreen, show, textOf } from '../screens.js';
import { runsOf } from '../../support/trial.js';

/** Text, and how its clusters share the cells: the width of each. */
const CLUSTERS: readonly (readonly [name: string, text: string, widths: readonly number[]])[] = [
  ['ASCII', 'a1#', [1, 1, 1]],
  ['Latin with a combining accent', 'e\u0301x', [1, 1]],
  ['three marks on one letter', 'o\u0302\u0323\u0304', [1]],
  ['CJK', '\u4e2d\u6587', [2, 2]],
  ['full width', '\uff21', [2]],
  ['half width katakana with a voicing mark', '\uff76\uff9e', [2]],
  ['ambiguous', '\u00b1\u2026\u2500', [1, 1, 1]],
  ['private use', '\ue0b0', [1]],
  ['emoji', '\u{1f600}\u{1f680}', [2, 2]],
  ['a recent emoji', '\u{1fae8}', [2]],
  ['text-style heart', '\u2764', [1]],
  ['heart with VS16', '\u2764\ufe0f', [2]],
  ['heart with VS15', '\u2764\ufe0e', [1]],
  ['emoji with VS15 keeps its cells', '\u231a\ufe0e', [2]],
  ['warning sign with VS16', '\u26a0\ufe0fx', [2, 1]],
  ['copyright with VS16', '\u00a9\ufe0f', [2]],
  ['VS16 after a character that is not an emoji', 'a\ufe0f', [1]],
  ['keycap', '1\ufe0f\u20e3', [2]],
  ['keycap without VS16', '#\u20e3', [1]],
  ['skin tone', '\u{1f44d}\u{1f3fd}', [2]],
  ['skin tone on a text-style hand', '\u261d\u{1f3fd}', [2]],
  ['skin tone on a letter stands alone', 'a\u{1f3fd}', [1, 2]],
  ['family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}', [2]],
  ['astronaut with a skin tone', '\u{1f469}\u{1f3fe}\u200d\u{1f680}', [2]],
  ['heart on fire', '\u2764\ufe0f\u200d\u{1f525}', [2]],
  ['rainbow flag', '\u{1f3f3}\ufe0f\u200d\u{1f308}', [2]],
  ['flag of England', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', [2]],
  ['ZWJ between letters', 'a\u200db', [1, 1]],
  ['flag', '\u{1f1e9}\u{1f1ea}', [2]],
  ['two flags', '\u{1f1e9}\u{1f1ea}\u{1f1eb}\u{1f1f7}', [2, 2]],
  ['three indicators', '\u{1f1e9}\u{1f1ea}\u{1f1eb}', [2, 1]],
  ['Hangul syllable', '\ud55c\uae00', [2, 2]],
  ['Hangul jamo', '\u1112\u1161\u11ab\u1100', [2, 2]],
  ['Devanagari with vowel signs', '\u0928\u092e\u0938\u094d\u0924\u0947', [1, 1, 2]],
  ['Devanagari conjunct', '\u0915\u094d\u0937', [2]],
  ['Devanagari spacing vowel', '\u0915\u093e', [2]],
  ['a third spacing mark stands alone', '\u0915\u093e\u093e', [2, 1]],
  ['Thai with marks above', '\u0e01\u0e34\u0e48', [1]],
  ['Thai sara am', '\u0e17\u0e33', [2]],
  ['Arabic with marks', '\u0628\u064e\u0651', [1]],
  ['Hebrew with points', '\u05e9\u05c1\u05b8', [1]],
  ['zero width space', 'a\u200bb', [1, 1]],
  ['soft hyphen', '\u00ad', [1]],
];

test.each(CLUSTERS)('%s', async (_, text, widths) => {
  const { lines, cursor } = await show(openScreen({ cols: 40 }), text);
  const clusters = clustersOf(lines[0]!).slice(0, widths.length);
  expect(clusters.map((cluster) => cluster.width)).toEqual(widths);
  expect(clusters.map((cluster) => cluster.text).join('')).toBe(text);
  expect(cursor.col).toBe(widths.reduce((sum, width) => sum + width, 0));
});

function clustersOf(row: SnapshotRow): { text: string; width: number }[] {
  const clusters: { text: string; width: number }[] = [];
  for (let col = 0; col * 4 < row.cells.length; col++) {
    const width = (row.cells[col * 4 + 3]! >> 8) & 3;
    if (width !== 0) clusters.push({ text: graphemeAt(row, col), width });
  }
  return clusters;
}

test('the check at the start finds no error', () => {
  expect(checkWidths()).toBeUndefined();
});

test('a mark after a cursor move or a colour joins the cell to the left, and the next character does not', async () => {
  const screen = openScreen();
  expect(textOf(await show(screen, 'abc\x1b[1;2H\u0301'))[0]).toBe('a\u0301bc');
  expect(textOf(await show(screen, '\x1b[1;4He\x1b[31m\u0301x'))[0]).toBe('a\u0301bce\u0301x');
  expect(textOf(await show(screen, '\x1b[2;1H\u4e2d\x1b[0m\u0302z'))[1]).toBe('\u4e2d\u0302z');
});

test('a mark at the start of a line takes a cell of its own', async () => {
  const { lines, cursor } = await show(openScreen(), '\u0301a');
  expect(clustersOf(lines[0]!).slice(0, 2)).toEqual([
    { text: '\u0301', width: 1 },
    { text: 'a', width: 1 },
  ]);
  expect(cursor.col).toBe(2);
});

test('a character that VS16 makes wide in the last column moves to the next line', async () => {
  const snapshot = await show(openScreen({ cols: 4 }), 'abc\u2764\ufe0fx');
  expect(textOf(snapshot).slice(0, 2)).toEqual(['abc', '\u2764\ufe0fx']);
  expect(snapshot.lines[1]!.wrapped).toBe(true);
});

test('clusters stay complete when their code points arrive one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...CLUSTERS), async ([, text]) => {
      const whole = openScreen();
      const cut = openScreen();
      const expected = textOf(await show(whole, text));
      for (const char of text) await show(cut, char);
      expect(textOf(cut.snapshot())).toEqual(expected);
      whole.dispose();
      cut.dispose();
    }),
  );
});

/** Parts whose rules have been the same in every Unicode version that a supported Node may have. */
const SEGMENTED = fc.constantFrom(
  'a',
  '\u0301',
  '\u4e2d',
  '\u{1f600}',
  '\u{1f44d}',
  '\u200d',
  '\ufe0f',
  '\u{1f1e9}',
  '\u{1f1ea}',
  '\u1112\u1161',
  '\u1112\u1161\u11ab',
  '\uac00\u11a8',
  '\uac01',
);

test('clusters equal those of a segmenter of UAX #29', async () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  await fc.assert(
    fc.asyncProperty(fc.array(SEGMENTED, { minLength: 1, maxLength: 10 }), async (parts) => {
      const text = `.${parts.join('')}`;
      const screen = openScreen({ cols: 60 });
      const { lines } = await show(screen, text);
      const expected = Array.from(segmenter.segment(text), ({ segment }) => segment);
      const found = clustersOf(lines[0]!).map((cluster) => cluster.text);
      expect(found.slice(0, expected.length)).toEqual(expected);
      screen.dispose();
    }),
    { numRuns: runsOf({ suite: 200, trial: 500 }) },
  );
});
