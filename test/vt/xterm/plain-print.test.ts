/** The short path of text into the grid leaves the same words as the path of the library, for any output. */
import xterm from '@xterm/headless';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { codePointWidth, joinWord } from '../../../src/vt/xterm/graphemes.js';
import type { RawBuffer } from '../../../src/vt/xterm/internals.js';
import { Random } from '../../../trials/support/random.js';
import { vtBytes } from '../../../trials/fuzz/vt-bytes.js';
import { runsOf, seedOfRun } from '../../support/trial.js';

const SIZES = [
  { cols: 80, rows: 24, scrollback: 50 },
  { cols: 7, rows: 3, scrollback: 2 },
  { cols: 2, rows: 1, scrollback: 0 },
];

const printed = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 2, arbitrary: fc.constantFrom('\r\n', '\r', '\b', '\t', '0\u20e3', '#\ufe0f\u20e3', '1', 'e\u0301') },
  { weight: 2, arbitrary: fc.constantFrom('漢字', '👨\u200d👩', '\u0301', '🇩', 'é', '\u200d') },
  {
    weight: 3,
    // Charsets, insert mode, wrapping off, extended attributes, links, columns, repeats, margins, erasing.
    arbitrary: fc.constantFrom(
      '\x1b(0',
      '\x1b(B',
      '\x1b[4h',
      '\x1b[4l',
      '\x1b[?7l',
      '\x1b[?7h',
      '\x1b[4:3m',
      '\x1b[58;5;3m',
      '\x1b[0m',
      '\x1b[1;44m',
      '\x1b]8;;http://a.example\x07',
      '\x1b]8;;\x07',
      '\x1b[2G',
      '\x1b[3b',
      '\x1b[2P',
      '\x1b[1;2r',
      '\x1b[H\x1b[J',
      '\x1b[?1049h',
      '\x1b[?1049l',
      '\x1bc',
    ),
  },
);

test('any output leaves the same grid, cursor and joins on both paths', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SIZES), fc.array(printed, { maxLength: 60 }), (size, pieces) => {
      expectSame(size, pieces);
    }),
    { numRuns: runsOf({ suite: 60, trial: 300 }) },
  );
});

test.each(SIZES)('hostile output leaves the same grid, cursor and joins on both paths in %j', (size) => {
  const random = new Random(seedOfRun());
  expectSame(
    size,
    Array.from({ length: 20 }, () => vtBytes(random, 4000).toString('latin1')),
  );
});

function expectSame(size: (typeof SIZES)[number], pieces: readonly string[]): void {
  const ours = new Emulator(size);
  const library = new Emulator(size);
  const { _inputHandler: input } = library.internals;
  input._parser.setPrintHandler((codes, start, end) => input.print(codes, start, end));
  for (const piece of pieces) {
    ours.parse(piece);
    library.parse(piece);
    expect(ours.internals._inputHandler._parser.precedingJoinState).toBe(input._parser.precedingJoinState);
    expect(contentOf(ours.buffer), JSON.stringify(pieces)).toEqual(contentOf(library.buffer));
  }
  ours.dispose();
  library.dispose();
}

function contentOf(buffer: RawBuffer): unknown[] {
  const lines = Array.from({ length: buffer.lines.length }, (_, index) => {
    const line = buffer.lines.get(index);
    const extended = Object.entries(line?._extendedAttrs ?? {}).map(([col, a]) => [col, a?._ext, a?.urlId]);
    return [line?._data.join(), line?.isWrapped, JSON.stringify(line?._combined), extended];
  });
  return [buffer.x, buffer.y, buffer.ybase, ...lines];
}

/** Pieces that meet a change of patches.ts: kept out, so that what is left must be the library's, cell by cell. */
const PATCHED = new Map([
  ['\x1b[4h', 'split-wide: blanks within a wide character'],
  ['\x1b[?7l', 'split-wide: text over the last wide character of a row'],
  ['\x1b[?1049l', 'saved-pen: the cursor is restored, with its pen'],
]);
const NOT_PATCHED = printed.filter((piece) => !PATCHED.has(piece));

test('output that no other patch affects shows the same as the library without patches', () => {
  fc.assert(
    fc.property(fc.constantFrom(...SIZES), fc.array(NOT_PATCHED, { maxLength: 60 }), (size, pieces) => {
      const ours = new Emulator(size);
      const library = libraryAlone(size);
      for (const piece of pieces) {
        ours.parse(piece);
        library.input('');
        library.write(piece);
        expect(shown(ours.terminal), JSON.stringify(pieces)).toEqual(shown(library));
      }
      ours.dispose();
      library.dispose();
    }),
    { numRuns: runsOf({ suite: 42, trial: 200 }) },
  );
});

/** With the same widths of characters, and nothing else of ours: through its public interface alone. */
function libraryAlone(size: (typeof SIZES)[number]): xterm.Terminal {
  const terminal = new xterm.Terminal({ ...size, allowProposedApi: true, logLevel: 'off' });
  terminal.unicode.register({
    version: 'same',
    wcwidth: codePointWidth,
    charProperties: (codePoint, preceding) =>
      joinWord(codePoint, preceding, () => terminal.buffer.active.cursorX === 0),
  });
  terminal.unicode.activeVersion = 'same';
  return terminal;
}

/** All that the public interface shows of the buffer. */
function shown({ buffer: { active } }: xterm.Terminal): unknown[] {
  const lines = Array.from({ length: active.length }, (_, index) => {
    const line = active.getLine(index);
    const cells = Array.from({ length: line?.length ?? 0 }, (_cell, col) => cellOf(line?.getCell(col)));
    return [line?.isWrapped, cells.join('|')];
  });
  return [active.type, active.cursorX, active.cursorY, active.baseY, ...lines];
}

function cellOf(cell: xterm.IBufferCell | undefined): string {
  if (cell === undefined) return '';
  const colors = [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor()];
  const flags = [cell.isBold(), cell.isDim(), cell.isItalic(), cell.isUnderline(), cell.isBlink(), cell.isInverse()];
  return [cell.getChars(), cell.getWidth(), ...colors, ...flags, cell.isInvisible(), cell.isStrikethrough()].join(' ');
}
