import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { SnapshotRow } from '../../src/vt/snapshot.js';
import { isSame, pixelsOf } from './support/pixels.js';
import { cursorAt, rgb, rowOf, type Run, screenOf } from './support/screen.js';
import { newRenderer, OPTIONS } from './support/test-renderer.js';
import { runsOf } from '../support/trial.js';

const COLS = 12;
const ROWS = 5;

/** Rows that take a palette through all of its modes: few colours, many shades, more than any palette holds. */
const line = fc.oneof(
  fc.string({ maxLength: COLS }).map((text): Run[] => [[text]]),
  fc
    .array(fc.integer({ min: 0, max: 0xffffff }), { maxLength: COLS })
    .map((colors) => colors.map((color): Run => ['g', { fg: rgb(color), bg: rgb(color >> 3) }])),
  fc
    .integer({ min: 0, max: 0xffffff })
    .map((seed) =>
      Array.from({ length: COLS }, (_, col): Run => [
        '▀',
        { fg: rgb((seed * (col + 1)) & 0xffffff), bg: rgb(seed ^ (col << 9)) },
      ]),
    ),
  fc.constant<Run[]>([['😀❤️👩‍👩‍👧']]),
);

const edit = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), row: fc.nat(ROWS - 1), line }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('scroll' as const), line }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
);

test('after any edits a cached picture equals one painted from scratch, pixel for pixel', async () => {
  const fresh = newRenderer();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(edit, fc.nat(ROWS - 1), fc.nat(COLS)), { minLength: 1, maxLength: 12 }),
      async (edits) => {
        const cached = newRenderer();
        let lines: SnapshotRow[] = Array.from({ length: ROWS }, () => rowOf(COLS, []));
        for (const [change, cursorRow, cursorCol] of edits) {
          if (change.kind === 'write') lines = lines.with(change.row, rowOf(COLS, change.line));
          else if (change.kind === 'scroll') lines = [...lines.slice(1), rowOf(COLS, change.line)];
          else lines = lines.map(() => rowOf(COLS, []));
          const snapshot = screenOf(lines, { cursor: cursorAt(cursorRow, cursorCol) });
          const incremental = await pixelsOf(cached.render(snapshot, OPTIONS));
          // Copies of the rows: nothing that was kept can be found again.
          const anew = await pixelsOf(fresh.render({ ...snapshot, lines: lines.map((row) => ({ ...row })) }, OPTIONS));
          expect(isSame(incremental, anew)).toBe(true);
        }
      },
    ),
    { numRuns: runsOf({ suite: 9, trial: 40 }) },
  );
});

test('rows that are one object many times over are drawn, each in its place', async () => {
  const blank = rowOf(70, []);
  const text = rowOf(70, [['text']]);
  // So large that every row is a band of its own.
  const options = { ...OPTIONS, cellWidth: 64, cellHeight: 128 };
  for (const [at, lines] of [Array(8).fill(blank), [blank, text, blank, text, blank, blank, text, blank]].entries()) {
    const rows = lines as SnapshotRow[];
    for (const cursor of [cursorAt(0, 0), cursorAt(3, 1)]) {
      const pixels = await pixelsOf(newRenderer().render(screenOf(rows, { cursor }), options));
      const apart = screenOf(
        rows.map((row) => ({ ...row })),
        { cursor },
      );
      expect(isSame(pixels, await pixelsOf(newRenderer().render(apart, options))), `${at}`).toBe(true);
    }
  }
});
