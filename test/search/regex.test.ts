import * as fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test, vi } from 'vitest';
import { re2 } from '../../src/search/re2.js';
import { Regex, type MatchSpan } from '../../src/search/regex.js';
import { internalsOf } from '../../src/search/regex-internals.js';
import { testInPieces } from '../../src/search/regex-states.js';
import { matchesInPieces } from '../../src/search/regex-threads.js';
import { indexOfText } from '../../src/search/text-work.js';
import { finish, STEPS_A_PIECE, type Work } from '../../src/search/work.js';
import { writtenSize } from '../../src/search/written-size.js';
import { runsOf } from '../support/trial.js';

const atom = fc.constantFrom(
  ...'a b x . (?s:.) [^a] [ab] \\w \\W \\s \\d \\b \\B ^ $ \\A \\z'.split(' '),
  ...'(?m:^) (?m:$) (?i:a) (?i:[a-x]) \\pL 世 😀 [^世] (?:) ab needle'.split(' '),
);
const count = fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{0,3}', '{2}', '{2,}', '{1,3}?');
const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.tuple(atom, count).map(([one, times]) => `(?:${one})${times}`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(${one}|${other})`),
    fc.tuple(tie('pattern'), count).map(([one, times]) => `(?:${one})${times}`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'x', 'A', ' ', '1', '_', '\n', '世', 'é', '😀', '\ud83d', '\ude00', 'needle'),
  maxLength: 30,
});

function compiled(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch {
    // Counts of counts may be too many.
    return undefined;
  }
}

function spansAtOnce(regex: RE2JS, searched: string): MatchSpan[] {
  const spans: MatchSpan[] = [];
  const matcher = regex.matcher(searched);
  while (matcher.find()) spans.push({ start: matcher.start(), end: matcher.end() });
  return spans;
}

function spansOf(matches: (take: (span: MatchSpan) => boolean) => Work<void>): MatchSpan[] {
  const spans: MatchSpan[] = [];
  finish(matches((span) => spans.push(span) > 0));
  return spans;
}

describe('a search in pieces', () => {
  test('finds the matches that RE2JS finds in one go', () => {
    fc.assert(
      fc.property(pattern, text, (source, searched) => {
        const regex = compiled(source);
        if (regex === undefined) return;
        const inPieces = spansOf((take) => matchesInPieces(internalsOf(regex), searched, take));
        expect(inPieces).toEqual(spansAtOnce(regex, searched));
        expect(finish(testInPieces(internalsOf(regex), searched))).toBe(regex.test(searched));
      }),
      { numRuns: runsOf({ suite: 360, trial: 2000 }) },
    );
  });

  test('finds the same matches in texts that are too long for one slice', () => {
    fc.assert(
      fc.property(pattern, text, text, fc.nat(3), (source, repeated, end, times) => {
        const regex = compiled(source);
        const searched = repeated.repeat(400 * times) + end;
        // What RE2JS finds in a long text takes it the square of the length with some patterns.
        if (regex === undefined || regex.programSize() > 200) return;
        const ours = new Regex({ text: source, field: 'regex' });
        const most = 20;
        const spans: MatchSpan[] = [];
        finish(ours.matches(searched, (span) => spans.push(span) < most));
        const matcher = regex.matcher(searched);
        const theirs: MatchSpan[] = [];
        while (theirs.length < most && matcher.find()) theirs.push({ start: matcher.start(), end: matcher.end() });
        expect(spans).toEqual(theirs);
        expect(finish(ours.test(searched))).toBe(regex.test(searched));
      }),
      { numRuns: 100 },
    );
  });
});

/** Each takes its whole program for each character of a text of `a`s, builds ever new sets of states, or is tried from everywhere. */
const HOSTILE = [
  '(?:[ab]?){990}[yz]',
  '(?:a|[ab]{2,3}){300}[yz]',
  '(?:a*)y|a',
  '(?:\\pL?){900}[yz]',
  '[ab]*a[ab]{12}[yz]',
  '.',
];

describe('a slow search pauses', () => {
  test.each(HOSTILE)('after a millisecond of steps with the pattern %s', (source) => {
    const regex = new Regex({ text: source, field: 'regex' });
    // Whatever one character takes may come on top.
    const most = 2 * STEPS_A_PIECE + 2 * regex.stepsFor(1);
    for (const work of [regex.test('ab'.repeat(500)), regex.matches('ab'.repeat(500), () => true)]) {
      let pauses = 0;
      for (let next = work.next(); next.done !== true && pauses < 200; next = work.next()) {
        expect(next.value).toBeLessThanOrEqual(most);
        pauses++;
      }
    }
  });

  test('while it searches for a fixed text', () => {
    const work = indexOfText('a'.repeat(100_000), `${'a'.repeat(500)}b${'a'.repeat(499)}`, 0);
    let pauses = 0;
    while (work.next().done !== true) pauses++;
    expect(pauses).toBeGreaterThan(10);
  });
});

test('a search in pieces finds a fixed text where indexOf finds it', () => {
  const unit = fc.constantFrom('a', 'b', 'ab'.repeat(2000), 'a'.repeat(5000));
  fc.assert(
    fc.property(
      fc.string({ unit, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1 }),
      fc.nat(),
      (searched, wanted, at) => {
        const from = at % (searched.length + 1);
        expect(finish(indexOfText(searched, wanted, from))).toBe(searched.indexOf(wanted, from));
      },
    ),
  );
});

describe('the size of a pattern with its repetitions written out', () => {
  test.each([
    ['abc', 3],
    ['(?:ab){3}', 9],
    ['[a-z{3}]{4}', 4],
    ['[]a]{4}', 4],
    ['[[:alpha:]x]{4}', 4],
    ['(?:(?:a{10}){10}){10}', 1110],
    ['a\\{9}', 4],
    ['a{,9}', 5],
    ['\\x{41}{5}', 5],
    ['\\p{Greek}{5}', 5],
    ['\\Qa{9}\\E{2}', 6],
    ['(?P<name>ab){2}', 6],
    ['(?i)a{5}', 5],
    ['x{3,}y{2,4}z{0}', 7],
    [')){9}', 10],
    [`[${'\\a'.repeat(400)}`, 401],
    ['[[:'.repeat(300), 900],
  ])('%s: %i', (source, size) => {
    expect(writtenSize(source)).toBe(size);
  });

  test('is never far below the size of the compiled program', () => {
    fc.assert(
      fc.property(pattern, (source) => {
        const regex = compiled(source);
        if (regex !== undefined) expect(regex.programSize()).toBeLessThanOrEqual(3 * writtenSize(source) + 10);
      }),
    );
  });

  test('is checked before a pattern of a million instructions would be compiled', () => {
    const compile = vi.spyOn(re2(), 'compile');
    const source = `(?:${'ab'.repeat(490)}){1000}`;
    expect(() => new Regex({ text: source, field: 'regex' })).toThrow(/too large when its repetitions are written out/);
    expect(compile).not.toHaveBeenCalled();
    expect(finish(new Regex({ text: 'ab', field: 'regex' }).test('ab'))).toBe(true);
    expect(compile).toHaveBeenCalledOnce();
    compile.mockRestore();
  });
});
