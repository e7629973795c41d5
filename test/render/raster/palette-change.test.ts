/** Pictures of a screen whose colours come and go: each is the one of a terminal that was never drawn before. */
import { expect, test } from 'vitest';
import type { PictureOptions } from '../../../src/render/renderer.js';
import type { Snapshot, SnapshotRow } from '../../../src/vt/snapshot.js';
import { bytesOf } from '../support/pixels.js';
import { cursorAt, indexed, rgb, rowOf, type Run, screenOf } from '../support/screen.js';
import { newRenderer, OPTIONS } from '../support/test-renderer.js';

const COLS = 12;
const SMALL: PictureOptions = { ...OPTIONS, cellWidth: 4, cellHeight: 8, minimumContrast: 1 };
const DEPTH_AT = 24;
const COLOR_TYPE_AT = 25;
const TRUECOLOUR = 2;

const renderer = newRenderer();

/** Of a terminal that was never drawn before. */
function freshBytes(snapshot: Snapshot, options: PictureOptions): Buffer {
  return bytesOf(renderer.render(snapshot, options, {}));
}

/** A row of so many backgrounds. */
function backgrounds(count: number, first = 1): SnapshotRow {
  return rowOf(
    count,
    Array.from({ length: count }, (_, col): Run => [' ', { bg: rgb(first + col) }]),
  );
}

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 2],
  [5, 4],
  [16, 4],
  [17, 8],
  [256, 8],
])('%i colours take %i bits a pixel', (colors, depth) => {
  const row = colors === 1 ? rowOf(1, []) : backgrounds(colors - 1);
  const png = freshBytes(screenOf([row]), { ...SMALL, cursor: false });
  expect([png[DEPTH_AT], png[COLOR_TYPE_AT]]).toEqual([depth, 3]);
});

test('one colour more than a palette has makes truecolour', () => {
  const png = freshBytes(screenOf([backgrounds(256)]), { ...SMALL, cursor: false });
  expect([png[DEPTH_AT], png[COLOR_TYPE_AT]]).toEqual([8, TRUECOLOUR]);
});

/** A row in so many pens. */
function pens(count: number, first: number): SnapshotRow {
  return rowOf(
    COLS,
    Array.from({ length: count }, (_, pen): Run => [
      'm',
      { fg: rgb((((first + pen) * 0x3d_c6ef) % 0x100_0000) | 0x40_4040) },
    ]),
  );
}

const plain = Array.from({ length: 6 }, (_, y) => rowOf(COLS, [[`row ${y}`]]));
const green = rowOf(COLS, [['ok', { fg: indexed(2) }]]);
const emoji = rowOf(COLS, [['😀']]);
const noise = Array.from({ length: 6 }, (_, y) =>
  rowOf(
    60,
    Array.from({ length: 60 }, (__, x): Run => ['▀', { fg: rgb(x * 70_001 + y), bg: rgb(y * 700_001 + x) }]),
  ),
);

/** What is on screen, one after the other. */
const STEPS: readonly (readonly [string, readonly SnapshotRow[], Partial<Snapshot>?])[] = [
  ['text', plain],
  ['the same again', plain],
  ['a colour that comes', plain.with(2, green)],
  ['and goes', plain],
  ['a picture', plain.with(0, emoji)],
  ['more pens than have room with all levels', plain.map((_, y) => pens(4, y * 4))],
  ['one row of them goes', plain.map((row, y) => (y === 0 ? row : pens(4, y * 4)))],
  ['half of them go', plain.map((row, y) => (y < 3 ? row : pens(4, y * 4)))],
  ['many pens', plain.map((_, y) => pens(12, y * 12))],
  ['some of them go', plain.map((row, y) => (y < 2 ? row : pens(12, y * 12)))],
  ['the others', plain.map((_, y) => (y < 2 ? pens(12, y * 12) : pens(2, 0)))],
  ['a cursor', plain, { cursor: cursorAt(1, 1) }],
  ['a cursor elsewhere', plain, { cursor: cursorAt(4, 2) }],
  ['a bar', plain, { cursor: cursorAt(4, 2, 'bar') }],
  ['fewer rows', plain.slice(2)],
  ['all rows', plain],
  ['one row many times', plain.map(() => green)],
  ['scrolled', [...plain.slice(1), green]],
];

test.each([
  ['without a border', {}],
  ['with a border', { pad: 3 }],
  ['without a cursor', { cursor: false }],
])('colours come and go: %s', (_, more) => {
  const options = { ...SMALL, ...more };
  const terminal = {};
  for (const [what, lines, content] of STEPS) {
    const snapshot = screenOf(lines, content);
    const drawn = bytesOf(renderer.render(snapshot, options, terminal));
    expect(drawn.equals(freshBytes(snapshot, options)), what).toBe(true);
    expect(drawn.readUInt32BE(20), what).toBe(lines.length * 8 + 2 * options.pad);
  }
});

test('truecolour comes and goes row by row', () => {
  const terminal = {};
  const blank = rowOf(60, [['text']]);
  for (let count = 0; count <= 12; count++) {
    const lines = noise.map((row, y) => ((count <= 6 ? y < count : y >= count - 6) ? row : blank));
    const snapshot = screenOf(lines);
    const drawn = bytesOf(renderer.render(snapshot, SMALL, terminal));
    expect(drawn.equals(freshBytes(snapshot, SMALL)), `${count}`).toBe(true);
  }
});

test('only rows in a new colour are painted again if there is room for it', () => {
  const used = newRenderer();
  const lines = plain.with(2, green);
  const first = used.render(screenOf(lines), SMALL);
  const moved = used.render(screenOf(lines.with(5, rowOf(COLS, [['end', { fg: indexed(2) }]]))), SMALL);
  // Head and five rows: of the others one is new, and so are the length of the data and its checksums.
  expect(moved.chunks.filter((chunk) => first.chunks.includes(chunk))).toHaveLength(6);
});
