/** What `t4a run` prints into a pipe: lines as they stand at last, the same however the output was cut. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PipedOutput } from '../../../src/cli/run/piped-output.js';
import { FinalLines } from '../../../src/playback/final-lines.js';

const SIZE = { cols: 20, rows: 5 };

function open() {
  const printed: string[] = [];
  const output = new PipedOutput({
    size: SIZE,
    finalLines: () => Promise.resolve(FinalLines),
    print: (text) => printed.push(text),
  });
  /** As a terminal's kernel passes it on. */
  const write = (text: string): Promise<void> => output.write(Buffer.from(text.replaceAll(/(?<!\r)\n/g, '\r\n')));
  return { output, write, text: () => printed.join('') };
}

/** Whole, and cut into single bytes: both must be the same. */
async function plain(text: string): Promise<string> {
  const whole = open();
  await whole.write(text);
  whole.output.end();
  const cut = open();
  for (const byte of Buffer.from(text.replaceAll(/(?<!\r)\n/g, '\r\n'))) await cut.output.write(Uint8Array.of(byte));
  cut.output.end();
  expect(cut.text()).toBe(whole.text());
  return whole.text();
}

const seq = (count: number): string => Array.from({ length: count }, (_, i) => `${i + 1}\n`).join('');

describe('the output of a program in a pipe', () => {
  test.each([
    ['colours', '\x1b[1;31mred\x1b[0m \x1b[38:2::1:2:3mx\x1b[m\n', 'red x\n'],
    ['line ends', 'a\r\nb\r\r\nc\n\n', 'a\nb\nc\n\n'],
    ['tabs', 'a\tb\r\n', 'a\tb\n'],
    ['tabs beside a line that is written over', 'a\tb\n1\r2\nc\td\n', 'a\tb\n2\nc\td\n'],
    ['a line with tabs that is written over', 'a\tb\n\x1b[Ax\n', 'x       b\n'],
    [
      'a line with tabs that leaves the screen row by row',
      `\b\n${'x'.repeat(19)}\ty${'z'.repeat(30)}\n1\n2\n3\n`,
      `\n${'x'.repeat(19)}\ty${'z'.repeat(30)}\n1\n2\n3\n`,
    ],
    ['a line without an end', 'a\nb', 'a\nb'],
    ['a line without an end, with blanks', 'a\rname? ', 'name? '],
    ['a progress bar', '10%\r50%\r100%\r\n', '100%\n'],
    ['a shorter text over a longer one', 'downloading\rdone\r\n', 'doneloading\n'],
    ['an erased line', 'downloading\r\x1b[Kdone\r\n', 'done\n'],
    ['erased parts', 'abcdef\x1b[3D\x1b[1K\x1b[2Cg\x1b[2K\x1b[1Gx\n', 'x\n'],
    ['columns', 'abc\x1b[2Gx\x1b[6Gy\n', 'axc  y\n'],
    ['overstrikes', '_\bu_\bn\n', 'un\n'],
    ['a spinner at the end', '|\b/\b-\b', '-'],
    ['inserted, deleted and repeated characters', 'abc\x1b[3D\x1b[1@\x1b[2C\x1b[1Px\x1b[3b\n', ' axxxx\n'],
    ['other line feeds', 'a\x1bEb\n', 'a\nb\n'],
    ['line drawing', '\x1b(0lqk\x1b(B\n', '┌─┐\n'],
    ['a row that is named', '\x1b[3;2Hdeep\x1b[1;1Hup\n', 'up\n\n deep\n'],
    ['rows that are drawn again', 'a 1\nb 1\n\x1b[2Aa 2\nb 2\n\x1b[2Aa 3\nb 3\n', 'a 3\nb 3\n'],
    [
      'a bar in the last row',
      '\x1b[1;4r1\n\x1b7\x1b[5;1H50%\x1b82\n\x1b7\x1b[1;5r\x1b[5;1H\x1b[K\x1b8end\n',
      '1\n2\nend\n',
    ],
    ['a screen that is cleared', 'old\n\x1b[H\x1b[2J\x1b[3Jnew\n', 'new\n'],
    ['lines above a screen that is cleared', `${seq(8)}\x1b[H\x1b[2J\x1b[3Jnew\n`, '1\n2\n3\n4\nnew\n'],
    ['lines above a screen that is reset', `${seq(8)}\x1bcnew\n`, '1\n2\n3\n4\nnew\n'],
    ['a line of several rows', `\b${'0123456789'.repeat(5)}\nx\n`, `${'0123456789'.repeat(5)}\nx\n`],
    ['a wide character at the end of a row', `\b${'x'.repeat(19)}漢字\n`, `${'x'.repeat(19)}漢字\n`],
    ['a line longer than the screen', `\b${'0123456789'.repeat(50)}\nx\n`, `${'0123456789'.repeat(50)}\nx\n`],
    [
      'titles, links and queries',
      '\x1b]0;title\x07a\x1b]8;;http://x\x1b\\b\x1b]8;;\x1b\\\x1bP+q544e\x1b\\c\x1b[6n\n',
      'abc\n',
    ],
    ['modes and charsets', '\x1b[?25l\x1b(B\x1b=\x1b[>4;2ma\x1b[?25h\n', 'a\n'],
    ['a sequence that is aborted', '\x1b[31\x18a\x1b]0;t\x1ab\n', 'ab\n'],
    ['the alternate screen', 'a\n\x1b[?1049h\x1b[2J\x1b[5;5Hmenu\r\n\x1b[?1049lb\n', 'a\nb\n'],
    ['an alternate screen that is left behind', 'a\n\x1b[?1049h\x1b[2Jmenu\n', 'a\n'],
    ['characters of several bytes', 'é漢字👍🏽\rx\n', 'x漢字👍🏽\n'],
    ['bells and other controls', 'a\x07\x00\x7fb\n', 'ab\n'],
  ])('%s', async (_, output, expected) => {
    expect(await plain(output)).toBe(expected);
  });

  test('is complete, however much of it there is and wherever it is cut', async () => {
    const line = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from('ab \t漢')), maxLength: 50 }),
      fc
        .string({ unit: fc.constantFrom('x', '\r\x1b[K', '\x1b[31m'), maxLength: 8 })
        .map((text) => `${text}\r\x1b[Kend`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), fc.array(fc.nat(60)), async (lines, cuts) => {
        const { output, write, text } = open();
        let rest = lines.map((each) => `${each}\n`).join('');
        for (const length of cuts) {
          await write(rest.slice(0, length));
          rest = rest.slice(length);
        }
        await write(rest);
        output.end();
        // A grid has blanks for tabs, once it has to be asked.
        const blank = (all: string): string => all.replaceAll(/[\t ]+/g, ' ').replaceAll(/ +$/gm, '');
        expect(blank(text())).toBe(
          blank(lines.map((each) => `${each.endsWith('\r\x1b[Kend') ? 'end' : each}\n`).join('')),
        );
      }),
    );
  });

  test('a line without an end is not kept beyond a mebibyte', async () => {
    const { output, text } = open();
    for (let i = 0; i < 48; i++) await output.write(Buffer.alloc(65_536, 'x'));
    expect(text().length).toBeGreaterThan(1024 * 1024);
    output.end();
    expect(text()).toBe('x'.repeat(48 * 65_536));
  });
});

describe('while the program runs', () => {
  afterEach(() => vi.useRealTimers());

  test('lines that have left the screen are printed at once, others soon', async () => {
    vi.useFakeTimers();
    const { write, text } = open();
    await write(seq(7));
    expect(text()).toBe('1\n2\n3\n');
    await write('no end');
    vi.advanceTimersByTime(250);
    expect(text()).toBe(seq(7));
    await write('\n8\n');
    vi.advanceTimersByTime(250);
    expect(text()).toBe(`${seq(7)}no end\n8\n`);
  });

  test('lines beside a progress bar are printed soon, the bar once it has ended', async () => {
    vi.useFakeTimers();
    const { output, write, text } = open();
    await write('a\n10%\r');
    await write('20%\r');
    vi.advanceTimersByTime(250);
    expect(text()).toBe('a\n');
    await write('done\nb\n');
    vi.advanceTimersByTime(250);
    expect(text()).toBe('a\ndone\nb\n');
    output.end();
    expect(text()).toBe('a\ndone\nb\n');
  });

  test('rows that a program draws again wait for their last state, and one that was printed is printed again', async () => {
    vi.useFakeTimers();
    const { output, write, text } = open();
    await write('a 0\nb 0\n');
    vi.advanceTimersByTime(1000);
    expect(text()).toBe('a 0\nb 0\n');
    for (let i = 1; i < 4; i++) {
      await write(`\x1b[2Aa ${i}\nb 0\n`);
      vi.advanceTimersByTime(1000);
    }
    expect(text()).toBe('a 0\nb 0\n');
    output.end();
    expect(text()).toBe('a 0\nb 0\na 3\n');
  });

  test('lines after a clear are printed soon, and those of a screen that is cleared each time at the end', async () => {
    vi.useFakeTimers();
    const { output, write, text } = open();
    await write('\x1b[H\x1b[2J\x1b[3Ja\n');
    await write('b\n');
    vi.advanceTimersByTime(250);
    expect(text()).toBe('a\nb\n');
    for (const frame of ['c\n', 'd\n']) {
      await write(`\x1b[H\x1b[J${frame}`);
      vi.advanceTimersByTime(1000);
    }
    expect(text()).toBe('a\nb\n');
    output.end();
    expect(text()).toBe('a\nb\nd\n');
  });

  test('a screen that is cleared after its lines were printed prints no blank lines', async () => {
    vi.useFakeTimers();
    const { output, write, text } = open();
    await write(seq(3));
    vi.advanceTimersByTime(1000);
    await write('\x1b[H\x1b[2Jnew\n');
    output.end();
    expect(text()).toBe(`${seq(3)}new\n`);
  });
});
