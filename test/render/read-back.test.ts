import { expect, test } from 'vitest';

import {
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
} from '../../src/vt/snapshot.js';
import { CHARACTERS, FACES, looksAlike, readCell, type ReadCell } from './support/cell-reader.js';
import { pixelsOf } from './support/pixels.js';
import { indexed, type Pen, rgb, rowOf, type Run, screenOf } from './support/screen.js';
import { newRenderer, OPTIONS } from './support/test-renderer.js';
import { casesOf } from '../support/trial.js';

const COLS = 10;
const ROWS = 3;
const FOREGROUND = 0xe5e5e5;
const BACKGROUND = 0x000000;
/** xterm's sixteen, as its documentation lists them. */
const XTERM = [
  0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00,
  0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
];

interface WrittenCell {
  readonly character: string;
  readonly pen: Pen;
  readonly fg: number;
  readonly bg: number;
}

const renderer = newRenderer();

test('every character in every face and style is read back from the fidelity sheet', async () => {
  const styles: readonly Pen[] = [
    {},
    { attrs: ATTR_BOLD },
    { attrs: ATTR_ITALIC },
    { attrs: ATTR_BOLD | ATTR_ITALIC },
    { attrs: ATTR_DIM },
    { attrs: ATTR_INVERSE },
    { attrs: ATTR_INVISIBLE },
    { attrs: ATTR_STRIKETHROUGH },
    { attrs: ATTR_OVERLINE },
    ...[1, 2, 3, 4, 5].map((underline) => ({ underline })),
  ];
  const cells = styles.map((pen) => Array.from(CHARACTERS, (character) => written(character, pen)));
  expect(await misread(cells)).toEqual([]);
});

test.each(casesOf([1, 2, 3, 4], (quarter) => quarter === 1))(
  'every cell of 200 generated screens is read back: quarter %i',
  async (quarter) => {
    const random = newRandom(20_240_600 + quarter);
    const wrong: string[] = [];
    for (let screen = 0; screen < 50; screen++) {
      const pens = Array.from({ length: 4 }, () => penOf(random));
      const cells = Array.from({ length: ROWS }, () =>
        Array.from({ length: COLS }, () => written(CHARACTERS.charAt(random(CHARACTERS.length)), pens[random(4)]!)),
      );
      wrong.push(...(await misread(cells)).map((each) => `screen ${screen}: ${each}`));
    }
    expect(wrong).toEqual([]);
  },
);

async function misread(cells: readonly (readonly WrittenCell[])[]): Promise<string[]> {
  const rows = cells.map((row) =>
    rowOf(
      row.length,
      row.map(({ character, pen }): Run => [character, pen]),
    ),
  );
  const pixels = await pixelsOf(renderer.render(screenOf(rows), { ...OPTIONS, minimumContrast: 1, cursor: false }));
  const inks = [...new Set(cells.flat().map(({ fg }) => fg))];
  const wrong: string[] = [];
  for (const [y, row] of cells.entries()) {
    for (const [col, cell] of row.entries()) {
      const read = readCell(pixels, y, col, inks);
      const faults = faultsOf(cell, read);
      if (faults.length > 0) wrong.push(`row ${y}, column ${col}, ${JSON.stringify(cell)}: ${faults.join('; ')}`);
    }
  }
  return wrong;
}

function faultsOf({ character, pen, fg, bg }: WrittenCell, read: ReadCell): string[] {
  const attrs = pen.attrs ?? 0;
  const invisible = (attrs & ATTR_INVISIBLE) !== 0;
  const faults: string[] = [];
  const check = (what: string, expected: unknown, actual: unknown): void => {
    if (expected !== actual) faults.push(`${what} ${String(expected)} read as ${String(actual)}`);
  };
  const underline = invisible ? 0 : (pen.underline ?? 0);
  const strikethrough = !invisible && (attrs & ATTR_STRIKETHROUGH) !== 0;
  const overline = !invisible && (attrs & ATTR_OVERLINE) !== 0;
  const blank = invisible || character === ' ';
  if (character === '█' && !invisible) {
    // Full ink has no ground to be told from, and hides every line.
    check('ink', fg, read.bg);
    return faults;
  }
  check('ground', bg, read.bg);
  if (blank && underline === 0 && !strikethrough && !overline) {
    check('blank', undefined, read.fg);
    return faults;
  }
  const face = FACES[(attrs & ATTR_BOLD ? 1 : 0) | (attrs & ATTR_ITALIC ? 2 : 0)]!;
  const shape = { character: blank ? ' ' : character, face, underline, strikethrough, overline };
  if (!looksAlike(shape, read)) faults.push(`${JSON.stringify(shape)} read as ${JSON.stringify(read)}`);
  if (read.fgExact) check('colour', fg, read.fg);
  else if (read.fg === undefined || channelDistance(fg, read.fg) > 12) faults.push(`colour ${fg} read as ${read.fg}`);
  return faults;
}

function written(character: string, pen: Pen): WrittenCell {
  const attrs = pen.attrs ?? 0;
  let fg = colorOf(pen.fg, FOREGROUND);
  let bg = colorOf(pen.bg, BACKGROUND);
  if ((attrs & ATTR_INVERSE) !== 0) [fg, bg] = [bg, fg];
  if ((attrs & ATTR_DIM) !== 0) fg = threeFifths(fg, bg);
  return { character, pen, fg, bg };
}

function colorOf(word: number | undefined, whenDefault: number): number {
  if (word === undefined) return whenDefault;
  return word >= rgb(0) ? word - rgb(0) : XTERM[word - indexed(0)]!;
}

function threeFifths(over: number, under: number): number {
  const parts = [16, 8, 0].map((shift) => {
    const low = (under >> shift) & 0xff;
    return Math.round(low + ((((over >> shift) & 0xff) - low) * 3) / 5) << shift;
  });
  return parts.reduce((all, part) => all | part);
}

/** Pens with two colours that a reader can distinguish, with any mixture of attributes. */
function penOf(random: (below: number) => number): Pen {
  for (;;) {
    const color = (): number => (random(2) === 0 ? indexed(random(16)) : rgb(random(0x100_0000)));
    const attrs = [ATTR_BOLD, ATTR_ITALIC, ATTR_DIM, ATTR_INVERSE, ATTR_STRIKETHROUGH, ATTR_OVERLINE]
      .filter(() => random(4) === 0)
      .reduce((all, attr) => all | attr, random(20) === 0 ? ATTR_INVISIBLE : 0);
    const pen: Pen = { fg: color(), bg: color(), attrs, underline: random(3) === 0 ? random(6) : 0 };
    const { fg, bg } = written('x', pen);
    if (channelDistance(fg, bg) > 100) return pen;
  }
}

function channelDistance(a: number, b: number): number {
  return Math.max(...[16, 8, 0].map((shift) => Math.abs(((a >> shift) & 0xff) - ((b >> shift) & 0xff))));
}

function newRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}
