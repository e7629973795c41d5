import { expect, test } from 'vitest';
import { expression, substituted, wildcard } from '../../src/tmux/wildcard.js';

test.each([
  ['*', '', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['[!a]b', 'ab', false],
  ['[a-c]b', 'bb', true],
  ['[', '[', true],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['a.c', 'abc', false],
])('the wildcard %s and %j: %s', (pattern, text, matches) => {
  expect(wildcard(pattern).test(text)).toBe(matches);
});

test('expressions know the classes of POSIX, and case', () => {
  expect(expression('^[[:alpha:]_]+$')?.test('a_B')).toBe(true);
  expect(expression('^[^[:space:]]+$')?.test('a b')).toBe(false);
  expect(expression('ABC', true)?.test('xabcx')).toBe(true);
  expect(expression('(', false)).toBeUndefined();
});

test('a pattern that would go back and forth without end takes no longer than another', () => {
  const text = `${'a'.repeat(60)}b`;
  expect(expression('(a+)+$')?.test(text)).toBe(false);
  expect(substituted(text, '(a+)+$', 'x', false)).toBe(text);
  expect(expression('a+b')?.test(text)).toBe(true);
});

test('the longest of several matches counts, as in POSIX', () => {
  expect(substituted('abcd', 'ab|abcd', 'x', false)).toBe('x');
});

test('places are replaced, with groups', () => {
  expect(substituted('one two', 'o(.)', '<\\1>', false)).toBe('<n>e two');
  expect(substituted('aXbX', 'x', '-', true)).toBe('a-b-');
  expect(substituted('aa', '^a', 'b', false)).toBe('ba');
});
