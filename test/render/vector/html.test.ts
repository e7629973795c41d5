/** An HTML picture, element by element; what a run of text looks like is in vector-style.test.ts. */
import { expect, test } from 'vitest';
import { drawHtml } from '../../../src/render/vector/html.js';
import type { PictureOptions } from '../../../src/render/picture-options.js';
import type { LineSize, Snapshot } from '../../../src/vt/snapshot.js';
import { cursorAt, rgb, rowOf, screen, screenOf } from '../support/screen.js';
import { OPTIONS } from '../support/test-renderer.js';

/** The pieces of a picture, and its size. */
function pieces(
  snapshot: Snapshot,
  options: PictureOptions = OPTIONS,
): { head: string; rows: string[]; tail: string; size: string } {
  const drawing = drawHtml(snapshot, options);
  const parts: string[] = [];
  for (;;) {
    const { done, value } = drawing.next();
    if (done === true) {
      const [head = '', tail = ''] = [parts[0], parts.at(-1)];
      return { head, rows: parts.slice(1, -1), tail, size: `${value.width}x${value.height}` };
    }
    parts.push(value);
  }
}

test('the page is as large as its cells and its border, in the colours of the screen', () => {
  const theme = { ...OPTIONS.theme, background: 0x102030 };
  const { head, tail, rows, size } = pieces(screen(4, ['ab', 'c'], { title: 'a < b' }), { ...OPTIONS, theme, pad: 3 });
  expect(size).toBe('38x38');
  expect(head).toContain('<title>a &#60; b</title>');
  expect(head).toContain('body{margin:0;background:#102030}');
  expect(head).toContain('pre{margin:0;padding:3px;width:32px;color:#e5e5e5;background:#102030;font:13.');
  expect(head).toContain('px/16px ');
  expect(head).toContain('pre div{position:relative;height:16px;');
  expect(rows).toEqual([
    '<div><div><span style="width:32px;color:#e5e5e5">ab  </span></div></div>',
    '<div><div><span style="width:32px;color:#e5e5e5">c   </span></div></div>',
  ]);
  expect(tail).toBe('</pre></body></html>\n');
});

test('a wide character has a box of its own, as wide as its cells', () => {
  expect([...(pieces(screen(4, ['a漢b'])).rows[0] ?? '').matchAll(/width:(\d+)px[^>]*>([^<]*)/g)]).toMatchObject([
    { 1: '8', 2: 'a' },
    { 1: '16', 2: '漢' },
    { 1: '8', 2: 'b' },
  ]);
});

test('a sprite is invisible text under its shape, which the page has once for each width', () => {
  const { rows, tail } = pieces(screen(3, ['██', '█']));
  const shown = '<b><u>█</u><svg><use href="#u2588-1"/></svg></b></span>';
  expect(rows[0]).toBe(
    `<div><div>${`<span style="width:8px;color:#e5e5e5">${shown}`.repeat(2)}` +
      '<span style="width:8px;color:#e5e5e5"> </span></div></div>',
  );
  expect(rows[1]).toContain(shown);
  expect(tail).toBe(
    '</pre><svg style="display:none"><symbol id="u2588-1" viewBox="0 0 8 16">' +
      '<rect x="0" y="0" width="8" height="16" fill="currentColor"/></symbol></svg></body></html>\n',
  );
  expect(pieces(screen(2, ['▀▄'])).tail.match(/<symbol id="[^"]*"/g)).toEqual([
    '<symbol id="u2580-1"',
    '<symbol id="u2584-1"',
  ]);
});

test.each([
  ['https://example.org/?a&b', '<a href="https://example.org/?a&#38;b">x</a>'],
  ['HTTP://EXAMPLE.ORG', '<a href="HTTP://EXAMPLE.ORG">x</a>'],
  ['mailto:a@example.org', '<a href="mailto:a@example.org">x</a>'],
  ['file:///etc/hosts', '<a href="file:///etc/hosts">x</a>'],
  ['javascript:alert(1)', 'x'],
  ['data:text/html,x', 'x'],
  ['xhttp://example.org', 'x'],
  [undefined, 'x'],
])('a link can be followed to safe places only: %s', (link, expected) => {
  const row = { ...rowOf(1, [['x']]), links: link === undefined ? undefined : new Map([[0, link]]) };
  expect(pieces(screenOf([row])).rows[0]).toBe(
    `<div><div><span style="width:8px;color:#e5e5e5">${expected}</span></div></div>`,
  );
});

const YELLOW = {
  colors: { palette: new Map(), foreground: undefined, background: undefined, cursor: 0xffff00 },
} as const;
const OVER = 'top:0;width:16px;height:16px;';

test.each([
  ['bar', `left:16px;${OVER}border-left:2px solid #ffff00`],
  ['underline', `left:16px;${OVER}border-bottom:2px solid #ffff00`],
] as const)('a cursor of the shape %s lies upon its cells', (shape, style) => {
  const shown = screen(4, ['ab漢', ''], { cursor: cursorAt(0, 2, shape), ...YELLOW });
  const [first, second] = pieces(shown).rows;
  expect(first).toMatch(new RegExp(`</div><i style="${style}"></i></div>$`));
  expect(second).not.toContain('<i');
});

test('a cursor without focus is hollow, a block is the background of its cell, and the cursor can be left out', () => {
  const shown = screen(4, [''], { cursor: cursorAt(0, 1), ...YELLOW });
  const [hollow] = pieces(shown, { ...OPTIONS, focused: false }).rows;
  expect(hollow).toContain('<i style="left:8px;top:0;width:8px;height:16px;border:1px solid #ffff00"></i>');
  for (const focused of [undefined, true]) {
    const [block] = pieces(shown, { ...OPTIONS, focused }).rows;
    expect(block).toMatch(/<span style="width:8px;color:#[0-9a-f]{6};background:#ffff00"> <\/span>/);
    expect(block).not.toContain('<i');
  }
  expect(pieces(shown, { ...OPTIONS, cursor: false }).rows[0]).not.toContain('#ffff00');
});

test('a box has the edges in its row', () => {
  const { rows } = pieces(screen(5, ['', '', '']), { ...OPTIONS, marks: [{ row: 0, col: 1, rows: 3, cols: 2 }] });
  const line = '1px solid #ff2d95';
  const box = (more: string): string =>
    `<i style="left:8px;top:0;width:16px;height:16px;border-left:${line};border-right:${line}${more}"></i></div>`;
  expect(rows.map((row) => row.slice(row.indexOf('<i')))).toEqual([
    box(`;border-top:${line}`),
    box(''),
    box(`;border-bottom:${line}`),
  ]);
});

test.each<[LineSize, string]>([
  ['double-width', 'transform:scale(2,1);transform-origin:0 0;width:50%'],
  ['double-top', 'transform:scale(2,2);transform-origin:0 0;width:50%'],
  ['double-bottom', 'transform:scale(2,2);transform-origin:0 100%;width:50%'],
])('a line of size %s is scaled, and shows half of its cells', (size, style) => {
  const [row] = pieces(screenOf([rowOf(4, [['abcd']], size)])).rows;
  expect(row).toBe(`<div><div style="${style}"><span style="width:16px;color:#e5e5e5">ab</span></div></div>`);
});

test('text is escaped, and characters that XML forbids are replaced', () => {
  const [row] = pieces(screen(8, [[['<&>"\'', { fg: rgb(0xffffff) }], ['\u0007\ufffe']]])).rows;
  expect(row).toContain('>&#60;&#38;&#62;&#34;&#39;</span>');
  expect(row).toContain('>\ufffd\ufffd </span>');
});

test('unchanged rows are faded, also if rulers move them', () => {
  const options = { ...OPTIONS, unchangedRows: new Set([1]), rulers: true };
  const { rows } = pieces(screen(1, ['█', '█', '█']), options);
  const colorOf = (row: string | undefined): string | undefined => /color:(#\w+)">(?=<b><u>█)/.exec(row ?? '')?.[1];
  expect(rows.map(colorOf)).toEqual([undefined, '#e5e5e5', '#5c5c5c', '#e5e5e5']);
});

test('invalid cells are refused', () => {
  expect(() => pieces(screen(1, ['']), { ...OPTIONS, cellHeight: 17 })).toThrow(RangeError);
});
