/** Output as text: no sequence is left, and none is split. */
import { array, assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { joinedBlanks, wholeLength, withoutEscapes } from '../../src/crew/tools/terminal-text.js';

test('sequences and controls are left out, text and line breaks stay', () => {
  const text =
    '\u001b]0;title\u0007a\u001b[1;31mb\u001b[0m\r\nc\u001bPq#1\u001b\\d\u001b(Be\tf\u0008\u0000\u001b]8;;http://x\u001b\\g\u001bkname\u001b\\h';
  expect(withoutEscapes(text)).toBe('ab\ncde\tfgh');
});

const PIECES = [
  'text',
  'é漢😀',
  '\r\n',
  '\u001b[31m',
  '\u001b[?2004h',
  '\u001b]0;a title\u0007',
  '\u001b]8;;http://x\u001b\\',
  '\u001b(B',
  '\u001bPq\u001b\\',
  '\u001bkname\u001b\\',
  '\u001bM',
];

test('output that is read in parts is the same text, wherever it is cut', () => {
  assert(
    property(array(constantFrom(...PIECES), { maxLength: 12 }), integer({ min: 8, max: 40 }), (pieces, size) => {
      const bytes = Buffer.from(pieces.join(''));
      let text = '';
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + size + 16);
        // The end of the output is whole, as it is once the program has ended.
        const length = at + part.length === bytes.length ? part.length : wholeLength(part, true);
        text += withoutEscapes(part.subarray(0, length).toString('utf8'));
        at += length;
      }
      expect(text).toBe(withoutEscapes(bytes.toString('utf8')));
    }),
    { numRuns: 2000 },
  );
});

test('a sequence without an end is read as text in the end', () => {
  const bytes = Buffer.from(`\u001b]0;${'x'.repeat(10_000)}`);
  expect(wholeLength(bytes, true)).toBe(bytes.length);
});

test('of several blank lines one is left, and none at the ends', () => {
  expect(joinedBlanks(['', 'a  ', '', '', '  ', 'b', '', ''])).toBe('a\n\nb');
});
