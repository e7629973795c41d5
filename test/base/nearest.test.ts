import { describe, expect, test } from 'vitest';
import { nearestWords } from '../../src/base/nearest.js';

const near = (word: string, ...known: string[]): string[] => nearestWords(word, known);

describe('the nearest word', () => {
  test.each([
    ['a letter too many', 'colss', 'cols'],
    ['a letter too few', 'cls', 'cols'],
    ['another letter', 'cole', 'cols'],
    ['two letters swapped', 'clos', 'cols'],
    ['other case', 'COLS', 'cols'],
  ])('is found with %s', (_, word, meant) => {
    expect(near(word, 'rows', 'cwd', meant, 'term')[0]).toBe(meant);
  });

  test('is at most a third of its length away, three letters at most, and one always', () => {
    expect(near('ab', 'xb')).toEqual(['xb']);
    expect(near('ab', 'xy')).toEqual([]);
    expect(near('abcde', 'abcxy')).toEqual([]);
    expect(near('abcdef', 'abcdxy')).toEqual(['abcdxy']);
    expect(near('abcdefghijkl', 'abcdefghixyz')).toEqual(['abcdefghixyz']);
    expect(near('abcdefghijkl', 'abcdefghwxyz')).toEqual([]);
    expect(near('screenshoot', 'screenshot')).toEqual(['screenshot']);
  });

  test('is followed by the next nearest, at most three in all', () => {
    expect(near('press', 'prexx', 'presx', 'press')).toEqual(['press', 'presx']);
    expect(near('aaaaaa', 'aaaaab', 'aaaabb', 'aaaaac', 'aaaaad', 'aaaaae')).toEqual(['aaaaab', 'aaaaac', 'aaaaad']);
    expect(nearestWords('aaaaaa', ['aaaaab', 'aaaaac'], 1)).toEqual(['aaaaab']);
  });

  test('is one with the same beginning if none is near and three letters are given', () => {
    expect(near('scr', 'screenshot', 'scrollback', 'shutdown')).toEqual(['screenshot', 'scrollback']);
    expect(near('sc', 'screenshot', 'scrollback')).toEqual([]);
    expect(near('SCR', 'screenshot')).toEqual(['screenshot']);
    expect(nearestWords('aaa', ['aaabbbbbb', 'aaacccccc', 'aaadddddd', 'aaaeeeeee'])).toHaveLength(3);
  });

  test('counts swaps once, also next to each other and at the beginning', () => {
    expect(near('abdc', 'abcd', 'abxx')).toEqual(['abcd']);
    expect(near('bacd', 'abcd')).toEqual(['abcd']);
    expect(near('badc', 'abcd')).toEqual([]);
  });

  test('of a text of any length costs no more than that of a long one', () => {
    expect(near('x'.repeat(1_000_000), 'y'.repeat(64))).toEqual([]);
    expect(near('x'.repeat(1_000_000), 'x'.repeat(64))).toEqual(['x'.repeat(64)]);
  });
});
