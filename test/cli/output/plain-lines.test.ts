import { describe, expect, test } from 'vitest';
import { PlainLines } from '../../../src/cli/output/plain-lines.js';

/** As it is printed, whole and cut into single bytes: both must be the same. */
function plain(output: string): string {
  const printed = ['', ''].map((_, cuts) => {
    let text = '';
    const lines = new PlainLines((piece) => (text += piece));
    const bytes = new TextEncoder().encode(output);
    if (cuts === 0) lines.write(bytes);
    else for (const byte of bytes) lines.write(Uint8Array.of(byte));
    lines.end();
    return text;
  });
  expect(printed[1]).toBe(printed[0]);
  return printed[0] ?? '';
}

describe('the output of a program in a pipe', () => {
  test.each([
    ['colours', '\x1b[1;31mred\x1b[0m \x1b[38:2::1:2:3mx\x1b[m\n', 'red x\n'],
    ['line ends', 'a\r\nb\r\r\nc\n\n', 'a\nb\nc\n\n'],
    ['tabs', 'a\tb\r\n', 'a\tb\n'],
    ['a line without an end', 'a\nb', 'a\nb'],
    ['a progress bar', '10%\r50%\r100%\r\n', '100%\n'],
    ['a shorter text over a longer one', 'downloading\rdone\r\n', 'doneloading\n'],
    ['an erased line', 'downloading\r\x1b[Kdone\r\n', 'done\n'],
    ['erased parts', 'abcdef\x1b[3D\x1b[1K\x1b[2Cg\x1b[2K\x1b[1Gx\n', 'x\n'],
    ['columns', 'abc\x1b[2Gx\x1b[6Gy\n', 'axc  y\n'],
    ['overstrikes', '_\bu_\bn\n', 'un\n'],
    ['a spinner at the end', '|\b/\b-\b', '-'],
    [
      'titles, links and queries',
      '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\\x1bP+q544e\x1b\\c\x1b[6n\n',
      'abc\n',
    ],
    ['modes and charsets', '\x1b[?25l\x1b(B\x1b=\x1b[1;5r\x1b[>4;2ma\x1b[?25h\n', 'a\n'],
    ['a sequence that is aborted', '\x1b[31\x18a\x1b]0;t\x1ab\n', 'ab\n'],
    ['the alternate screen', 'a\n\x1b[?1049h\x1b[2J\x1b[5;5Hmenu\r\n\x1b[?1049lb\n', 'a\nb\n'],
    ['characters of several bytes', 'é漢字👍🏽\rx\n', 'x漢字👍🏽\n'],
    ['bells and other controls', 'a\x07\x00\x7fb\n', 'ab\n'],
    ['C1 controls', 'a\u009bb\n', 'ab\n'],
  ])('%s', (_, output, expected) => {
    expect(plain(output)).toBe(expected);
  });

  test('a line without an end is not kept beyond a mebibyte', () => {
    const printed: number[] = [];
    const lines = new PlainLines((text) => printed.push(text.length));
    for (let i = 0; i < 48; i++) lines.write(Buffer.alloc(65_536, 'x'));
    expect(printed.length).toBeGreaterThan(1);
    lines.end();
    expect(printed.reduce((sum, length) => sum + length, 0)).toBe(48 * 65_536);
  });

  test('a far column does not fill the memory', () => {
    expect(plain('\x1b[4000000000Gx\n').length).toBeLessThanOrEqual(1024 * 1024 + 2);
  });
});
