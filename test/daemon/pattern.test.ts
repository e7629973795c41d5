import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern, type Pattern } from '../../src/daemon/pattern.js';
import { finish } from '../../src/events/work.js';

const piece = fc.constantFrom(
  'a',
  'b',
  '.',
  'a*',
  '[^a]',
  '^',
  '$',
  '\\b',
  '\\s',
  '(?i)',
  '(?:ab)',
  '\\A',
  '\\z',
  '(?-m)^',
  '|',
  'x+',
  ' ',
);
const line = fc.string({ unit: fc.constantFrom('a', 'b', 'x', ' ', 'A'), maxLength: 6 });

function matchesIn(pattern: Pattern, searched: string, most: number): { start: number; end: number }[] {
  const matches: { start: number; end: number }[] = [];
  finish(pattern.matches(searched, (match) => matches.push(match) < most));
  return matches;
}

test('a text of many lines is never passed over when one of them matches', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.array(line, { maxLength: 8 }), (pieces, lines) => {
      const pattern = compilePattern({ text: pieces.join(''), fixed: false, ignoreCase: false, field: 'pattern' });
      const anyMatches = lines.some((one) => finish(pattern.test(one)));
      if (anyMatches) expect(finish(pattern.mayMatchIn(lines.map((one) => `${one}\n`).join('')))).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test('matches are told from left to right, without empty ones', () => {
  const pattern = compilePattern({ text: 'a*', fixed: false, ignoreCase: true, field: 'pattern' });
  expect(matchesIn(pattern, 'xAaxa', 10)).toEqual([
    { start: 1, end: 3 },
    { start: 4, end: 5 },
  ]);
  expect(matchesIn(pattern, 'a a a', 2)).toHaveLength(2);
});

test('fixed text is no pattern', () => {
  const pattern = compilePattern({ text: 'a.b', fixed: true, ignoreCase: true, field: 'pattern' });
  expect([finish(pattern.test('xA.Bx')), finish(pattern.test('axb'))]).toEqual([true, false]);
});
