import { expect, test } from 'vitest';

import {
  ATTR_BOLD,
  ATTR_DIM,
  ATTR_INVERSE,
  ATTR_INVISIBLE,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
} from '../../src/vt/snapshot.js';
import { bytesOf, cellColors, isSame, pixelsOf } from './support/pixels.js';
import { cursorAt, indexed, rgb, rowOf, screen, screenOf } from './support/screen.js';
import { newRenderer, OPTIONS, themeNamed } from './support/test-renderer.js';

const BLACK = 0x000000;
const XTERM_FOREGROUND = 0xe5e5e5;
const renderer = newRenderer();
const paint = (snapshot: Parameters<typeof renderer.render>[0], more = {}) =>
  pixelsOf(renderer.render(snapshot, { ...OPTIONS, ...more }));

test('the picture has the geometry of the grid, for any content', async () => {
  for (const [cols, rows] of [
    [1, 1],
    [80, 24],
    [500, 200],
  ] as const) {
    const lines = Array.from({ length: rows }, () => rowOf(cols, [['x'.repeat(cols)]]));
    const picture = renderer.render(screenOf(lines), OPTIONS);
    const pixels = await pixelsOf(picture);
    expect([picture.width, picture.height]).toEqual([cols * 8, rows * 16]);
    expect([pixels.width, pixels.height]).toEqual([cols * 8, rows * 16]);
  }
});

test('pad adds blank pixels on every side', async () => {
  const snapshot = screen(2, [[['  ', { bg: rgb(0xff0000) }]]]);
  const pixels = await paint(snapshot, { pad: 3, cursor: false });
  expect([pixels.width, pixels.height]).toEqual([2 * 8 + 6, 16 + 6]);
  for (let y = 0; y < pixels.height; y++) {
    for (let x = 0; x < pixels.width; x++) {
      const inside = x >= 3 && x < 19 && y >= 3 && y < 19;
      expect(pixels.at(x, y)).toBe(inside ? 0xff0000 : BLACK);
    }
  }
});

test('the background of spaces reaches from the first cell to the last, of the last row too', async () => {
  const pixels = await paint(screen(10, ['', [[' '.repeat(10), { bg: indexed(4) }]]]));
  for (let col = 0; col < 10; col++) {
    expect(cellColors(pixels, 0, col, 8)).toEqual(new Set([BLACK]));
    expect(cellColors(pixels, 1, col, 8)).toEqual(new Set([0x0000ee]));
  }
});

test('text is drawn from its background to its foreground', async () => {
  const pixels = await paint(screen(3, [[['M█g', { fg: rgb(0xff8000), bg: rgb(0x000080) }]]]), { minimumContrast: 1 });
  expect(cellColors(pixels, 0, 0, 8)).toContain(0xff8000);
  expect(cellColors(pixels, 0, 0, 8)).toContain(0x000080);
  expect(cellColors(pixels, 0, 1, 8)).toEqual(new Set([0xff8000]));
});

test('inverse swaps the two colours', async () => {
  const pixels = await paint(screen(1, [[[' ', { attrs: ATTR_INVERSE }]]]));
  expect(cellColors(pixels, 0, 0, 8)).toEqual(new Set([XTERM_FOREGROUND]));
});

test('neither invisible text nor its lines are drawn', async () => {
  const pixels = await paint(screen(2, [[['ab', { attrs: ATTR_INVISIBLE | ATTR_STRIKETHROUGH, underline: 1 }]]]));
  expect(cellColors(pixels, 0, 0, 8)).toEqual(new Set([BLACK]));
});

test('bold has more ink than regular, dim is darker', async () => {
  expect(await inkOf(ATTR_BOLD)).toBeGreaterThan((await inkOf(0)) * 1.1);
  expect(await inkOf(ATTR_DIM)).toBeLessThan((await inkOf(0)) * 0.8);
});

test('bold brightens the first eight colours only on request', async () => {
  const snapshot = screen(1, [[['█', { fg: indexed(1), attrs: ATTR_BOLD }]]]);
  expect((await paint(snapshot)).at(4, 8)).toBe(0xcd0000);
  expect((await paint(snapshot, { boldAsBright: true })).at(4, 8)).toBe(0xff0000);
});

test('every underline style draws below the letters, in its own colour when it has one', async () => {
  for (const underline of [1, 2, 3, 4, 5]) {
    const pixels = await paint(screen(8, [[['aaaaaaaa', { underline, underlineColor: rgb(0x00ff00) }]]]));
    const rows = Array.from({ length: 16 }, (_, y) => Array.from({ length: 64 }, (_, x) => pixels.at(x, y)));
    const lit = rows.map(
      (row) => row.filter((color) => color > 0x00a000 && color <= 0x00ff00 && (color & 0xff) === 0).length,
    );
    const first = lit.findIndex((count) => count > 0);
    expect(first).toBeGreaterThanOrEqual(12);
    expect(lit.reduce((a, b) => a + b)).toBeGreaterThan(8);
  }
});

test('strikethrough and overline cross the whole cell', async () => {
  const pixels = await paint(screen(1, [[[' ', { attrs: ATTR_STRIKETHROUGH | ATTR_OVERLINE }]]]));
  const full = Array.from({ length: 16 }, (_, y) => y).filter((y) =>
    Array.from({ length: 8 }, (_, x) => pixels.at(x, y)).every((color) => color === XTERM_FOREGROUND),
  );
  expect(full).toHaveLength(2);
  expect(full[0]).toBe(0);
  expect(full[1]).toBeGreaterThan(6);
  expect(full[1]).toBeLessThan(12);
});

test('a wide character covers two cells, and its cursor too', async () => {
  const snapshot = screen(4, ['😀ab'], { cursor: cursorAt(0, 1) });
  const pixels = await paint(snapshot, { theme: { ...themeNamed('xterm'), cursor: 0x00ff00 } });
  expect(pixels.at(0, 0)).toBe(0x00ff00);
  expect(pixels.at(15, 0)).toBe(0x00ff00);
  expect(pixels.at(16, 0)).toBe(BLACK);
});

test('the block cursor leaves the glyph under it readable', async () => {
  const theme = { ...themeNamed('xterm'), cursor: 0x00ff00 };
  const pixels = await paint(screen(3, ['xHx'], { cursor: cursorAt(0, 1) }), { theme });
  const colors = cellColors(pixels, 0, 1, 8);
  expect(colors).toContain(0x00ff00);
  expect(colors).toContain(BLACK);
});

test('bar, underline and hollow cursors draw at their edges and leave the cell', async () => {
  const theme = { ...themeNamed('xterm'), cursor: 0x00ff00 };
  const at = async (shape: 'bar' | 'underline' | 'block', more = {}) =>
    paint(screen(2, ['  '], { cursor: cursorAt(0, 1, shape) }), { theme, ...more });
  const bar = await at('bar');
  expect([bar.at(8, 0), bar.at(8, 15), bar.at(15, 8)]).toEqual([0x00ff00, 0x00ff00, BLACK]);
  const underline = await at('underline');
  expect([underline.at(8, 15), underline.at(15, 15), underline.at(8, 0)]).toEqual([0x00ff00, 0x00ff00, BLACK]);
  const hollow = await at('block', { focused: false });
  expect([hollow.at(8, 0), hollow.at(15, 15), hollow.at(12, 8)]).toEqual([0x00ff00, 0x00ff00, BLACK]);
});

test('a cursor after the end of the line is on the last cell; a hidden one is not drawn', async () => {
  const past = await paint(screen(3, ['   '], { cursor: cursorAt(0, 3) }));
  expect(past.at(23, 0)).toBe(XTERM_FOREGROUND);
  const hidden = await paint(screen(3, ['   '], { cursor: { ...cursorAt(0, 0), visible: false } }));
  expect(new Set(hidden.rgb)).toEqual(new Set([BLACK]));
});

test("DECSCNM and the program's colours replace the theme", async () => {
  const reversed = await paint(screen(1, [' '], { reverseScreen: true }));
  expect(reversed.at(0, 0)).toBe(XTERM_FOREGROUND);
  const colors = { palette: new Map([[1, 0x123456]]), foreground: 0xabcdef, background: 0x654321, cursor: 0x00ff00 };
  const pixels = await paint(screen(3, [[['█'], ['█', { fg: indexed(1) }]]], { colors, cursor: cursorAt(0, 2) }));
  expect([pixels.at(0, 0), pixels.at(8, 0), pixels.at(16, 0)]).toEqual([0xabcdef, 0x123456, 0x00ff00]);
});

test('a double-width line shows half of its cells, each twice as wide; double-height lines are two halves', async () => {
  const cells = rowOf(4, [['█ █ ']], 'double-width');
  const pixels = await paint(screenOf([cells]), { cursor: false });
  expect([pixels.at(15, 8), pixels.at(16, 8), pixels.at(31, 8)]).toEqual([XTERM_FOREGROUND, BLACK, BLACK]);
  const halves = await paint(screenOf([rowOf(2, [['▀']], 'double-top'), rowOf(2, [['▀']], 'double-bottom')]));
  expect(halves.at(15, 15)).toBe(XTERM_FOREGROUND);
  expect(halves.at(0, 16)).toBe(BLACK);
});

test('text that a theme would hide in its background is raised to the minimum contrast, graphics are not', async () => {
  const snapshot = screen(2, [[['M█', { fg: rgb(0x000050) }]]]);
  const adjusted = await paint(snapshot);
  expect(cellColors(adjusted, 0, 0, 8)).not.toContain(0x000050);
  expect(adjusted.at(12, 8)).toBe(0x000050);
  expect(cellColors(await paint(snapshot, { minimumContrast: 1 }), 0, 0, 8)).toContain(0x000050);
});

test('a character without a face is a box with its code, not a blank and not a glyph of the host', async () => {
  const pixels = await paint(screen(2, ['\u{10fffd}']), { cellWidth: 16, cellHeight: 32 });
  expect(Array.from({ length: 16 }, (_, x) => pixels.at(x, 0))).toEqual(Array<number>(16).fill(XTERM_FOREGROUND));
  expect(cellColors(pixels, 0, 0, 16).size).toBe(2);
});

test('a repeated picture is byte for byte the same, also by another renderer', () => {
  const snapshot = screen(40, ['hello \u001b wörld 漢 😀', [['x', { underline: 3 }]]], { cursor: cursorAt(0, 3) });
  const first = bytesOf(newRenderer().render(snapshot, OPTIONS));
  expect(bytesOf(newRenderer().render(snapshot, OPTIONS)).equals(first)).toBe(true);
});

test('an unchanged screen is the same picture; if rows change one by one the others keep their chunks', () => {
  const own = newRenderer();
  const lines = ['a', 'b', 'c', 'd'].map((text) => rowOf(10, [[text]]));
  const first = own.render(screenOf(lines), OPTIONS);
  expect(own.render(screenOf(lines, { rev: 2 }), OPTIONS)).toBe(first);
  const second = own.render(screenOf(lines.with(1, rowOf(10, [['B']]))), OPTIONS);
  const third = own.render(screenOf(lines.with(1, rowOf(10, [['!']]))), OPTIONS);
  const isKept = third.chunks.map((chunk) => second.chunks.includes(chunk));
  // Head, length of the data, four rows, checksums: no colour is new, so the head with its palette is the same.
  expect(isKept).toEqual([true, false, true, false, true, true, false]);
});

test('a new colour makes a new head', async () => {
  const own = newRenderer();
  const lines = ['a', 'b'].map((text) => rowOf(10, [[text]]));
  const before = own.render(screenOf(lines), OPTIONS);
  const red = screenOf(lines.with(1, rowOf(10, [['b', { fg: rgb(0xff0000) }]])));
  const after = own.render(red, OPTIONS);
  expect(before.chunks).not.toContain(after.chunks[0]);
  expect(isSame(await pixelsOf(after), await pixelsOf(newRenderer().render(red, OPTIONS)))).toBe(true);
});

test('a moved row keeps its chunk', () => {
  const own = newRenderer();
  const lines = ['a', 'b', 'c'].map((text) => rowOf(10, [[text]]));
  own.render(screenOf(lines), OPTIONS);
  const apart = own.render(screenOf(lines.with(0, rowOf(10, []))), OPTIONS);
  const scrolled = own.render(screenOf([...lines.slice(1), rowOf(10, [['new']])]), OPTIONS);
  // Two rows, and the head.
  expect(scrolled.chunks.filter((chunk) => apart.chunks.includes(chunk))).toHaveLength(3);
});

test('cells outside of 4 to 64 pixels, or not twice as high as wide, are refused', () => {
  const snapshot = screen(1, ['x']);
  for (const cellWidth of [0, 3, 65, 7.5, Number.NaN]) {
    expect(() => renderer.render(snapshot, { ...OPTIONS, cellWidth, cellHeight: cellWidth * 2 })).toThrow(RangeError);
  }
  expect(() => renderer.render(snapshot, { ...OPTIONS, cellHeight: 17 })).toThrow(RangeError);
  for (const cellWidth of [4, 64]) renderer.render(snapshot, { ...OPTIONS, cellWidth, cellHeight: cellWidth * 2 });
});

async function inkOf(attrs: number): Promise<number> {
  const pixels = await paint(screen(4, [[['abcd', { attrs, fg: rgb(0xffffff) }]]]), { cursor: false });
  return pixels.rgb.reduce((sum, color) => sum + (color & 0xff), 0);
}
