import { expect, test } from 'vitest';
import { LiveText } from '../../../src/cli/output/live-text.js';

function live(...pieces: string[]): string {
  let printed = '';
  const text = new LiveText((bytes) => (printed += Buffer.from(bytes).toString()));
  for (const piece of pieces) text.write(new TextEncoder().encode(piece));
  text.end();
  return printed;
}

test('colours and lines that are written over pass as they are', () => {
  const output = '\x1b[1;31mred\x1b[0m\r\n50%\r\x1b[K100%\x1b[2D\x1b[1G\tx\b\n';
  expect(live(output)).toBe(output);
});

test('nothing else of a program acts on the terminal of a person', () => {
  const harmful =
    '\x1b[2J\x1b[5;5H\x1b[?25l\x1b[?1049hmenu\x1b[?1049l\x1b[3A\x1b[6n\x1bc\x1b]52;c;eA==\x07\x1b]0;t\x1b\\\x1bPq\x1b\\\x1bkname\x1b\\';
  expect(live(`a${harmful}b\x07\x0e\u009b2J\u202ec`)).toBe('ab2Jc\n');
  expect(live('a\x1b[', '2Jb\x1b]52;c;', 'eA==\x1b', '\\c')).toBe('abc\n');
});

test('a colour and a line that a program leaves open end with it', () => {
  expect(live('\x1b[31mred')).toBe('\x1b[31mred\x1b[m\n');
  expect(live('\x1b[31mred\x1b[m\r\n')).toBe('\x1b[31mred\x1b[m\r\n');
});
