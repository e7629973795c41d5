import { describe, expect, onTestFinished, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { Hyperlinks, MAX_TARGETS_BYTES } from '../../../src/vt/xterm/hyperlinks.js';
import { rowAnsi } from '../../../src/vt/rows/row-ansi.js';
import { MAX_ROW_TARGETS_LENGTH, MAX_TARGET_LENGTH } from '../../../src/vt/xterm/row-links.js';
import { heldBytes } from '../../support/held-memory.js';
import { openScreen, show, textOf } from '../screens.js';
import { casesOf } from '../../support/trial.js';

const MEGABYTE = 1_000_000;

function open(scrollback: number) {
  const emulator = new Emulator({ cols: 80, rows: 24, scrollback });
  onTestFinished(() => emulator.dispose());
  const links = new Hyperlinks(emulator);
  const { buffer } = emulator;
  /** Where the cell leads; rows of the viewport. */
  const targetAt = (row: number, col: number): string | undefined =>
    links.targetOf(buffer.lines.get(buffer.ybase + row)!._extendedAttrs[col]?.urlId ?? 0);
  return { emulator, links, targetAt };
}

function link(target: string, text = 'x'): string {
  return `\x1b]8;;${target}\x1b\\${text}`;
}

/** A target of its own for each number. */
function target(number: number, length = 2000): string {
  return `http://a.example/${number}/`.padEnd(length, '.');
}

test('a target above the limit makes no link, instead of a link to another target', async () => {
  const longest = target(0, MAX_TARGET_LENGTH);
  const { lines } = await show(openScreen(), `${link(longest, 'yes')}${link(`${longest}.`, 'no')}\x1b]8;;\x1b\\`);
  expect([...lines[0]!.links!]).toEqual([0, 1, 2].map((col) => [col, longest]));
});

describe('a terminal with a different link in every cell', () => {
  const targets = [
    [20, 1000],
    [200, 1000],
    [2000, 200],
    [4000, 200],
  ] as const;
  test.each(casesOf(targets, ([length]) => length === 20 || length === 4000))(
    'with targets of %d characters holds a few megabytes',
    (length, height) => {
      const { emulator, links } = open(height);
      for (let line = 0; line < height + 100; line++) emulator.parse(`${'x'.repeat(79)}\r\n`);
      const before = heldBytes();
      for (let line = 0, number = 0; line < height; line++) {
        const cells = Array.from({ length: 79 }, () => link(target(number++, length)));
        emulator.parse(`${cells.join('')}\r\n`);
      }
      // And what the library holds for each cell that is more than coloured: 50 bytes.
      expect(heldBytes() - before).toBeLessThan(2.5 * MAX_TARGETS_BYTES);
      expect(links.size).toBeLessThanOrEqual(MAX_TARGETS_BYTES / Math.min(length, 4000));
      if (length < 4000) expect(links.size).toBeGreaterThan(1000);
    },
  );

  test('keeps every link of a redrawn screen of 80x24 cells', () => {
    const { emulator, targetAt } = open(1000);
    for (let pass = 0; pass < 3; pass++) {
      const cells = Array.from({ length: 80 * 24 }, (_, i) => link(target(pass * 10_000 + i, 1500)));
      emulator.parse(`\x1b[H${cells.join('')}`);
    }
    for (let i = 0; i < 80 * 24; i++) expect(targetAt(Math.floor(i / 80), i % 80)).toBe(target(20_000 + i, 1500));
  });

  test('shows further text without links, keeps its links, and accepts new ones after those are gone', () => {
    const { emulator, targetAt } = open(100);
    const fill = (first: number): void => {
      for (let line = 0; line < 123; line++) {
        emulator.parse(`${Array.from({ length: 40 }, (_, i) => link(target(first + line * 40 + i))).join('')}\r\n`);
      }
    };
    fill(0);
    emulator.parse(`\x1b[H${link(target(99_999), 'plain')}${link(target(7), 'known')}\x1b]8;;\x1b\\`);
    expect(emulator.buffer.lines.get(emulator.buffer.ybase)!.translateToString(true)).toMatch(/^plainknown/);
    expect([0, 5].map((col) => targetAt(0, col))).toEqual([undefined, target(7)]);
    emulator.parse('\x1b[24;1H');
    for (let line = 0; line < 124; line++) emulator.parse('\r\n');
    for (let number = 0; number < 1000; number++) emulator.parse(`\x1b[H${link(target(400_000 + number))}`);
    expect(targetAt(0, 0)).toBe(target(400_999));
  });
});

test('a target does not hold the memory of the parameters before it', () => {
  const { emulator, links } = open(0);
  emulator.parse('x');
  const before = heldBytes();
  for (let i = 0; i < 500; i++) emulator.parse(`\x1b]8;id=${'x'.repeat(60_000)};http://a.example/${i}\x1b\\x`);
  expect(heldBytes() - before).toBeLessThan(3 * MEGABYTE);
  expect(links.size).toBe(500);
});

describe('the targets of one row', () => {
  const [a, b] = [target(0), target(1)];

  test('are limited in total length, since every format repeats them', async () => {
    const { lines } = await show(
      openScreen({ cols: 80 }),
      Array.from({ length: 40 }, () => link(a) + link(b)).join(''),
    );
    expect([...lines[0]!.links!.values()]).toEqual([a, b]);
    expect(textOf({ ...openScreen().snapshot(), lines })[0]).toBe('x'.repeat(80));
    expect(rowAnsi(lines[0]!).length).toBeLessThan(MAX_ROW_TARGETS_LENGTH + 200);
  });

  test('count once for neighbouring cells with equal attributes, even wide ones, and again for others', async () => {
    const { lines } = await show(
      openScreen({ cols: 80 }),
      `${link(a, '中文'.repeat(20))}\x1b[1m${link(a, '!')}\x1b[31m${link(a, '!')}`,
    );
    expect([...lines[0]!.links!.keys()]).toEqual(Array.from({ length: 80 }, (_, col) => col));
    expect(lines[1]!.links).toEqual(
      new Map([
        [0, a],
        [1, a],
      ]),
    );
    const painted = Array.from({ length: 80 }, (_, i) => `\x1b[38;5;${i}m${link(a)}`);
    const { lines: colourful } = await show(openScreen({ cols: 80 }), painted.join(''));
    expect([...colourful[0]!.links!.keys()]).toEqual([0, 1]);
  });

  test('of usual length may differ in every cell', async () => {
    const cells = Array.from({ length: 80 }, (_, i) => link(target(i, 50)));
    const { lines } = await show(openScreen({ cols: 80 }), cells.join(''));
    expect(lines[0]!.links!.size).toBe(80);
  });
});
