/** What lines of pixels become before they are coded: bytes, and repetitions of what came before. */
import { expect, test } from 'vitest';
import { DISTANCE_SYMBOLS, distanceSymbol, LENGTH_SYMBOL, LITERAL_SYMBOLS } from '../../../src/render/png/huffman.js';
import type { ScanLines } from '../../../src/render/png/lines.js';
import {
  DISTANCE_MASK,
  distanceCounts,
  LENGTH_SHIFT,
  literalCounts,
  MatchFinder,
} from '../../../src/render/png/matches.js';

/** A byte, or how many bytes are those that lie so far before them. */
type Token = number | readonly [length: number, distance: number];

/** In rounds: as many lines at a time as there is room for. */
function roundsOf(lines: ScanLines, room = 100_000): readonly (readonly Token[])[] {
  const finder = new MatchFinder(lines);
  const tokens = new Int32Array(room);
  const rounds: Token[][] = [];
  while (!finder.done) {
    let at = finder.position;
    const round: Token[] = [];
    for (const token of tokens.subarray(0, finder.next(tokens))) {
      if (token < 0) round.push(...lines.bytes.subarray(at, at - token));
      else round.push([token >>> LENGTH_SHIFT, token & DISTANCE_MASK]);
      at += token < 0 ? -token : token >>> LENGTH_SHIFT;
    }
    expect(finder.position).toBe(at);
    expectCounted(round);
    rounds.push(round);
  }
  expect(Buffer.from(bytesOf(rounds.flat())).equals(lines.bytes)).toBe(true);
  return rounds;
}

function tokensOf(lines: ScanLines): readonly Token[] {
  return roundsOf(lines).flat();
}

function bytesOf(tokens: readonly Token[]): number[] {
  const bytes: number[] = [];
  for (const token of tokens) {
    if (typeof token === 'number') bytes.push(token);
    else for (let left = token[0]; left > 0; left--) bytes.push(bytes[bytes.length - token[1]] ?? Number.NaN);
  }
  return bytes;
}

function expectCounted(tokens: readonly Token[]): void {
  const literals = new Int32Array(LITERAL_SYMBOLS);
  const distances = new Int32Array(DISTANCE_SYMBOLS);
  const count = (counts: Int32Array, symbol: number): void => {
    counts[symbol] = (counts[symbol] ?? 0) + 1;
  };
  for (const token of tokens) {
    count(literals, typeof token === 'number' ? token : (LENGTH_SYMBOL[token[0]] ?? 0));
    if (typeof token !== 'number') count(distances, distanceSymbol(token[1]));
  }
  expect(literalCounts).toEqual(literals);
  expect(distanceCounts).toEqual(distances);
}

/** Text: every character is a byte. */
function linesOf(texts: readonly string[], unit = 4, start = 1): ScanLines {
  const stride = texts[0]?.length ?? 0;
  return { bytes: Buffer.from(texts.join(''), 'latin1'), stride, start, unit, flat: false };
}

/** Bytes as letters. */
function shown(tokens: readonly Token[]): string {
  return tokens
    .map((token) => (typeof token === 'number' ? String.fromCharCode(token) : `(${token[0]} ${token[1]})`))
    .join('');
}

test.each<[string, readonly string[], string]>([
  ['nothing comes again', ['-abcdefgh'], '-abcdefgh'],
  ['a unit comes again', ['-abcdefghabcd'], '-abcdefgh(4 8)'],
  ['the unit before', ['-abcdabcd'], '-abcd(4 4)'],
  ['several units come again as one', ['-abcdefghabcdefgh'], '-abcdefgh(8 8)'],
  ['units go on into one another', ['-abcdabcdabcdabcd'], '-abcd(12 4)'],
  ['the latest of several', ['-abcdefghabcdijklabcd'], '-abcdefgh(4 8)ijkl(4 8)'],
  ['a unit that was matched as a part is found where it came first', ['-abcdefghabcdefghefgh'], '-abcdefgh(8 8)(4 12)'],
  ['units that begin alike are no matches', ['-abcdabce'], '-abcdabce'],
  ['units that end alike are no matches', ['-abcdxbcd'], '-abcdxbcd'],
  ['not between two units', ['-abcdeabcdfgh'], '-abcdeabcdfgh'],
  ['what is left over is not matched', ['-abcdabc'], '-abcdabc'],
  ['the line above', ['-abcdefgh', '-abcdefgh'], '-abcdefgh-(8 9)'],
  ['a part of the line above', ['-abcdefgh', '-abcdijkl'], '-abcdefgh-(4 9)ijkl'],
  ['the end of the line above', ['-abcdefgh', '-ijklefgh'], '-abcdefgh-ijkl(4 9)'],
  ['the last line again', ['-abcd', '-efgh', '-abcd'], '-abcd-efgh-(4 10)'],
  ['the line above before what came later', ['-abcdabcd', '-abcdefgh'], '-abcd(4 4)-(4 9)efgh'],
  ['a byte that comes once more, or twice', ['-aabbbc'], '-aabbbc'],
  ['a byte that comes three times more', ['-aaaa'], '-a(3 1)'],
  ['a byte at the beginning of lines', ['--------'], '-(7 1)'],
  ['a byte across lines', ['-----', '-----'], '-(9 1)'],
  ['a byte up to a unit', ['-abbbbbbbabcd'], '-ab(6 1)abcd'],
  ['repeats before a match', ['-abcdbbbbbbbbabcd'], '-abcdb(7 1)(4 12)'],
  ['two more before a match', ['-abcdefggabcdefgg'], '-abcdefgg(8 8)'],
])('repetitions are found by units: %s', (_, texts, expected) => {
  expect(shown(tokensOf(linesOf(texts)))).toBe(expected);
});

test('of two matches the longer one is taken, and of two equally long ones the line above', () => {
  const longer = ['-abcdefghijkl', '-mnopabcdefgh', '-abcdefghqrst'];
  expect(shown(tokensOf(linesOf(longer)))).toBe('-abcdefghijkl-mnop(8 17)-(8 9)qrst');
  const above = ['-abcdefghabcdijkl', '-abcdefghmnopqrst'];
  expect(shown(tokensOf(linesOf(above)))).toBe('-abcdefgh(4 8)ijkl-(8 17)mnopqrst');
});

test.each([
  [8, '-abcdefghabcdefghabcdxfgh', '-abcdefgh(8 8)abcdxfgh'],
  [8, '-aaaaaaaaaaaaaaaabbbbbbbb', '-a(15 1)b(7 1)'],
  [8, '-aaaaaaaaaaaaaaaaaaaabbbb', '-a(19 1)b(3 1)'],
  [12, '-abcdefghijklabcdefghijkl', '-abcdefghijkl(12 12)'],
  [12, '-abcdefghijklabcdXfghijkl', '-abcdefghijklabcdXfghijkl'],
  [12, '-aaaaaaaaaaaaaaaabaaaaaaa', '-aaaaaaaaa(7 1)baaaa(3 1)'],
  [12, '-aaaabbbbaaaaaaaabbbbaaaa', '-aaaabbbba(3 1)(12 12)'],
  [8, '-aaaaaaaabaaaaaaaabaaaaab', '-a(7 1)baaaa(4 1)baaaaab'],
  [8, '-baaaaaaaaaaaabbbaaabaaaa', '-baaaa(7 1)abbbaaaba(3 1)'],
  [6, '-abcdefabcdefghijkl', '-abcdef(6 6)ghijkl'],
  [5, '-abcdeabcde', '-abcde(5 5)'],
])('a unit of %i bytes is compared as a whole: %s', (unit, text, expected) => {
  expect(shown(tokensOf(linesOf([text], unit)))).toBe(expected);
});

test('bytes before the first unit are never matches', () => {
  expect(shown(tokensOf(linesOf(['abcdabcdefghefgh'], 4, 8)))).toBe('abcdabcdefgh(4 4)');
  expect(shown(tokensOf(linesOf(['abcdabcd'], 4, 0)))).toBe('abcd(4 4)');
});

test.each([
  [258, ['(258 1)']],
  [259, ['(256 1)', '(3 1)']],
  [260, ['(257 1)', '(3 1)']],
  [261, ['(258 1)', '(3 1)']],
  [600, ['(258 1)', '(258 1)', '(84 1)']],
])('a repetition of %i bytes is as few matches as can be, none shorter than three', (length, expected) => {
  const bytes = new Uint8Array(length + 1).fill(97);
  const tokens = tokensOf({ bytes, stride: bytes.length, start: 1, unit: 4, flat: false });
  expect(shown(tokens)).toBe(`a${expected.join('')}`);
});

/** Bytes without any repetition of four. */
function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => Math.imul(at + 1, 2_654_435_761) >>> 24));
}

test('a match reaches back as far as the window, and no farther', () => {
  const unit = Buffer.from('abcd');
  for (const [between, isMatched] of [
    [32_764, true],
    [32_768, false],
  ] as const) {
    const bytes = Buffer.concat([Buffer.from('-'), unit, Buffer.alloc(between, 'x'), unit]);
    const tokens = tokensOf({ bytes, stride: bytes.length, start: 1, unit: 4, flat: false });
    expect(tokens.some((token) => typeof token !== 'number' && token[1] !== 1)).toBe(isMatched);
  }
});

test.each([
  [32_768, true],
  [32_772, false],
])('the line above is compared if a line has %i bytes: %s', (stride, isSeen) => {
  const line = noise(stride);
  line.write('abcdefgh', 0);
  // What came last is as near as can be, but the line above goes on longer.
  line.write('abcd', stride - 4);
  const tokens = tokensOf({ bytes: Buffer.concat([line, line]), stride, start: 0, unit: 4, flat: false });
  expect(tokens.some((token) => typeof token !== 'number' && token[1] === 4)).toBe(!isSeen);
});

test('lines are taken while there is room, one at least', () => {
  const texts = ['-aaaa', '-bbbb', '-cccc', '-dddd'];
  const lines = ['-a(3 1)', '-b(3 1)', '-c(3 1)', '-d(3 1)'];
  const flat = { ...linesOf(texts), flat: true };
  expect(roundsOf(flat, 5).map(shown)).toEqual(lines);
  expect(roundsOf(flat, 6).map(shown)).toEqual(lines);
  expect(roundsOf(flat, 7).map(shown)).toEqual([`${lines[0]}${lines[1]}`, `${lines[2]}${lines[3]}`]);
  // A repetition has no token before its end is found.
  expect(roundsOf(linesOf(texts), 5).map(shown)).toEqual([`${lines[0]}${lines[1]}`, `${lines[2]}${lines[3]}`]);
  expect(roundsOf(linesOf(texts), 7).map(shown)).toEqual([`${lines[0]}${lines[1]}${lines[2]}`, lines[3]]);
});

test('repetitions over many lines have room too', () => {
  // Two tokens a line for a thousand lines, then blank lines up to the end of what is counted at a time.
  const stride = 1024;
  const bytes = new Uint8Array(stride * 2500);
  for (let line = 0; line < 1000; line++) bytes[line * stride + 1] = 1 + (line % 2);
  const rounds = roundsOf({ bytes, stride, start: 1, unit: 4, flat: false }, 8000);
  expect(rounds.length).toBeGreaterThan(1);
});

test('matches reach into earlier lines', () => {
  expect(roundsOf(linesOf(['-abcd', '-abcd', '-----']), 5).map(shown)).toEqual(['-abcd-(4 5)', '-(4 1)']);
});

test('a finder forgets earlier data', () => {
  tokensOf(linesOf(['-abcdefgh']));
  expect(shown(tokensOf(linesOf(['-ijklabcdefgh'])))).toBe('-ijklabcdefgh');
});

test.each([
  ['nothing', ['abcdefghi'], 'abcdefghi'],
  ['bytes', ['aaaabbbbb'], 'a(3 1)b(4 1)'],
  ['too few bytes', ['aaabbbccc'], 'aaabbbccc'],
  ['pixels', ['abcabcabc'], 'abc(6 3)'],
  ['one pixel', ['abcabcdef'], 'abc(3 3)def'],
  ['less than a pixel', ['abcabdef-'], 'abcabdef-'],
  ['a long run of bytes before any pixel', ['aaaaaaaaaaaaaab'], 'a(13 1)b'],
  ['the longer of the two', ['abbbbbbcbbb'], 'ab(5 1)cbbb'],
  ['pixels that go on longer than bytes', ['aaaabaaabaaab'.slice(0, 12)], 'a(3 1)baaabaaa'],
  ['no farther than the line', ['aaaaa', 'aaaaa'], 'a(4 1)(5 1)'],
  ['what lies in the line before', ['-abc', 'abcd'], '-abc(3 3)d'],
])('lines of differences repeat bytes and pixels: %s', (_, texts, expected) => {
  const tokens = tokensOf({ ...linesOf(texts), flat: true });
  expect(shown(tokens)).toBe(expected);
});

test('of a run of bytes and one of pixels the longer is taken, and a long one of bytes at once', () => {
  const flat = (text: string): string => shown(tokensOf({ ...linesOf([text]), flat: true }));
  expect(flat('xaaxaaxaaaaaa')).toBe('xaa(6 3)(4 1)');
  expect(flat('aabaabaabaab')).toBe('aab(9 3)');
});
