/** Pure parts of the page: proofs, colors, boxes, keys, and what a text field's change means. */
import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Mirror, type Frame } from '../../src/mirror/mirror.js';
import { Announcer, SETTLED_MS } from '../../src/page/announcer.js';
import { isDrawn, rectanglesOf } from '../../src/page/block-shapes.js';
import { cellSize, fittedGrid } from '../../src/page/cell-size.js';
import { askedIn, listed } from '../../src/page/listed.js';
import { joined } from '../../src/page/joined-rows.js';
import { isBrowsers, keyName } from '../../src/page/key-names.js';
import { THEMES } from '../../src/render/theme.js';
import { contrast, indexed, legible, PALETTES, withProgramColors } from '../../src/page/palette.js';
import { hmac } from '../../src/page/sha256.js';
import { cssOf } from '../../src/page/sgr-css.js';
import { difference } from '../../src/page/text-difference.js';
import { anyText } from '../support/any-text.js';

test("the page's HMAC is that of Node, for keys and messages of any length", () => {
  fc.assert(
    fc.property(anyText({ maxLength: 200 }), anyText({ maxLength: 200 }), (key, message) => {
      expect(hmac(key, message)).toBe(createHmac('sha256', key).update(message).digest('hex'));
    }),
    { numRuns: 40 },
  );
});

describe('colors', () => {
  test('are those of pictures under the same themes', () => {
    expect(PALETTES.dark).toBe(THEMES.get('tokyo-night'));
    expect(PALETTES.light).toBe(THEMES.get('light'));
  });

  test('text has a contrast of 4.5 in every color on every ground of both themes', () => {
    for (const palette of Object.values(PALETTES)) {
      for (const ground of [palette.background, ...palette.ansi]) {
        for (const color of [palette.foreground, ...palette.ansi]) {
          expect(contrast(legible(color, ground, 4.5), ground)).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });

  test.each([
    ['1;31', 'color:#f7768e;font-weight:700'],
    ['7', 'color:#1a1b26;background-color:#c0caf5'],
    ['38:2::255:0:0', 'color:#ff0d0d'],
    ['48:5:21', 'background-color:#0000ff'],
    ['4:3;58:5:9', 'text-decoration:underline wavy;text-decoration-color:#f7768e'],
    ['9;53', 'text-decoration:line-through overline solid'],
    ['8', 'color:transparent'],
    ['5', 'animation:blink 1.2s step-end infinite'],
  ])('SGR %s is %s', (sgr, css) => {
    const options = { palette: PALETTES.dark, reverseScreen: false, isText: true };
    for (const one of css.split(';')) expect(cssOf(sgr, options).split(';').map(reddish)).toContain(reddish(one));
  });

  // A cube of 6 by 6 by 6, and 24 greys.
  test.each([
    [16, 0x000000],
    [17, 0x00005f],
    [21, 0x0000ff],
    [22, 0x005f00],
    [67, 0x5f87af],
    [196, 0xff0000],
    [231, 0xffffff],
    [232, 0x080808],
    [255, 0xeeeeee],
  ])('color %i of 256 is that of xterm in every theme', (index, color) => {
    for (const palette of Object.values(PALETTES)) expect(indexed(palette, index)).toBe(color);
  });

  test('blocks keep their exact colors, also where text would be changed', () => {
    const css = cssOf('38:2::30:30:40', { palette: PALETTES.dark, reverseScreen: false, isText: false });
    expect(css).toBe('color:#1e1e28');
  });

  test('colors that the program has set are used', () => {
    const palette = withProgramColors(PALETTES.dark, { background: '#ffffff', palette: { '1': '#123456' } });
    expect(cssOf('41', { palette, reverseScreen: false, isText: false })).toContain('background-color:#123456');
    expect(palette.background).toBe(0xffffff);
  });
});

/** The exact shade that is legible is another test's. */
function reddish(css: string): string {
  return css.replace(/^color:#ff(\w\w)\1$/, 'color:red');
}

describe('boxes', () => {
  const boxes = Array.from({ length: 0xa0 }, (_, i) => String.fromCodePoint(0x2500 + i));

  test('blocks and straight lines are drawn; dashes, curves and diagonals are left to the font', () => {
    expect(boxes.filter((one) => !isDrawn(one)).join('')).toBe('┄┅┆┇┈┉┊┋╌╍╎╏╭╮╯╰╱╲╳');
  });

  test('rectangles lie in their cell, and lines reach its edges in the same pixels for all characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 40 }), fc.constantFrom(...boxes.filter(isDrawn)), (width, box) => {
        const cell = { width, height: 2 * width };
        for (const { x, y, width: w, height: h } of rectanglesOf(box, cell)) {
          expect([x >= 0, y >= 0, x + w <= cell.width, y + h <= cell.height, w >= 0, h >= 0]).not.toContain(false);
        }
        const [line] = rectanglesOf('─', cell);
        if ('┌┬├┼'.includes(box)) {
          expect(rectanglesOf(box, cell)).toContainEqual(expect.objectContaining({ y: line?.y, height: line?.height }));
        }
      }),
    );
  });

  test('halves and quadrants cover a cell together', () => {
    const cell = { width: 9, height: 18 };
    const area = (text: string): number =>
      Array.from(text).reduce(
        (sum, one) => sum + rectanglesOf(one, cell).reduce((all, r) => all + r.width * r.height, 0),
        0,
      );
    for (const parts of ['█', '▀▄', '▌▐', '▘▝▖▗', '▚▞', '▙▝', '▛▗', '▜▖', '▟▘'])
      expect(area(parts), parts).toBe(9 * 18);
  });
});

describe('sizes', () => {
  test('cells are whole pixels of the device, and 80 columns fit a phone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 3000 }), fc.constantFrom(1, 1.25, 2, 2.625, 3), (width, dpr) => {
        const cell = cellSize({ width, height: 700, dpr }, { cols: 80, rows: 24 });
        expect(Number.isInteger(cell.width)).toBe(true);
        expect(cell.width * 80).toBeLessThanOrEqual(Math.max(width * dpr, 80 * Math.ceil(3.5 * dpr)));
      }),
    );
  });

  test.each([
    [
      { width: 0, height: 0 },
      { cols: 20, rows: 5 },
    ],
    [
      { width: 1e6, height: 1e6 },
      { cols: 400, rows: 200 },
    ],
  ])('a room of %j is a grid of %j', (room, grid) => {
    expect(fittedGrid(room)).toEqual(grid);
  });

  test('a terminal of 2 by 1 has cells of a size that can be read', () => {
    expect(cellSize({ width: 1000, height: 700, dpr: 1 }, { cols: 2, rows: 1 }).width).toBe(10);
  });
});

describe('keys', () => {
  const stroke = (key: string, more: object = {}): Parameters<typeof keyName>[0] => ({
    key,
    code: '',
    ctrlKey: false,
    altKey: false,
    shiftKey: false,
    metaKey: false,
    altTypes: false,
    ...more,
  });

  test.each([
    ['Enter', {}, 'Enter'],
    ['ArrowUp', { ctrlKey: true, shiftKey: true }, 'Ctrl+Shift+Up'],
    ['c', { ctrlKey: true }, 'Ctrl+c'],
    ['C', { ctrlKey: true, shiftKey: true, altKey: true }, 'Ctrl+Alt+Shift+c'],
    [' ', { ctrlKey: true }, 'Ctrl+Space'],
    ['_', { ctrlKey: true, shiftKey: true }, 'Ctrl+_'],
    ['x', { altKey: true }, 'Alt+x'],
    ['F5', {}, 'F5'],
    ['a', {}, undefined],
    ['é', {}, undefined],
    ['å', { altKey: true, altTypes: true }, undefined],
    ['@', { altKey: true, ctrlKey: true, altTypes: true }, undefined],
    ['Shift', { shiftKey: true }, undefined],
    ['Dead', {}, undefined],
    ['Process', {}, undefined],
    ['Unidentified', {}, undefined],
  ])('%s with %j is %s', (key, more, name) => {
    expect(keyName(stroke(key, more))).toBe(name);
  });

  test('copy, paste, zoom and the keys of windows are left to the browser', () => {
    expect(isBrowsers(stroke('C', { ctrlKey: true, shiftKey: true }))).toBe(true);
    expect(isBrowsers(stroke('Insert', { shiftKey: true }))).toBe(true);
    expect(isBrowsers(stroke('+', { ctrlKey: true }))).toBe(true);
    expect(isBrowsers(stroke('c', { metaKey: true }))).toBe(true);
    expect(isBrowsers(stroke('c', { ctrlKey: true }))).toBe(false);
  });
});

describe('the difference of a text field', () => {
  test.each([
    ['', 'a', 0, 'a'],
    ['teh', 'the', 2, 'he'],
    ['abc', 'ab', 1, ''],
    ['👨‍👩‍👧', '', 1, ''],
    ['same', 'same', 0, ''],
    // A joiner, a mark or a sign of a syllable that comes later takes back nothing.
    ['👩', '👩\u200D', 0, '\u200D'],
    ['👩\u200D', '👩\u200D👧', 0, '👧'],
    ['e', 'e\u0301', 0, '\u0301'],
    ['क्', 'क्ष', 0, 'ष'],
  ])('from %j to %j: %d taken back, %j typed', (before, after, deleted, typed) => {
    expect(difference(before, after)).toEqual({ deleted, typed });
  });
});

test('rows become lines: what is wrapped is joined, and blanks at the ends are left out', () => {
  const rows = [
    { text: 'one  ', wrapped: false },
    { text: 'two wrap', wrapped: false },
    { text: 'ped   ', wrapped: true },
    { text: 'three', wrapped: false },
  ];
  expect(joined(rows, 1, 2)).toBe('ne\ntwo wrapped\nth');
  expect(joined(rows.slice(0, 1), 1, 2)).toBe('n');
  expect(joined([], 0, 3)).toBe('');
});

test('new lines are announced once, after the output has settled: the last of them, and how many came before', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const said: string[] = [];
  const announcer = new Announcer({ say: (text) => said.push(text), waits: () => false });
  const mirror = new Mirror();
  const shown = (rows: readonly string[], first_line: number, alt_screen = false): void => {
    const fields = { ok: true, rev: first_line, state: 1, complete: true, cols: 80, rows: 8, first_line, alt_screen };
    const drawn = rows.map((text, row) => ({ row, runs: [[text]] }));
    const cursor = [rows.length, 0, 1, 'block', 0];
    const rest = { title: '', modes: {}, alive: true, control: null, asks: [], bells: 0, copied: [] };
    mirror.apply({ ...fields, ...rest, drawn, cursor } as unknown as Frame);
    announcer.frame(mirror);
  };
  shown(['old'], 0);
  vi.advanceTimersByTime(SETTLED_MS);
  expect(said).toEqual([]);
  shown(['old', 'one'], 0);
  vi.advanceTimersByTime(SETTLED_MS - 1);
  shown(['old', 'one', 'two'], 0);
  vi.advanceTimersByTime(SETTLED_MS - 1);
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual(['one\ntwo']);
  // Two have left the screen, and of seven that are there the last five are said.
  shown(['a', 'b', 'c', 'd', 'e', 'f', 'g'], 5);
  vi.advanceTimersByTime(SETTLED_MS);
  expect(said[1]).toBe('4 more lines, then:\nc\nd\ne\nf\ng');
  shown(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'editor'], 5, true);
  vi.advanceTimersByTime(SETTLED_MS);
  expect(said).toHaveLength(2);
});

describe('a list of terminals', () => {
  const error = 'Its list is not whole: 7 of 8 terminals are malformed, and left out.';

  test('of another host that was cut says so, of its own host without the name', () => {
    const unreachable = [
      { host: 'box', code: 'host_unreachable', error },
      { host: 'far', code: 'host_unreachable', error },
    ];
    expect(listed('box', { terminals: [], unreachable })).toEqual({ terminals: [], lacks: [error, `far: ${error}`] });
  });

  test('of a gateway names hosts that are one daemon', () => {
    const { lacks } = listed('fleet', { terminals: [], aliases: [{ host: 'box', of: 'web1' }] });
    expect(lacks).toEqual(['box: Its daemon says that it is the one of web1.']);
  });

  test('that is whole lacks nothing, and what is no list has no terminals', () => {
    expect(listed('box', { terminals: [] })).toEqual({ terminals: [], lacks: [] });
    for (const none of [{}, { terminals: 3 }, { terminals: null }]) {
      expect(listed('box', none as never)).toEqual({ terminals: [], lacks: ['It gives no list of its terminals.'] });
    }
  });
});

test('questions that are no list are none', () => {
  for (const none of [{}, { asks: 3 }, { asks: null }]) expect(askedIn(none as never)).toEqual([]);
});
