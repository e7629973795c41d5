/** Many texts looked for at once find what one search each would. */
import { describe, expect, test } from 'vitest';
import { Regex } from '../../src/search/regex.js';
import { seek } from '../../src/search/sought-texts.js';
import { TextSet } from '../../src/search/text-set.js';
import { finish } from '../../src/search/work.js';
import { Random } from '../../trials/support/random.js';

function textOf(random: Random, chars: string, length: number): string {
  return Array.from({ length }, () => random.pick(Array.from(chars))).join('');
}

describe('a set of texts', () => {
  test('finds those that a text holds: 3,000 random ones', () => {
    const random = new Random(1);
    for (let i = 0; i < 3000; i++) {
      const chars = i % 2 === 0 ? 'ab' : 'abcdé漢';
      const texts = Array.from({ length: 1 + random.below(8) }, () => textOf(random, chars, 1 + random.below(20)));
      const searched = textOf(random, chars, random.below(200));
      const found = new TextSet(texts).in(searched);
      if (found !== undefined)
        expect([...found].toSorted(), searched).toEqual(
          [...new Set(texts.filter((each) => searched.includes(each)))].toSorted(),
        );
    }
  });

  test('gives up where nearly every place may begin one of them', () => {
    const texts = Array.from({ length: 50 }, (_, i) => `${'a'.repeat(40)}${i}`);
    expect(new TextSet(texts).in('a'.repeat(10_000))).toBeUndefined();
    expect(new TextSet(texts).in('b'.repeat(10_000))).toEqual(new Set());
  });
});

describe('what a pattern requires', () => {
  test.each([
    ['^panic: .* at line 7$', [' at line 7']],
    ['foo|barr', ['foo', 'barr']],
    ['(foo|ba).*quux', ['quux']],
    ['[0-9]+', undefined],
    ['foo|[0-9]', undefined],
    ['(?i)panic', undefined],
  ])('%s', (text, required) => {
    expect(new Regex({ text, field: 'regex' }).requiredTexts).toEqual(required);
  });

  test('is in each text that it matches: 2,000 random ones', () => {
    const random = new Random(2);
    const parts = [
      'a',
      'b',
      'ab',
      '(ab|ba)',
      '(a|b)',
      '[ab]',
      'a?',
      '(ba)*',
      '(bb)+',
      '.',
      'a{2}',
      '^',
      '$',
      '(?i:AB)',
    ];
    let matches = 0;
    for (let i = 0; i < 2000; i++) {
      const regex = new Regex({
        text: Array.from({ length: 1 + random.below(5) }, () => random.pick(parts)).join(''),
        field: 'regex',
      });
      const searched = textOf(random, 'abAB', random.below(12));
      if (!finish(regex.test(searched))) continue;
      matches++;
      const { requiredTexts } = regex;
      if (requiredTexts !== undefined)
        expect(
          requiredTexts.some((each) => searched.includes(each)),
          searched,
        ).toBe(true);
    }
    expect(matches).toBeGreaterThan(500);
  });
});

describe('readers of one screen', () => {
  const long = (text: string): string => 'x'.repeat(2000) + text;

  test('each know whether theirs may be in what is new', () => {
    const screen = {};
    const [one, other] = [seek(screen, ['needle']), seek(screen, ['thread', 'pin'])];
    expect([one.mayBeIn(long('needle')), other.mayBeIn(long('needle'))]).toEqual([true, false]);
    expect([one.mayBeIn(long('a pin')), other.mayBeIn(long('a pin'))]).toEqual([false, true]);
    expect([one.mayBeIn('needle'), other.mayBeIn('needle')]).toEqual([true, false]);
  });

  test('come and go', () => {
    const screen = {};
    const [one, same] = [seek(screen, ['needle']), seek(screen, ['needle'])];
    one.dispose();
    one.dispose();
    expect(same.mayBeIn(long('needle'))).toBe(true);
    const late = seek(screen, ['pin']);
    expect([late.mayBeIn(long('pin')), late.mayBeIn(long('needle'))]).toEqual([true, false]);
  });
});
