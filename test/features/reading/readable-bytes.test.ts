import { expect, test } from 'vitest';
import { hexSequence, readable, readableSequence } from '../../../src/features/reading/readable-bytes.js';

test.each([
  ['printable ASCII', 'a ~', 'a ~'],
  ['the bytes around it', '\x1f\x7f', String.raw`\x1f\x7f`],
  ['ESC, line feed, carriage return and tab', '\x1b\n\r\t', String.raw`\e\n\r\t`],
  ['a backslash', '\\n', String.raw`\\n`],
  ['a control with one digit', '\x07', String.raw`\x07`],
  ['the bytes of UTF-8', 'é', String.raw`\xc3\xa9`],
])('%s can be read', (_, text, expected) => {
  expect(readable(Buffer.from(text))).toBe(expected);
});

test.each([
  ['csi', '?1;2h', 'CSI ?1;2h', '1b5b3f313b3268'],
  ['esc', '#3', 'ESC #3', '1b2333'],
  ['osc', '9;\x07', String.raw`OSC 9;\x07`, '1b5d393b07'],
  ['dcs', '$qé', String.raw`DCS $q\xc3\xa9`, '1b502471c3a9'],
] as const)('a sequence %s is named in capitals, and its bytes begin with its introducer', (kind, text, name, hex) => {
  expect(readableSequence({ kind, text })).toBe(name);
  expect(hexSequence({ kind, text })).toBe(hex);
});
