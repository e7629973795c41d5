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

test('any bytes make a title of one bounded, well-formed line', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 1500 }), (raw) => {
      const title = sanitizeTitle(raw);
      expect(Array.from(title).length).toBeLessThanOrEqual(MAX_TITLE_LENGTH);
      expect(title).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      expect(sanitizeTitle(title)).toBe(title);
    }),
  );
});
