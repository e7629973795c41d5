/** Lines of a full scrollback are reused: no old content may stay, and their empty parts stay the same objects. */
import { expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import type { RawLine } from '../../../src/vt/xterm/internals.js';

const ROWS = 3;
const SCROLLBACK = 2;
const LINES = ROWS + SCROLLBACK;

function full(line: string): Emulator {
  const emulator = new Emulator({ cols: 10, rows: ROWS, scrollback: SCROLLBACK });
  emulator.parse(`${line}\r\n`.repeat(2 * LINES));
  return emulator;
}

function linesOf({ buffer }: Emulator): RawLine[] {
  return Array.from({ length: buffer.lines.length }, (_, index) => buffer.lines.get(index)).filter(
    (line) => line !== undefined,
  );
}

test.each([
  ['combined characters', 'e\u0301e\u0301'],
  ['a hyperlink', '\x1b]8;;http://a.example\x07link\x1b]8;;\x07'],
  ['a coloured underline', '\x1b[4:3;58;5;1mx\x1b[0m'],
  ['a colour up to its end', '\x1b[41mx\x1b[K\x1b[0m'],
  ['the rest of a long line', 'x'.repeat(25)],
])('a reused line with %s has only the text that is printed next', (_, line) => {
  const emulator = full(line);
  emulator.parse('ab\r\n'.repeat(2 * LINES));
  const fresh = full('ab');
  expect(linesOf(emulator).map((each) => each._data.join())).toEqual(linesOf(fresh).map((each) => each._data.join()));
  for (const each of linesOf(emulator)) {
    expect(each).toMatchObject({ isWrapped: false, length: 10 });
    expect([each._combined, each._extendedAttrs]).toEqual([{}, {}]);
  }
});

test('a plain line keeps its empty parts as the same objects', () => {
  const emulator = full('ab');
  const parts = new Set(linesOf(emulator).flatMap((line) => [line._combined, line._extendedAttrs]));
  expect(parts.size).toBe(2 * LINES);
  emulator.parse('cd\r\n'.repeat(10 * LINES));
  expect(linesOf(emulator).every((line) => parts.has(line._combined) && parts.has(line._extendedAttrs))).toBe(true);
});

test.each([
  ['plain on plain', 'ab', 'cd'],
  ['joined characters on plain', 'ab', 'e\u0301'],
  ['plain on joined characters', 'e\u0301', 'ab'],
  ['a link on plain', 'ab', '\x1b]8;;http://a.example\x07x'],
  ['plain on a coloured underline', '\x1b[4:3;58;5;1mx', 'ab'],
  ['a wrapped row on one that is not wrapped', 'ab', 'x'.repeat(25)],
])('a line copied over another equals its source: %s', (_, below, above) => {
  const [to, from] = [below, above].map((text) => {
    const emulator = new Emulator({ cols: 10, rows: ROWS, scrollback: 0 });
    emulator.parse(text);
    return emulator.buffer.lines.get(text.length > 20 ? 1 : 0)!;
  });
  to!.copyFrom(from!);
  expect(to).toMatchObject({ length: 10, isWrapped: from!.isWrapped, _combined: from!._combined });
  expect(to!._data).toEqual(from!._data);
  expect(to!._data).not.toBe(from!._data);
  expect(Object.keys(to!._extendedAttrs)).toEqual(Object.keys(from!._extendedAttrs));
});

test('a line copied over one of another length has the length of its source', () => {
  const [short, long] = [5, 30].map((cols) => {
    const emulator = new Emulator({ cols, rows: ROWS, scrollback: 0 });
    emulator.parse('x'.repeat(cols));
    return emulator.buffer.lines.get(0)!;
  });
  long!.copyFrom(short!);
  expect([long!.length, long!.translateToString(false)]).toEqual([5, 'xxxxx']);
});
