import { drawings } from './drawing.js';

// U+1FBF0-1FBF9: digits of a seven-segment display.

/** The segments a to g, clockwise from the top, then the middle. */
const SEGMENTS: Readonly<Record<string, string>> = {
  a: 'bold 30,12 70,12',
  b: 'bold 80,17 80,45',
  c: 'bold 80,55 80,83',
  d: 'bold 30,88 70,88',
  e: 'bold 20,55 20,83',
  f: 'bold 20,17 20,45',
  g: 'bold 30,50 70,50',
};

const DIGITS = ['abcdef', 'bc', 'abdeg', 'abcdg', 'bcfg', 'acdfg', 'acdefg', 'abc', 'abcdefg', 'abcdfg'];
const FIRST = 0x1fbf0;

export const digits = drawings(
  Object.fromEntries(
    DIGITS.map((lit, digit) => [FIRST + digit, Array.from(lit, (segment) => SEGMENTS[segment] ?? '').join(';')]),
  ),
);
