import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEscapes } from '../../../src/cli/argv/escapes.js';

function text(escaped: string): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(readEscapes(escaped));
}

describe('escapes in input', () => {
  test.each([
    ['ls\\n', 'ls\n'],
    ['\\r\\t\\e', '\r\t\x1b'],
    ['\\x03', '\x03'],
    ['\\x1b[A', '\x1b[A'],
    ['\\0', '\0'],
    ['\\033[A', '\x1b[A'],
    ['\\0339', '\x1b9'],
    ['\\08', '\x008'],
    ['\\u00e9', 'é'],
    ['\\ud83d\\ude00', '😀'],
    ['\\\\n', '\\n'],
    ['\\\\\\n', '\\\n'],
    ['plain é 😀', 'plain é 😀'],
    ['', ''],
  ])('%j is read as %j', (escaped, expected) => {
    expect(text(escaped)).toBe(expected);
  });

  test.each(['\\q', '\\x1', '\\xzz', '\\u12', '\\d+\\.\\w', 'C:\\Users', '\\', 'a\\'])(
    '%j stays as typed',
    (escaped) => {
      expect(text(escaped)).toBe(escaped);
    },
  );

  test('\\xHH is one byte, so that any bytes can be sent', () => {
    expect(readEscapes('\\xff\\x80a')).toEqual(Uint8Array.of(0xff, 0x80, 0x61));
    expect(text('\\xc3\\xa9')).toBe('é');
  });

  test('every byte string can be written with \\xHH', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const escaped = Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
        expect(readEscapes(escaped)).toEqual(bytes);
      }),
    );
  });

  test('doubled backslashes are read as single ones in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (typed) => {
        expect(text(typed.replaceAll('\\', '\\\\'))).toBe(typed);
      }),
    );
  });
});
