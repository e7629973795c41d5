import { expect, test } from 'vitest';
import { MARK_COLOR } from '../../src/render/raster/overlays.js';
import { PictureRegionError, viewOf } from '../../src/render/view.js';
import { graphemeAt } from '../../src/vt/snapshot.js';
import { cellColors, pixelsOf } from './support/pixels.js';
import { cursorAt, rgb, rowOf, screen, screenOf } from './support/screen.js';
import { newRenderer, OPTIONS, themeNamed } from './support/test-renderer.js';

const renderer = newRenderer();

function textOf(snapshot: ReturnType<typeof screen>, y: number): string {
  return Array.from({ length: snapshot.cols }, (_, col) => graphemeAt(snapshot.lines[y]!, col) || ' ').join('');
}

test('a region has the same pixels as that part of the whole picture', async () => {
  const lines = ['0123456789', 'abcdefghij', 'ABCDEFGHIJ', '!@#$%^&*()'];
  const snapshot = screen(10, lines, { cursor: cursorAt(2, 4) });
  const whole = await pixelsOf(renderer.render(snapshot, OPTIONS));
  const region = { row: 1, col: 2, rows: 2, cols: 5 };
  const part = await pixelsOf(renderer.render(snapshot, { ...OPTIONS, region }));
  expect([part.width, part.height]).toEqual([40, 32]);
  for (let y = 0; y < 32; y++) for (let x = 0; x < 40; x++) expect(part.at(x, y)).toBe(whole.at(x + 16, y + 16));
});

test('a region outside of the grid is refused with both sizes', () => {
  const snapshot = screen(10, ['x', 'y']);
  for (const region of [
    { row: 0, col: 0, rows: 3, cols: 10 },
    { row: 0, col: 6, rows: 1, cols: 5 },
    { row: -1, col: 0, rows: 1, cols: 1 },
    { row: 0, col: 0, rows: 0, cols: 1 },
    { row: 0.5, col: 0, rows: 1, cols: 1 },
  ]) {
    expect(() => renderer.render(snapshot, { ...OPTIONS, region })).toThrow(PictureRegionError);
    expect(() => renderer.render(snapshot, { ...OPTIONS, region })).toThrow(/2 rows and 10 columns/);
  }
});

test('half of a wide character at the edge of a region is blank, and a cursor outside is not drawn', async () => {
  const snapshot = screen(6, [[['漢漢漢', { bg: rgb(0x0000ff) }]]], { cursor: cursorAt(0, 0) });
  const pixels = await pixelsOf(
    renderer.render(snapshot, { ...OPTIONS, region: { row: 0, col: 1, rows: 1, cols: 4 } }),
  );
  expect(cellColors(pixels, 0, 0, 8)).toEqual(new Set([0x0000ff]));
  expect(cellColors(pixels, 0, 3, 8)).toEqual(new Set([0x0000ff]));
  expect(cellColors(pixels, 0, 1, 8).size).toBeGreaterThan(1);
});

test('rulers number rows and columns of the grid, also within a region', () => {
  const lines = Array.from({ length: 12 }, (_, y) => `line ${y}`);
  const whole = viewOf(screen(30, lines), { rulers: true });
  expect(whole.snapshot.rows).toBe(13);
  expect(whole.snapshot.cols).toBe(33);
  expect(textOf(whole.snapshot, 0)).toBe('   0    ·    10   ·    20   ·    ');
  expect(textOf(whole.snapshot, 12).trimEnd()).toBe('11│line 11');
  const part = viewOf(screen(30, lines), { rulers: true, region: { row: 9, col: 8, rows: 2, cols: 5 } });
  expect(textOf(part.snapshot, 0)).toBe('     10 ');
  expect(textOf(part.snapshot, 1)).toBe(' 9│     ');
  expect([part.rowOffset, part.colOffset]).toEqual([1 - 9, 3 - 8]);
});

test('rows made from the same row in the same way are the same object', () => {
  const lines = ['a', 'b'].map((text) => rowOf(5, [[text]]));
  const options = { rulers: true, region: { row: 0, col: 1, rows: 2, cols: 3 } };
  const first = viewOf(screenOf(lines), options).snapshot.lines;
  const second = viewOf(screenOf(lines, { rev: 2 }), options).snapshot.lines;
  expect(second.map((row, y) => row === first[y])).toEqual([true, true, true]);
});

test('a mark is a box around its cells, also with rulers and beyond the edge', async () => {
  const snapshot = screen(8, ['        ', '        ', '        ']);
  const marks = [
    { row: 1, col: 2, rows: 1, cols: 3 },
    { row: 2, col: 6, rows: 5, cols: 9 },
  ];
  const pixels = await pixelsOf(renderer.render(snapshot, { ...OPTIONS, cursor: false, marks }));
  const marked = (x: number, y: number): boolean => pixels.at(x, y) === MARK_COLOR;
  expect([marked(16, 16), marked(39, 31), marked(28, 16), marked(16, 24)]).toEqual([true, true, true, true]);
  expect([marked(15, 16), marked(40, 20), marked(28, 24)]).toEqual([false, false, false]);
  expect([marked(48, 32), marked(63, 40), marked(55, 47)]).toEqual([true, true, false]);
  const ruled = await pixelsOf(renderer.render(snapshot, { ...OPTIONS, cursor: false, marks, rulers: true }));
  expect(ruled.at(16 + 16, 16 + 16)).toBe(MARK_COLOR);
});

test('unchanged rows are faded towards the background, the others are not', async () => {
  const theme = { ...themeNamed('xterm'), foreground: 0xffffff };
  const options = { ...OPTIONS, theme, cursor: false, unchangedRows: new Set([0]) };
  const pixels = await pixelsOf(renderer.render(screen(2, ['█😀', '█😀']), options));
  expect(pixels.at(4, 8)).toBe(0x666666);
  expect(pixels.at(4, 24)).toBe(0xffffff);
});
