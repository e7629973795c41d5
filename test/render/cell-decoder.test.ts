import sharp from 'sharp';
import { expect, test } from 'vitest';

import { type CellRenderer } from '../../bench/render-cell-templates.js';
import { CellReader } from '../../bench/render-cells.js';
import { deepestGap } from '../../bench/render-seams.js';
import {
  ATTR_BOLD,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_UNDERLINE_MASK,
  ATTR_UNDERLINE_SHIFT,
  CELL_ATTRS,
  CELL_WORDS,
  type Snapshot,
} from '../../src/vt/snapshot.js';
import { bytesOf } from './support/pixels.js';
import { inTrial } from '../support/trial.js';
import { cursorAt, indexed, rgb, rowOf, type Run, screenOf } from './support/screen.js';
import { newRenderer, OPTIONS } from './support/test-renderer.js';

const PLAIN: Run = ['plain text, '];
const BOLD: Run = ['bold', { attrs: ATTR_BOLD }];
const CURLY: Run = ['curly', { underline: 3 }];
const INVERSE: Run = ['inverse', { attrs: ATTR_INVERSE }];
const COLOR: Run = ['colour', { fg: indexed(9), bg: rgb(0x203040) }];
const HIDDEN: Run = ['hidden', { attrs: ATTR_INVISIBLE }];
const CLUSTER: Run = ['e\u0301 漢', {}];
const ALL = [PLAIN, BOLD, CURLY, INVERSE, COLOR, HIDDEN, CLUSTER];
const CURSOR = cursorAt(0, 2);

const renderer = newRenderer();

function rendererOf(draw: (snapshot: Snapshot) => Snapshot): CellRenderer {
  const { cellWidth, cellHeight, theme } = OPTIONS;
  return {
    name: 'ours, tampered with',
    cellWidth,
    cellHeight,
    foreground: theme.foreground,
    background: theme.background,
    draw: (snapshot) => Promise.resolve(bytesOf(renderer.render(draw(snapshot), { ...OPTIONS, minimumContrast: 1 }))),
  };
}

/** In cells that begin between whole pixels, down as well as across. */
function stretched(cells: CellRenderer): CellRenderer {
  const [cellWidth, cellHeight] = [cells.cellWidth * 1.05, cells.cellHeight * 1.05];
  const draw = async (snapshot: Snapshot): Promise<Buffer> => {
    const png = await cells.draw(snapshot);
    const { width, height } = await sharp(png).metadata();
    // Five cells are a whole number of pixels again.
    const lack = (pixels: number, cell: number): number => (5 * cell - (pixels % (5 * cell))) % (5 * cell);
    const [right, bottom] = [lack(width, cells.cellWidth), lack(height, cells.cellHeight)];
    const { data, info } = await sharp(png)
      .extend({ right, bottom, background: '#000' })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return sharp(data, { raw: info })
      .resize({ width: info.width * 1.05, height: info.height * 1.05, fit: 'fill', kernel: 'linear' })
      .png()
      .toBuffer();
  };
  return { ...cells, cellWidth, cellHeight, draw };
}

function screenWith(...runs: readonly Run[]): Snapshot {
  return screenOf([rowOf(60, runs)], { cursor: CURSOR });
}

/** The same, but with attribute words as a renderer might see them that knows fewer. */
function withAttributes(snapshot: Snapshot, change: (word: number) => number): Snapshot {
  const lines = snapshot.lines.map((row) => ({
    ...row,
    cells: row.cells.map((word, at) => (at % CELL_WORDS === CELL_ATTRS ? change(word) : word)),
  }));
  return { ...snapshot, lines };
}

const swap = (from: Run, to: Run): Snapshot => screenWith(...ALL.map((run) => (run === from ? to : run)));

test('a decoded picture of written text has no wrong cell', async () => {
  const cells = rendererOf((snapshot) => snapshot);
  const read = await new CellReader(cells).read(screenWith(...ALL), await cells.draw(screenWith(...ALL)));
  expect([read.wrong, read.cells]).toEqual([0, 60]);
});

inTrial(() => {
  test.each<[what: string, fault: string, wrong: number, drawn: Snapshot]>([
    ['a letter in place of another', 'glyph', 1, swap(PLAIN, ['plain test, '])],
    ['text that is a cell aside', 'glyph', 3, swap(BOLD, ['bod', { attrs: ATTR_BOLD }])],
    ['bold that is not bold', 'glyph', 4, swap(BOLD, ['bold'])],
    ['a curly line that is straight', 'glyph', 5, swap(CURLY, ['curly', { underline: 1 }])],
    ['inverse that is not inverse', 'ground', 7, swap(INVERSE, ['inverse'])],
    ['text in another colour', 'ink', 6, swap(COLOR, ['colour', { fg: indexed(12), bg: rgb(0x203040) }])],
    ['a ground of another colour', 'ground', 6, swap(COLOR, ['colour', { fg: indexed(9), bg: rgb(0x304020) }])],
    ['invisible text', 'glyph', 6, swap(HIDDEN, ['hidden'])],
    ['a letter without its mark', 'glyph', 1, swap(CLUSTER, ['e 漢'])],
    ['a cursor that is hidden', 'no cursor', 1, { ...screenWith(...ALL), cursor: { ...CURSOR, visible: false } }],
  ])('%s is a fault', async (_, fault, wrong, drawn) => {
    const cells = rendererOf((snapshot) => snapshot);
    const read = await new CellReader(cells).read(screenWith(...ALL), await cells.draw(drawn));
    expect(read.faults.get(fault)).toBeGreaterThanOrEqual(wrong);
  });

  const OURS = rendererOf((snapshot) => snapshot);

  test.each<[what: string, cells: CellRenderer]>([
    ['whose cells begin between whole pixels', stretched(OURS)],
    ['that is learnt on its own background', { ...OURS, learnsOnBackground: true }],
    ['that is learnt in greys', { ...OURS, thins: true }],
  ])('a decoder reads right and wrong cells of a renderer %s', async (_, cells) => {
    const rows = Array.from({ length: 7 }, () => rowOf(60, ALL));
    const written = screenOf(rows, { cursor: CURSOR });
    const reader = new CellReader(cells);
    const { wrong, faults } = await reader.read(written, await cells.draw(written));
    expect([wrong, ...faults]).toEqual([0]);
    const drawn = screenOf(rows.with(4, rowOf(60, [PLAIN, ['bald']])), { cursor: CURSOR });
    const read = await reader.read(written, await cells.draw(drawn));
    expect([read.faults.get('glyph'), read.faults.get('ground')]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  const SINGLE_UNDERLINE = 1 << ATTR_UNDERLINE_SHIFT;
  const ONE_UNDERLINE = (word: number): number =>
    (word & ATTR_UNDERLINE_MASK) === 0 ? word : (word & ~ATTR_UNDERLINE_MASK) | SINGLE_UNDERLINE;

  test.each<[what: string, fault: string, wrong: number, run: Run, change: (word: number) => number]>([
    ['no bold face', 'bold', 4, BOLD, (word) => word & ~ATTR_BOLD],
    ['one kind of underline', 'underline', 5, CURLY, ONE_UNDERLINE],
  ])('a renderer with %s is wrong in every cell that needs more', async (_, fault, wrong, run, change) => {
    const cells = rendererOf((snapshot) => withAttributes(snapshot, change));
    const { faults } = await new CellReader(cells).read(
      screenWith(PLAIN, run),
      await cells.draw(screenWith(PLAIN, run)),
    );
    expect(faults.get(fault)).toBe(wrong);
  });

  test('a renderer without a mark is wrong in the cell of that mark', async () => {
    const snapshot = screenWith(['plain ', {}], ['e\u0301', {}]);
    const cells = rendererOf((each) => ({
      ...each,
      lines: each.lines.map((row) => ({
        ...row,
        clusters: row.clusters.map((cluster) => cluster.replace('\u0301', '')),
      })),
    }));
    const { faults } = await new CellReader(cells).read(snapshot, await cells.draw(snapshot));
    expect([...faults]).toEqual([['marks of a cluster', 1]]);
  });

  test('characters without a font are boxes, with any marks', async () => {
    const snapshot = screenWith(['ab \u{10fffd}\u{10fedc} □▣█']);
    const cells = rendererOf((each) => each);
    const { faults } = await new CellReader(cells).read(snapshot, await cells.draw(snapshot));
    expect([...faults]).toEqual([['box for a missing character', 2]]);
  });
});

test('lines continue from cell to cell without a gap', async () => {
  expect(await deepestGap(rendererOf((snapshot) => snapshot))).toBe(0);
});
