import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitize } from '../../../src/cli/output/sanitize.js';
import { anyText } from '../../support/any-text.js';

test.each([
  ['a sequence that clears the screen', '\x1b[2Jx', '\\u001b[2Jx'],
  ['a sequence that sets the title', '\x1b]0;evil\x07', '\\u001b]0;evil\\u0007'],
  ['a sequence that writes the clipboard', '\x1b]52;c;ZXZpbA==\x1b\\', '\\u001b]52;c;ZXZpbA==\\u001b\\'],
  ['a CSI of one byte', '\x9b2J', '\\u009b2J'],
  ['a carriage return', 'harmful\rharmless', 'harmful\\u000dharmless'],
  ['a character that reverses text', 'a\u202eb', 'a\\u202eb'],
  [
    'a link with a hidden control',
    '\x1b]8;;http://a\x07\x1b[2J\x1b\\',
    '\\u001b]8;;http://a\\u0007\\u001b[2J\\u001b\\',
  ],
])('%s is printed escaped', (_name, text, shown) => {
  expect(sanitize(text)).toBe(shown);
});

test.each([
  'plain\ttext\n',
  '\x1b[1;38:2::1:2:3mred\x1b[m',
  '\x1b#6wide',
  '\x1b]8;;http://a.example/\x1b\\x\x1b]8;;\x1b\\',
  'é中😀',
])('output of "text --ansi" passes unchanged: %j', (text) => {
  expect(sanitize(text)).toBe(text);
});

test('JSON keeps its value', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(JSON.parse(sanitize(JSON.stringify({ text })))).toEqual({ text });
    }),
  );
});
