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

test('no line of a text is passed over that matches', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.constantFrom(['ab'], ['a', '[^b]*', 'b'], ['a', '$']),
      ),
      fc.array(line, { maxLength: 8 }),
      fc.record({ fixed: fc.boolean(), ignoreCase: fc.boolean() }),
      (pieces, lines, options) => {
        const pattern = compilePattern({ text: pieces.join(''), ...options, field: 'pattern' });
        const text = lines.map((one) => `${one}\n`).join('');
        let start = 0;
        for (const [i, one] of lines.entries()) {
          const place = finish(pattern.passOver(text, start));
          const end = start + one.length;
          const first = lines.slice(i).findIndex((later) => finish(pattern.test(later)));
          if (first === -1) continue;
          // Not behind the line feed of the first line that matches.
          const most = start + lines.slice(i, i + first + 1).join('\n').length;
          expect(place).toBeGreaterThanOrEqual(start);
          expect(place).toBeLessThanOrEqual(most);
          start = end + 1;
        }
      },
    ),
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
