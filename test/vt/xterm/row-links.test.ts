import { expect, test } from 'vitest';
import { limitRowLinks, MAX_ROW_TARGETS_LENGTH } from '../../../src/vt/xterm/row-links.js';
import { ATTR_BOLD, ATTR_WIDTH_SHIFT, CELL_ATTRS, CELL_BG, CELL_FG, CELL_WORDS } from '../../../src/vt/snapshot.js';

const COLS = 6;
/** Two of them are just what a row may have. */
const HALF = 'h'.padEnd(MAX_ROW_TARGETS_LENGTH / 2, '.');
const OTHER = 'o'.padEnd(MAX_ROW_TARGETS_LENGTH / 2, '.');

interface CellStyles {
  /** Words of cells, by column and place in the cell. */
  readonly words?: readonly (readonly [col: number, place: number, word: number])[];
  readonly underlineColors?: ReadonlyMap<number, number>;
}

/** @returns the columns that keep their link */
function kept(
  links: readonly (readonly [col: number, target: string])[],
  { words = [], underlineColors }: CellStyles = {},
) {
  const cells = new Uint32Array(COLS * CELL_WORDS);
  for (const [col, place, word] of words) cells[col * CELL_WORDS + place] = word;
  const left = new Map(links);
  limitRowLinks(left, { cells, underlineColors });
  return [...left.keys()];
}

const all = (target: string): [number, string][] => Array.from({ length: COLS }, (_, col) => [col, target]);

test('targets up to the limit stay, and those beyond it are removed', () => {
  const first = [0, HALF] as const;
  const second = [2, OTHER] as const;
  expect(kept([first, second])).toEqual([0, 2]);
  expect(kept([first, second, [4, 'x']])).toEqual([0, 2]);
  expect(kept([first, [2, `${OTHER}.`], [4, 'x']])).toEqual([0]);
});

test('a target counts once for neighbouring cells with equal attributes', () => {
  expect(kept(all(HALF))).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a target counts again after a cell without it', () => {
  expect(kept([0, 2, 4].map((col) => [col, HALF]))).toEqual([0, 2]);
  expect(
    kept([
      [0, HALF],
      [1, OTHER],
      [2, HALF],
    ]),
  ).toEqual([0, 1]);
});

test.each<[string, (col: number) => CellStyles]>([
  ['foreground', (col) => ({ words: [[col, CELL_FG, 7]] })],
  ['background', (col) => ({ words: [[col, CELL_BG, 7]] })],
  ['set of attributes', (col) => ({ words: [[col, CELL_ATTRS, ATTR_BOLD]] })],
  ['colour of the underline', (col) => ({ underlineColors: new Map([[col, 7]]) })],
])('a target counts again where the %s changes', (_, stylesAt) => {
  // Different before, at and after the column: three runs, of which two fit.
  expect(kept(all(HALF), stylesAt(3))).toEqual([0, 1, 2, 3]);
  expect(kept(all(HALF), stylesAt(0))).toEqual([0, 1, 2, 3, 4, 5]);
});

test('a target counts once for the two cells of a wide character', () => {
  const wide = [0, 2, 4].flatMap((col): [number, number, number][] => [[col, CELL_ATTRS, 2 << ATTR_WIDTH_SHIFT]]);
  expect(kept(all(HALF), { words: wide })).toEqual([0, 1, 2, 3, 4, 5]);
});
