/** Which pictures a renderer keeps for the next ones, and which it gives up. */
import { expect, test } from 'vitest';
import type { EncodedPng, PictureOptions, Renderer } from '../../../src/render/renderer.js';
import type { Snapshot } from '../../../src/vt/snapshot.js';
import { bytesOf } from '../support/pixels.js';
import { cursorAt, rowOf, screenOf } from '../support/screen.js';
import { newRenderer, OPTIONS } from '../support/test-renderer.js';

const SMALL: PictureOptions = { ...OPTIONS, cellWidth: 4, cellHeight: 8 };

function screenOfText(...texts: readonly string[]): Snapshot {
  return screenOf(texts.map((text) => rowOf(3, [[text]])));
}

/** Whether a terminal's picture is still known: what is known comes back as the same object. */
function isKept(renderer: Renderer, snapshot: Snapshot, terminal: object | undefined, picture: EncodedPng): boolean {
  return renderer.render(snapshot, SMALL, terminal) === picture;
}

test('the pictures of 64 terminals are kept, and one more replaces the least recently used', () => {
  const renderer = newRenderer();
  const snapshot = screenOfText('a');
  const terminals = Array.from({ length: 65 }, () => ({}));
  const [first = {}, second = {}, third = {}, ...others] = terminals;
  const pictures = [first, second, third].map((terminal) => renderer.render(snapshot, SMALL, terminal));
  const each = pictures[0]?.byteLength ?? 0;
  for (const terminal of others.slice(0, 61)) renderer.render(snapshot, SMALL, terminal);
  expect(renderer.keptBytes.pictures).toBe(64 * each);
  expect(isKept(renderer, snapshot, first, pictures[0]!)).toBe(true);
  renderer.render(snapshot, SMALL, others[61]);
  expect(renderer.keptBytes.pictures).toBe(64 * each);
  expect(isKept(renderer, snapshot, first, pictures[0]!)).toBe(true);
  expect(isKept(renderer, snapshot, third, pictures[2]!)).toBe(true);
  expect(isKept(renderer, snapshot, second, pictures[1]!)).toBe(false);
});

test('dropping caches leaves nothing, and the next picture has the same bytes', () => {
  const renderer = newRenderer();
  const [snapshot, terminal] = [screenOfText('abc'), {}];
  const picture = renderer.render(snapshot, SMALL, terminal);
  expect(renderer.keptBytes.pictures).toBe(picture.byteLength);
  expect(renderer.keptBytes.glyphs).toBeGreaterThan(0);
  renderer.dropCaches();
  expect(renderer.keptBytes).toEqual({ glyphs: 0, pictures: 0 });
  const again = renderer.render(snapshot, SMALL, terminal);
  expect(again).not.toBe(picture);
  expect(bytesOf(again).equals(bytesOf(picture))).toBe(true);
});

test('a picture that is being painted while caches are dropped is finished', async () => {
  const renderer = newRenderer();
  const snapshot = screenOf(Array.from({ length: 40 }, (_, y) => rowOf(30, [[`row ${y}`]])));
  const expected = bytesOf(newRenderer().render(snapshot, SMALL));
  const painting = renderer.renderInSlices(snapshot, SMALL, {});
  renderer.dropCaches();
  expect(bytesOf(await painting).equals(expected)).toBe(true);
});

test('a terminal without a name is recognized by most of its rows', () => {
  const renderer = newRenderer();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((text) => rowOf(3, [[text]])) as [
    ReturnType<typeof rowOf>,
    ReturnType<typeof rowOf>,
    ReturnType<typeof rowOf>,
    ReturnType<typeof rowOf>,
  ];
  renderer.render(screenOf([a, b]), SMALL);
  const alone = renderer.keptBytes.pictures;
  renderer.render(screenOf([c, d, rowOf(3, [])]), SMALL);
  const both = renderer.keptBytes.pictures;
  expect(both).toBeGreaterThan(alone);
  // Two rows of the second and one of the first: drawn in the place of the second.
  const mixed = renderer.render(screenOf([a, c, d]), SMALL);
  expect(renderer.keptBytes.pictures).toBe(alone + mixed.byteLength);
});

test('equal options share a painter; each option that changes the look of a cell has another', () => {
  const renderer = newRenderer();
  const terminal = {};
  const snapshot = screenOf([rowOf(3, [['a']])], { cursor: cursorAt(0, 1) });
  const first = renderer.render(snapshot, SMALL, terminal);
  expect(renderer.render(snapshot, { ...SMALL }, terminal)).toBe(first);
  const others: readonly Partial<PictureOptions>[] = [
    { cellWidth: 5, cellHeight: 10 },
    { pad: 1 },
    { cursor: false },
    { theme: { ...SMALL.theme } },
    { minimumContrast: 7 },
    { boldAsBright: true },
  ];
  for (const more of others) expect(renderer.render(snapshot, { ...SMALL, ...more }, terminal)).not.toBe(first);
  expect(renderer.render(snapshot, SMALL, terminal)).toBe(first);
});

test('a moved cursor, a box and faded rows are other pictures of the same rows', () => {
  const renderer = newRenderer();
  const terminal = {};
  const lines = [rowOf(3, [['ab']]), rowOf(3, [['cd']])];
  const at = (row: number, col: number): Snapshot => screenOf(lines, { cursor: cursorAt(row, col) });
  const marks = [{ row: 0, col: 1, rows: 1, cols: 1 }];
  const looks: readonly (readonly [Snapshot, PictureOptions])[] = [
    [at(0, 0), SMALL],
    [at(0, 1), SMALL],
    [at(1, 0), SMALL],
    [at(0, 0), { ...SMALL, focused: false }],
    [at(0, 0), { ...SMALL, marks }],
    [at(0, 0), { ...SMALL, unchangedRows: new Set([0]) }],
    [at(0, 0), { ...SMALL, unchangedRows: new Set([1]) }],
    [at(0, 0), { ...SMALL, marks: [{ ...marks[0]!, col: 2 }] }],
  ];
  const drawn = looks.map(([snapshot, options]) =>
    bytesOf(renderer.render(snapshot, options, terminal)).toString('latin1'),
  );
  expect(drawn.map((each) => drawn.indexOf(each))).toEqual([...looks.keys()]);
  for (const [index, [snapshot, options]] of looks.entries()) {
    expect(bytesOf(newRenderer().render(snapshot, options)).toString('latin1') === drawn[index]).toBe(true);
  }
  expect(
    renderer.render(at(0, 0), { ...SMALL, focused: true, marks: [], unchangedRows: new Set() }, terminal).byteLength,
  ).toBe(drawn[0]?.length);
});
