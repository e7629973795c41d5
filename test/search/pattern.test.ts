import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern, compileSearch, type Pattern } from '../../src/search/pattern.js';
import { finish } from '../../src/search/work.js';

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

test('the search skips no matching line', () => {
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

test('matches are reported from left to right, without empty ones', () => {
  const pattern = compilePattern({ text: 'a*', fixed: false, ignoreCase: true, field: 'pattern' });
  expect(matchesIn(pattern, 'xAaxa', 10)).toEqual([
    { start: 1, end: 3 },
    { start: 4, end: 5 },
  ]);
  expect(matchesIn(pattern, 'a a a', 2)).toHaveLength(2);
});

test('fixed text is not a pattern', () => {
  const pattern = compilePattern({ text: 'a.b', fixed: true, ignoreCase: true, field: 'pattern' });
  expect([finish(pattern.test('xA.Bx')), finish(pattern.test('axb'))]).toEqual([true, false]);
});

test.each([
  [{ fixed: true, ignoreCase: false }, [true, false, false]],
  [{ fixed: true, ignoreCase: true }, [true, true, false]],
  [{ fixed: false, ignoreCase: false }, [true, false, true]],
  [{ fixed: false, ignoreCase: true }, [true, true, true]],
])('%j: "a.b" is found as text, in capitals, and as a pattern: %j', (options, expected) => {
  const pattern = compilePattern({ text: 'a.b', field: 'pattern', ...options });
  expect(['xa.bx', 'A.B', 'acb'].map((line) => finish(pattern.test(line)))).toEqual(expected);
  expect(['xa.bx', 'A.B', 'acb'].map((line) => matchesIn(pattern, line, 1).length === 1)).toEqual(expected);
});

test('all places of a fixed text are reported without overlaps, up to a limit', () => {
  const pattern = compilePattern({ text: 'aa', fixed: true, ignoreCase: false, field: 'pattern' });
  expect(matchesIn(pattern, 'aaaaa', 10)).toEqual([
    { start: 0, end: 2 },
    { start: 2, end: 4 },
  ]);
  expect(matchesIn(pattern, 'aaaaa', 1)).toHaveLength(1);
  expect(matchesIn(pattern, 'b', 10)).toEqual([]);
});

test('the search skips lines without a match, also for patterns with line ends', () => {
  const lines = 'one\ntwo\nthree\n';
  for (const text of ['two', '^two$', 't(?:wo)', '\\bt\\w']) {
    const pattern = compilePattern({ text, fixed: false, ignoreCase: false, field: 'pattern' });
    expect(finish(pattern.passOver(lines, 0))).toBeGreaterThan(3);
    expect(finish(pattern.passOver(lines, 14))).toBe(-1);
  }
});

test('the search takes either a text or a pattern', () => {
  const names = { text: 'text', regex: 'regex' };
  const finds = (given: { text?: string; regex?: string }, line: string, ignoreCase = false): boolean =>
    finish(compileSearch(names, { text: undefined, regex: undefined, ...given }, ignoreCase).test(line));
  expect([finds({ text: 'a.' }, 'ab'), finds({ text: 'a.' }, 'a.'), finds({ text: 'A' }, 'a', true)]).toEqual([
    false,
    true,
    true,
  ]);
  expect([finds({ regex: 'a.' }, 'ab'), finds({ regex: 'A' }, 'a'), finds({ regex: 'A' }, 'a', true)]).toEqual([
    true,
    false,
    true,
  ]);
  for (const given of [{}, { text: 'a', regex: 'a' }]) {
    expect(() => finds(given, 'a')).toThrow(
      expect.objectContaining({
        code: 'invalid_field',
        details: expect.objectContaining({ field: 'text' }) as object,
      }) as Error,
    );
  }
  expect(() => finds({ regex: '(' }, 'a')).toThrow(
    expect.objectContaining({
      code: 'bad_regex',
      details: expect.objectContaining({ field: 'regex' }) as object,
    }) as Error,
  );
});
