import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_TITLE_LENGTH, sanitizeTitle } from '../../src/events/title.js';
import { anyText } from '../support/any-text.js';

test('a title keeps its letters and loses controls, line separators and direction marks', () => {
  expect(sanitizeTitle('vim src/main.rs — 日本 👩‍💻')).toBe('vim src/main.rs — 日本 👩‍💻');
  expect(sanitizeTitle('a\x1b[31mb\nc\u202ed\u2028e\x85f')).toBe('a[31mbcdef');
});

test('a long title is cut to its bound with an ellipsis, never within a character', () => {
  const cut = sanitizeTitle('😀'.repeat(5000));
  expect(Array.from(cut)).toHaveLength(MAX_TITLE_LENGTH);
  expect(cut.endsWith('😀…')).toBe(true);
});

/** Of any code points these would be too few to be tried. */
const MARKS = ['\u061c', '\u200e', '\u200f', '\u2028', '\u2029', '\u202a', '\u202e', '\u2066', '\u2069', '\n', '\x9b'];

test('any bytes make a title of one bounded, well-formed line', () => {
  const parts = fc.array(fc.oneof(anyText({ maxLength: 300 }), fc.constantFrom(...MARKS)), { maxLength: 10 });
  fc.assert(
    fc.property(parts, (texts) => {
      const raw = texts.join('');
      const title = sanitizeTitle(raw);
      expect(Array.from(title).length).toBeLessThanOrEqual(MAX_TITLE_LENGTH);
      expect(title).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      expect(sanitizeTitle(title)).toBe(title);
    }),
  );
});
