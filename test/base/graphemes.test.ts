import { expect, test } from 'vitest';
import { graphemesOf } from '../../src/base/graphemes.js';

test.each([
  ['', []],
  ['ab c', ['a', 'b', ' ', 'c']],
  ['e\u0301a', ['e\u0301', 'a']],
  ['漢字', ['漢', '字']],
  ['👩‍👩‍👧x', ['👩‍👩‍👧', 'x']],
  ['🇩🇪🇫🇷', ['🇩🇪', '🇫🇷']],
  ['a\r\nb', ['a', '\r\n', 'b']],
])('%j is one character for a person', (text, expected) => {
  expect([...graphemesOf(text)]).toEqual(expected);
});
