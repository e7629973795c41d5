/** Searches of texts that are too long for one slice: the shortcuts past text without a match lose no match. */
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { Regex, type RegexSource, type MatchSpan } from '../../src/search/regex.js';
import { finish } from '../../src/search/work.js';
import { indexOfText } from '../../src/search/text-work.js';

const FILL = 'x'.repeat(6000);
const TEXTS: Readonly<Record<string, string>> = {
  'nothing of it': FILL,
  'at the start': `needle7 ${FILL}`,
  'at the end': `${FILL} needle7`,
  'on a line of its own': `${FILL}\nneedle7\n${FILL}`,
  'in parts': `need${FILL}le ${FILL} needle`,
  'in another order': `other ${FILL} needle7`,
  'in capitals': `${FILL} NEEDLE7 Other`,
  'beside words': `${FILL}needle7 _needle needle7_ 7needle`,
  'among wide characters': `${'😀'.repeat(3000)}needle7😀`,
  'after a line feed': `${FILL}\n`,
};

const PATTERNS: readonly Omit<RegexSource, 'field'>[] = [
  { text: 'needle' },
  { text: String.raw`needle\d` },
  { text: 'needle.*other' },
  { text: 'other.*needle' },
  { text: '(?:needle|other)[7 ]' },
  { text: '[a-w]needle' },
  { text: '^needle' },
  { text: '^needle', multiline: true },
  { text: 'needle7$' },
  { text: 'needle7$', multiline: true },
  { text: '^$', multiline: true },
  { text: '$' },
  { text: String.raw`\Aneedle` },
  { text: String.raw`needle7\z` },
  { text: 'e^n' },
  { text: String.raw`\bneedle\b` },
  { text: String.raw`\Bneedle` },
  { text: String.raw`needle7\B` },
  { text: 'needle', ignoreCase: true },
  { text: 'NEEDLE7 O', fixed: true, ignoreCase: true },
  { text: '.', fixed: true },
  { text: '[^x]' },
  { text: '(?:need)?le' },
  { text: '[😀-😂]needle' },
  { text: '.needle' },
  { text: '(?s).needle' },
];

function reference({ text, fixed, ignoreCase, multiline }: Omit<RegexSource, 'field'>): RE2JS {
  const flags = (ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0) | (multiline === true ? RE2JS.MULTILINE : 0);
  return RE2JS.compile(fixed === true ? RE2JS.quote(text) : text, flags);
}

describe.each(PATTERNS)('the pattern %o', (source) => {
  const ours = new Regex({ ...source, field: 'regex' });
  const theirs = reference(source);

  test('finds in a long text the matches that RE2JS finds in one go', () => {
    for (const [name, searched] of Object.entries(TEXTS)) {
      const spans: MatchSpan[] = [];
      finish(ours.matches(searched, (span) => spans.push(span) < 4));
      const expected: MatchSpan[] = [];
      const matcher = theirs.matcher(searched);
      while (expected.length < 4 && matcher.find()) expected.push({ start: matcher.start(), end: matcher.end() });
      expect(spans, name).toEqual(expected);
      expect(finish(ours.test(searched)), name).toBe(expected.length > 0);
      const place = finish(ours.passOver(searched, 0));
      if (expected[0] === undefined) expect(place, name).toBe(-1);
      // Nothing ends before, and what may be passed over is nearly all.
      else expect([place <= expected[0].end, place >= expected[0].start], name).toEqual([true, true]);
    }
  });
});

describe('text without a match', () => {
  const regex = new Regex({ text: String.raw`needle\d`, field: 'regex' });

  test('is skipped from the given start', () => {
    const searched = `needle1 ${FILL}\n${FILL}needle2`;
    const from = FILL.length + 9;
    expect(finish(regex.passOver(searched, from))).toBe(searched.length);
    expect(finish(regex.passOver(searched, 0))).toBe('needle1'.length);
    expect(finish(regex.passOver(`needle1\n${FILL}`, 8))).toBe(-1);
  });

  test('is not skipped if the pattern has too many character ranges', () => {
    const wide = new Regex({ text: String.raw`(?:\pL\pN){9}`, field: 'regex' });
    expect(finish(wide.passOver(FILL, 7))).toBe(7);
  });
});

test('a search ends when its caller wants no further match, in short and in long texts', () => {
  const regex = new Regex({ text: 'ab?', field: 'regex' });
  for (const fill of ['', FILL]) {
    const spans: MatchSpan[] = [];
    finish(regex.matches(`a ab${fill}a`, (span) => spans.push(span) < 2));
    expect(spans).toEqual([
      { start: 0, end: 1 },
      { start: 2, end: 4 },
    ]);
  }
});

test('a pattern that matches the empty text matches between all characters', () => {
  const regex = new Regex({ text: 'z*', field: 'regex' });
  for (const [unit, width] of [
    ['x', 1],
    ['😀', 2],
  ] as const) {
    const starts: number[] = [];
    finish(regex.matches(unit.repeat(8000), ({ start, end }) => starts.push(start) < 3 && start === end));
    expect(starts).toEqual([0, width, 2 * width]);
  }
});

test.each([
  ['an invalid pattern', '(', /"field" is "\(": .*missing closing/],
  ['a pattern that is too large', '(?:a{500}){500}', /too large when its repetitions are written out/],
])('%s is refused with the field and a hint', (_, text, message) => {
  const details: unknown = expect.objectContaining({ field: 'field', hint: expect.stringContaining('RE2') as string });
  const expected = { code: 'bad_regex', message: expect.stringMatching(message) as string, details };
  expect(() => new Regex({ text, field: 'field' })).toThrow(expect.objectContaining(expected));
});

test('a fixed text is not limited by the repetitions that it would have as a pattern', () => {
  const text = '(a{900}){900}';
  const regex = new Regex({ text, fixed: true, field: 'text' });
  expect(finish(regex.test(`x${text}`))).toBe(true);
  expect(finish(regex.test('a'.repeat(900)))).toBe(false);
});

test('a text is found at the last position at which it can begin', () => {
  for (const length of [0, 999, 65_535, 65_536, 65_537, 131_072]) {
    const searched = `${'x'.repeat(length)}ab`;
    expect(finish(indexOfText(searched, 'ab', 0))).toBe(length);
    expect(finish(indexOfText(searched, 'ab', Math.max(0, length - 1)))).toBe(length);
    expect(finish(indexOfText(searched, 'ab', length + 1))).toBe(-1);
    expect(finish(indexOfText(searched, 'b', length + 1))).toBe(length + 1);
    expect(finish(indexOfText(searched, 'bx', 0))).toBe(-1);
  }
});
