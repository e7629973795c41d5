import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitize, sanitizeRow } from '../../../src/cli/output/sanitize.js';
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
  '\x1b]8;;http://a.example/\x1b\\x\x1b]8;;\x1b\\',
  '\x1b]8;id=1;HTTPS://a.example/\x1b\\x\x1b]8;;\x1b\\',
  '\x1b]8;;mailto:a@b.example\x1b\\x\x1b]8;;\x1b\\',
  'é中😀',
])('output of "text --ansi" passes unchanged: %j', (text) => {
  expect(sanitize(text)).toBe(text);
});

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'ssh://-oProxyCommand=x',
  'vscode://file/x',
  'data:text/html,x',
  '//a.example',
  'x',
  ' https://a.example',
  `https://a.example/${'x'.repeat(3000)}`,
])('a link to %j is text alone', (target) => {
  expect(sanitize(`\x1b]8;;${target}\x1b\\x\x1b]8;;\x1b\\`)).not.toContain('\x1b]8;;' + target[0]);
});

test('a link that is no web address leaves its text, and a line of another size is a line', () => {
  expect(sanitize('a\x1b]8;;file:///b\x1b\\c\x1b]8;;\x1b\\d')).toBe('ac\x1b]8;;\x1b\\d');
  expect(sanitize('\x1b#6wide\x1b#3')).toBe('wide');
});

test('what is not harmless is left out of a row of a screen, whose other cells keep their places', () => {
  expect(sanitizeRow('\x1b#6a\x07\u202eb\x1b[31mc\x1b[m\x1b[2J')).toBe('ab\x1b[31mc\x1b[m[2J');
});

test('JSON keeps its value', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(JSON.parse(sanitize(JSON.stringify({ text })))).toEqual({ text });
    }),
  );
});
