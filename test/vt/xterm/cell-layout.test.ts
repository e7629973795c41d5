/** A release of the library with another layout of cells is refused, with the names of the parts that differ. */
import xterm from '@xterm/headless';
import { expect, test } from 'vitest';
import type { SnapshotRow } from '../../../src/vt/snapshot.js';
import { checkCellLayout } from '../../../src/vt/xterm/cell-layout.js';
import type { RawLine } from '../../../src/vt/xterm/internals.js';
import { buildRow } from '../../../src/vt/xterm/row-builder.js';

const open = (cols: number, rows: number) => new xterm.Terminal({ cols, rows, allowProposedApi: true });

/** As if the library had put its words elsewhere. */
const moved =
  (change: (words: Uint32Array) => void): typeof buildRow =>
  (line, ...rest): SnapshotRow => {
    const words = Uint32Array.from(line._data);
    change(words);
    const other = Object.create(line, { _data: { value: words } }) as RawLine;
    return buildRow(other, ...rest);
  };

const each = (offset: number, change: (word: number) => number) =>
  moved((words) => {
    for (let i = offset; i < words.length; i += 3) words[i] = change(words[i] ?? 0);
  });

test('the release in use has the expected layout', () => {
  expect(() => checkCellLayout(open)).not.toThrow();
  expect(() => checkCellLayout(open, (...given) => buildRow(...given))).not.toThrow();
});

test.each([
  ['code points', each(0, (word) => word ^ 1)],
  ['combined characters', each(0, (word) => word & ~0x20_0000)],
  ['wide characters', each(0, (word) => (word & ~(3 << 22)) | (1 << 22))],
  ['palette colours', each(1, (word) => ((word & 0x0300_0000) === 0 ? word : word ^ 1))],
  ['256 colours', each(2, (word) => word & ~0xf0)],
  ['RGB colours', each(1, (word) => word & ~0x00ff_0000)],
  ['bold', each(1, (word) => word & ~0x0800_0000)],
  ['dim', each(2, (word) => word & ~0x0800_0000)],
  ['italic', each(2, (word) => word & ~0x0400_0000)],
  ['blink', each(1, (word) => word & ~0x2000_0000)],
  ['inverse', each(1, (word) => word & ~0x0400_0000)],
  ['invisible', each(1, (word) => word & ~0x4000_0000)],
  ['strikethrough', each(1, (word) => word & 0x7fff_ffff)],
  ['overline', each(2, (word) => word & ~0x4000_0000)],
  ['underline styles', each(1, (word) => word & ~0x1000_0000)],
  ['underline colours', each(2, (word) => word & ~0x1000_0000)],
])('a release that keeps %s in another way is refused by that name', (name, read) => {
  expect(() => checkCellLayout(open, read)).toThrow(
    new RegExp(`^This @xterm/headless keeps (?:.*, )?${name}(?:, .*)? in another way; 6\\.0\\.0 is known to fit\\.$`),
  );
});

test('a release with empty cells is refused, and the release in use is still accepted afterwards', () => {
  const empty = moved((words) => words.fill(0));
  expect(() => checkCellLayout(open, empty)).toThrow(/code points, combined characters, .*wide characters/);
  expect(() => checkCellLayout(open)).not.toThrow();
});
