/** Equal screens under equal options are equal bytes, after any earlier pictures: callers cache and compare by content. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ATTR_BOLD, ATTR_INVERSE, ATTR_ITALIC, type Snapshot, type SnapshotRow } from '../../src/vt/snapshot.js';
import { type PictureOptions, Renderer } from '../../src/render/renderer.js';
import { THEMES } from '../../src/render/theme.js';
import { bytesOf } from './support/pixels.js';
import { cursorAt, indexed, type Pen, rgb, rowOf, type Run, screenOf } from './support/screen.js';
import { FONTS_DIR, newRenderer, OPTIONS } from './support/test-renderer.js';
import { runsOf } from '../support/trial.js';

const COLS = 14;
const ROWS = 5;
/** Of an atlas so small that glyphs go and come back all the time. */
const FEW_BYTES = 100_000;

const pen: fc.Arbitrary<Pen> = fc.record({
  fg: fc.oneof(fc.constant(0), fc.nat(15).map(indexed), fc.nat(255).map(indexed), fc.nat(0xffffff).map(rgb)),
  bg: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(255).map(indexed)),
  attrs: fc.constantFrom(0, 0, 0, ATTR_BOLD, ATTR_ITALIC, ATTR_INVERSE),
  underline: fc.constantFrom(0, 0, 0, 1, 3),
});
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: COLS }) },
  { weight: 1, arbitrary: fc.constantFrom('漢字', '😀❤️', '▀▄█', '─┼╮', 'é', '👩‍👩‍👧') },
);
const words = fc.array(fc.tuple(text, pen), { maxLength: 3 }).map((runs): Run[] => runs);
/** As many colours as cells: no palette holds a screen of these. */
const photograph = fc
  .integer({ min: 0, max: 0xffffff })
  .map((seed) =>
    Array.from({ length: COLS }, (_, col): Run => [
      '▀',
      { fg: rgb((seed * (col + 1)) & 0xffffff), bg: rgb(seed ^ (col << 9)) },
    ]),
  );
const row = fc
  .tuple(fc.oneof({ weight: 5, arbitrary: words }, photograph), fc.constantFrom('single', 'single', 'double-width'))
  .map(([runs, lineSize]) => rowOf(COLS, runs, lineSize as SnapshotRow['lineSize']));

const options = fc
  .record({
    cellWidth: fc.constantFrom(7, 8, 8, 10, 16),
    pad: fc.constantFrom(0, 0, 3),
    cursor: fc.boolean(),
    theme: fc.constantFrom(...THEMES.values()),
    minimumContrast: fc.constantFrom(undefined, 1),
    boldAsBright: fc.boolean(),
    rulers: fc.boolean(),
    region: fc.constantFrom(undefined, undefined, { row: 1, col: 2, rows: 3, cols: 9 }),
    marks: fc.constantFrom(undefined, [{ row: 2, col: 1, rows: 1, cols: 4 }]),
    unchangedRows: fc.constantFrom(undefined, new Set([0, 3])),
  })
  .map((each): PictureOptions => ({ ...each, cellHeight: each.cellWidth * 2 }));

/** What happens to the screen before it is drawn; and whether it is a terminal's, or known by its rows alone. */
const step = fc.record({
  edit: fc.oneof(
    { weight: 3, arbitrary: fc.record({ at: fc.nat(ROWS - 1), row }) },
    { weight: 1, arbitrary: fc.record({ at: fc.constant('below' as const), row }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  cursor: fc.tuple(fc.nat(ROWS - 1), fc.nat(COLS - 1), fc.constantFrom('block' as const, 'bar' as const)),
  style: fc.nat(2),
  owned: fc.boolean(),
});

test('a picture drawn after any others, in any order, is byte for byte that of a fresh renderer', () => {
  fc.assert(
    fc.property(
      fc.array(options, { minLength: 3, maxLength: 3 }),
      fc.array(step, { minLength: 2, maxLength: 14 }),
      (styles, steps) => {
        const used = new Renderer({ fontsDir: FONTS_DIR, atlasBytes: () => FEW_BYTES });
        const terminal = {};
        let lines: SnapshotRow[] = Array.from({ length: ROWS }, () => rowOf(COLS, []));
        for (const { edit, cursor, style, owned } of steps) {
          if (edit?.at === 'below') lines = [...lines.slice(1), edit.row];
          else if (edit !== undefined) lines = lines.with(edit.at, edit.row);
          const snapshot = screenOf(lines, { cursor: cursorAt(...cursor) });
          const look = styles[style] ?? OPTIONS;
          expectSame(used.render(snapshot, look, owned ? terminal : undefined), snapshot, look);
        }
      },
    ),
    { numRuns: runsOf({ suite: 10, trial: 60 }) },
  );
});

test('a colour that came and went leaves no trace', () => {
  const used = newRenderer();
  const lines = Array.from({ length: 4 }, (_, y) => rowOf(20, [[`line ${y}`], ['word', { fg: indexed(y + 1) }]]));
  const before = bytesOf(used.render(screenOf(lines), OPTIONS));
  used.render(screenOf(lines.with(2, rowOf(20, [['green', { fg: rgb(0x00ff00) }]]))), OPTIONS);
  expect(bytesOf(used.render(screenOf(lines), OPTIONS)).equals(before)).toBe(true);
  const fewer = screenOf(lines.with(2, rowOf(20, [])));
  expectSame(used.render(fewer, OPTIONS), fewer, OPTIONS);
});

test('other letters in present colours, and the cursor on them, add no colours', () => {
  const used = newRenderer();
  const lines = ['plain text', 'more of it'].map((each) => rowOf(20, [[each], ['status', { attrs: ATTR_INVERSE }]]));
  const [head] = used.render(screenOf(lines, { cursor: cursorAt(0, 18) }), OPTIONS).chunks;
  for (const word of ['l', '12:59', '@', 'Ünïcödé', 'mnopqr']) {
    const next = lines.with(1, rowOf(20, [[word], [word, { attrs: ATTR_INVERSE }]]));
    for (const col of [0, 1, 19]) {
      expect(used.render(screenOf(next, { cursor: cursorAt(1, col) }), OPTIONS).chunks[0]).toBe(head);
    }
  }
});

function expectSame(picture: ReturnType<Renderer['render']>, { lines, ...rest }: Snapshot, look: PictureOptions): void {
  // Copies of the rows: nothing that was kept can be found again.
  const fresh = newRenderer().render({ ...rest, lines: lines.map((each) => ({ ...each })) }, look);
  expect(bytesOf(picture).equals(bytesOf(fresh))).toBe(true);
}
