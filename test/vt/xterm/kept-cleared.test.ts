import { expect, test } from 'vitest';
import { Screen } from '../../../src/vt/screen.js';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { KEEP_CLEARED } from '../../../src/vt/xterm/kept-cleared.js';
import { seeded } from '../../support/rights.js';

const SIZE = { cols: 10, rows: 4, scrollback: 20 };

const rowsOf = ({ buffer }: Emulator): string[] =>
  Array.from({ length: buffer.lines.length }, (_, row) => buffer.lines.get(row)?.translateToString(true) ?? '');

function after(text: string): string[] {
  const emulator = new Emulator(SIZE);
  emulator.parse(text);
  return rowsOf(emulator);
}

const BLANK = ['', '', '', ''];

test.each([
  ['CSI 2 J', 'a\r\nb\x1b[2J', ['a', 'b', ...BLANK]],
  ['CSI J from the first cell', 'a\r\nb\x1b[H\x1b[J', ['a', 'b', ...BLANK]],
  ['CSI 2 J within margins', 'a\r\nb\r\nc\x1b[2;3r\x1b[2J', ['a', 'b', 'c', ...BLANK]],
  ['after a reset', '\x1bca\x1b[2J', ['a', ...BLANK]],
])('%s moves what is on the screen into the scrollback', (_name, text, rows) => {
  expect(after(KEEP_CLEARED + text)).toEqual(rows);
  expect(after(text)).toEqual(BLANK);
});

test.each([
  ['CSI J from another cell', 'a\r\nb\x1b[1;2H\x1b[J', ['a', '', '', '']],
  ['the alternate screen', 'a\x1b[?1049h\x1b[Hb\x1b[2J\x1b[?1049l', ['a', '', '', '']],
  ['a blank screen', '\x1b[2J\x1b[2J', BLANK],
  ['the mode switched off', '\x1b[?7727la\x1b[2J', BLANK],
])('%s moves nothing', (_name, text, rows) => {
  expect(after(KEEP_CLEARED + text)).toEqual(rows);
});

const COLORS = { foreground: 0xffffff, background: 0, cursor: 0, palette: Array.from({ length: 256 }, () => 0) };

/** Sequences, characters of several bytes, and strings without an end. */
const PIECES = [
  'a',
  '漢',
  '\x1b[31m',
  '\x1b[5;2H',
  '\r\n',
  '\x1b]0;title\x07',
  '\x1bPq#0\x1b\\',
  '\x1b[?25l',
  'é',
  '\x1b]8;;x:y\x1b\\',
];

test('what is inserted ends no sequence and no character of the program, wherever it is', async () => {
  const random = seeded(7727);
  for (let run = 0; run < 60; run++) {
    const bytes = Buffer.from(Array.from({ length: 30 }, () => PIECES[Math.floor(random() * PIECES.length)]).join(''));
    const [plain, inserted] = [0, 1].map(() => new Screen({ ...SIZE, colors: COLORS, version: '0' })) as [
      Screen,
      Screen,
    ];
    const at = Math.floor(random() * bytes.length);
    plain.write(bytes);
    inserted.write(bytes.subarray(0, at));
    // The lines above the screen go, and nothing else.
    const done = inserted.insert('\x1b[3J');
    inserted.write(bytes.subarray(at));
    await done;
    for (const screen of [plain, inserted]) await screen.settle(5000);
    const shown = [plain, inserted].map((screen) => {
      const { cursor, title, lines } = screen.snapshot();
      return { cursor, title, lines };
    });
    expect(shown[1], JSON.stringify([bytes.toString(), at])).toEqual(shown[0]);
    for (const screen of [plain, inserted]) screen.dispose();
  }
});
