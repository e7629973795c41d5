/** An SVG picture, element by element. */
import { expect, test } from 'vitest';
import type { PictureOptions } from '../../../src/render/picture-options.js';
import { drawSvg } from '../../../src/render/vector/svg.js';
import {
  ATTR_BOLD,
  ATTR_ITALIC,
  ATTR_OVERLINE,
  ATTR_STRIKETHROUGH,
  type LineSize,
  type Snapshot,
} from '../../../src/vt/snapshot.js';
import { cursorAt, type Pen, rgb, rowOf, type Run, screen, screenOf } from '../support/screen.js';
import { OPTIONS } from '../support/test-renderer.js';

const PADDED: PictureOptions = { ...OPTIONS, cellWidth: 10, cellHeight: 20, pad: 3 };

/** The pieces of a picture, and its size. */
function pieces(snapshot: Snapshot, options: PictureOptions): { rows: string[]; head: string; size: string } {
  const drawing = drawSvg(snapshot, options);
  const parts: string[] = [];
  for (;;) {
    const { done, value } = drawing.next();
    if (done === true)
      return { head: parts[0] ?? '', rows: parts.slice(1, -1), size: `${value.width}x${value.height}` };
    parts.push(value);
  }
}

function rowsOf(runs: readonly Run[], more: Partial<PictureOptions> = {}, cols = 4): string[] {
  return pieces(screen(cols, [runs]), { ...OPTIONS, ...more }).rows;
}

function elements(row: string | undefined): string[] {
  return (row ?? '').match(/<[^>]*>(?:[^<]+<\/text>)?/g) ?? [];
}

test('the picture is as large as its cells and its border, on the background of the screen', () => {
  const { head, rows, size } = pieces(screen(4, ['ab', ''], { title: 'a < b' }), PADDED);
  expect(size).toBe('46x46');
  expect(head).toContain('<svg xmlns="http://www.w3.org/2000/svg" width="46" height="46" viewBox="0 0 46 46">');
  expect(head).toContain('<title>a &#60; b</title>');
  expect(head).toContain('<rect width="46" height="46" fill="#000000"/>');
  expect(head).toMatch(/text\{font:16\.\d{1,3}px '/);
  expect(rows).toHaveLength(2);
  expect(rows[1]).toBe('');
});

test('text is placed cell by cell, each row below the one before', () => {
  const { rows } = pieces(screen(4, ['ab', 'c']), PADDED);
  const [first, second] = rows.map((row) => /x="([\d ]+)" y="(\d+)"/.exec(row)?.slice(1) ?? []);
  expect(first?.[0]).toBe('3 13 23 33');
  expect(Number(second?.[1]) - Number(first?.[1])).toBe(20);
  expect(Number(first?.[1])).toBeGreaterThan(3 + 10);
  expect(Number(first?.[1])).toBeLessThan(3 + 20);
  expect(rows[0]).toMatch(/ fill="#e5e5e5">ab {2}<\/text>\n$/);
});

test('a wide character is stretched over its two cells', () => {
  expect(elements(rowsOf([['漢']], {}, 2)[0])).toEqual([
    '<text xml:space="preserve" x="0" y="12" fill="#e5e5e5" textLength="16" lengthAdjust="spacingAndGlyphs">漢</text>',
  ]);
});

test.each<[string, Pen, string]>([
  ['bold', { attrs: ATTR_BOLD }, ' class="b"'],
  ['italic', { attrs: ATTR_ITALIC }, ' class="i"'],
  ['bold and italic', { attrs: ATTR_BOLD | ATTR_ITALIC }, ' class="b i"'],
  ['underlined', { underline: 1 }, ' style="text-decoration:underline solid #e5e5e5"'],
  ['underlined twice', { underline: 2 }, ' style="text-decoration:underline double #e5e5e5"'],
  ['with a wave below', { underline: 3 }, ' style="text-decoration:underline wavy #e5e5e5"'],
  ['with dots below', { underline: 4 }, ' style="text-decoration:underline dotted #e5e5e5"'],
  ['with dashes below', { underline: 5 }, ' style="text-decoration:underline dashed #e5e5e5"'],
  [
    'underlined in a colour of its own',
    { underline: 1, underlineColor: rgb(0xff0000) },
    ' style="text-decoration:underline solid #ff0000"',
  ],
  ['struck through', { attrs: ATTR_STRIKETHROUGH }, ' style="text-decoration:line-through #e5e5e5"'],
  ['with a line above', { attrs: ATTR_OVERLINE }, ' style="text-decoration:overline #e5e5e5"'],
  [
    'with all lines',
    { underline: 1, attrs: ATTR_STRIKETHROUGH | ATTR_OVERLINE },
    ' style="text-decoration:underline line-through overline solid #e5e5e5"',
  ],
  ['plain', {}, ''],
])('text is %s', (_, pen, attributes) => {
  expect(rowsOf([['ab', pen]], {}, 2)).toEqual([
    `<text xml:space="preserve" x="0 8" y="12" fill="#e5e5e5"${attributes}>ab</text>\n`,
  ]);
});

test.each<[string, Pen]>([
  ['an underline', { underline: 1 }],
  ['a line through them', { attrs: ATTR_STRIKETHROUGH }],
  ['an overline', { attrs: ATTR_OVERLINE }],
])('blanks are written if they have %s, and not otherwise', (_, pen) => {
  expect(elements(rowsOf([['  ', pen]])[0])).toHaveLength(1);
  expect(rowsOf([['  ']])).toEqual(['']);
});

test('its own background is a rectangle below the text', () => {
  expect(rowsOf([['a'], ['b ', { bg: rgb(0x000080) }]], { pad: 2 })[0]).toContain(
    '<rect x="10" y="2" width="16" height="16" fill="#000080"/><text',
  );
});

test('a sprite is rectangles in the colour of the text, in its cell', () => {
  expect(rowsOf([['a'], ['█', { fg: rgb(0x00ff00) }]], { pad: 2 }, 2)[0]).toContain(
    '<rect x="10" y="2" width="8" height="16" fill="#00ff00"/>',
  );
  expect(rowsOf([['█']], {}, 1)[0]).not.toContain('<text');
});

const YELLOW = {
  colors: { palette: new Map(), foreground: undefined, background: undefined, cursor: 0xffff00 },
} as const;

test.each([
  ['bar', ['<rect x="18" y="2" width="2" height="16" fill="#ffff00"/>']],
  ['underline', ['<rect x="18" y="16" width="16" height="2" fill="#ffff00"/>']],
] as const)('a cursor of the shape %s is drawn upon its cells', (shape, expected) => {
  const shown = screen(4, ['ab漢'], { cursor: cursorAt(0, 2, shape), ...YELLOW });
  const drawn = elements(pieces(shown, { ...OPTIONS, pad: 2 }).rows[0]);
  expect(drawn.slice(-1)).toEqual(expected);
});

test('a cursor without focus is hollow, and the cursor can be left out', () => {
  const shown = screen(2, [''], { cursor: cursorAt(0, 1), ...YELLOW });
  expect(elements(pieces(shown, { ...OPTIONS, focused: false }).rows[0])).toEqual([
    '<rect x="8" y="0" width="1" height="16" fill="#ffff00"/>',
    '<rect x="15" y="0" width="1" height="16" fill="#ffff00"/>',
    '<rect x="8" y="0" width="8" height="1" fill="#ffff00"/>',
    '<rect x="8" y="15" width="8" height="1" fill="#ffff00"/>',
  ]);
  expect(pieces(shown, { ...OPTIONS, cursor: false }).rows).toEqual(['']);
});

test('a block cursor is the background of its cell', () => {
  const shown = screen(2, [''], { cursor: cursorAt(0, 1), ...YELLOW });
  for (const focused of [undefined, true]) {
    expect(pieces(shown, { ...OPTIONS, focused }).rows[0]).toBe(
      '<rect x="8" y="0" width="8" height="16" fill="#ffff00"/>\n',
    );
  }
});

test('a box has the edges in its row', () => {
  const marks = [{ row: 0, col: 1, rows: 2, cols: 2 }];
  const { rows } = pieces(screen(4, ['', '']), { ...OPTIONS, cellWidth: 12, cellHeight: 24, pad: 1, marks });
  const side = (x: number, y: number, width: number, height: number): string =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#ff2d95"/>`;
  expect(elements(rows[0])).toEqual([side(13, 1, 2, 24), side(35, 1, 2, 24), side(13, 1, 24, 2)]);
  expect(elements(rows[1])).toEqual([side(13, 25, 2, 24), side(35, 25, 2, 24), side(13, 47, 24, 2)]);
});

test.each<[LineSize, string, string]>([
  ['double-width', 'inset(0px 0 0px 0)', 'translate(2 2) scale(2 1) translate(-2 -2)'],
  ['double-top', 'inset(0px 0 16px 0)', 'translate(2 2) scale(2 2) translate(-2 -2)'],
  ['double-bottom', 'inset(16px 0 0px 0)', 'translate(2 -14) scale(2 2) translate(-2 -2)'],
])('a line of size %s is a row scaled and cut to its place, under unscaled boxes', (size, clip, transform) => {
  const marks = [{ row: 0, col: 0, rows: 1, cols: 1 }];
  const [row] = pieces(screenOf([rowOf(4, [['ab']], size)]), { ...OPTIONS, pad: 2, marks }).rows;
  expect(row).toMatch(/<\/text><\/g><\/g><rect/);
  expect(elements(row).slice(0, 2)).toEqual([`<g style="clip-path:${clip}">`, `<g transform="${transform}">`]);
});

test('unchanged rows are faded', () => {
  const { rows } = pieces(screen(1, ['█', '█']), { ...OPTIONS, unchangedRows: new Set([1]) });
  expect(rows.map((row) => /fill="([^"]*)"/.exec(row)?.[1])).toEqual(['#e5e5e5', '#5c5c5c']);
});

test('invalid cells are refused', () => {
  expect(() => pieces(screen(1, ['']), { ...OPTIONS, cellHeight: 17 })).toThrow(RangeError);
});
