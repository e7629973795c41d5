import { describe, expect, onTestFinished, test } from 'vitest';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { Hyperlinks } from '../../../src/vt/xterm/hyperlinks.js';
import { LineNumbers } from '../../../src/vt/rows/line-numbers.js';
import { LineSizes } from '../../../src/vt/rows/line-sizes.js';
import { rowText } from '../../../src/vt/rows/row-text.js';
import { RowTracker } from '../../../src/vt/rows/row-tracker.js';
import { rowContent } from '../screens.js';

function open({ cols = 10, rows = 3, scrollback = 10 } = {}) {
  const emulator = new Emulator({ cols, rows, scrollback });
  onTestFinished(() => emulator.dispose());
  const numbers = new LineNumbers(emulator);
  const sizes = new LineSizes(emulator);
  const hyperlinks = new Hyperlinks(emulator);
  const linkTarget = (number: number) => hyperlinks.targetOf(number);
  const tracker = new RowTracker(sizes, linkTarget);
  let rev = 0;
  const take = (): boolean =>
    tracker.update(emulator.buffer, emulator.terminal.rows, { first: numbers.first, rev: ++rev });
  /** Whether the output changed anything. */
  const after = (output: string): boolean => {
    emulator.parse(output);
    return take();
  };
  const resize = (width: number, height: number): boolean => {
    emulator.resize(width, height);
    return take();
  };
  /** Revisions of the lines from 0 on. */
  const revisions = (count: number): number[] =>
    Array.from({ length: count }, (_, line) => tracker.revisions.get(line));
  /** What one sees who was never here before. */
  const fresh = (): object[] => {
    const other = new RowTracker(sizes, linkTarget);
    other.update(emulator.buffer, emulator.terminal.rows, { first: 0, rev: 0 });
    return other.lazyRows().rows().map(rowContent);
  };
  const shown = () => tracker.lazyRows().rows();
  return { emulator, tracker, shown, numbers, after, resize, revisions, fresh };
}

/** Contents of a row, each with one that differs from it in one respect. */
const CONTENTS: readonly (readonly [respect: string, content: string, other: string])[] = [
  ['text', 'a', 'b'],
  ['a joined character', 'e\u0301', 'e\u0300'],
  ['colour', '\x1b[31ma\x1b[m', '\x1b[32ma\x1b[m'],
  ['underline style', '\x1b[4:3ma\x1b[m', '\x1b[4:2ma\x1b[m'],
  ['underline colour', '\x1b[4;58;5;1ma\x1b[m', '\x1b[4;58;5;2ma\x1b[m'],
  ['link', '\x1b]8;;http://a/\x07a\x1b]8;;\x07', '\x1b]8;;http://b/\x07a\x1b]8;;\x07'],
  ['the cells of a link', '\x1b]8;;http://a/\x07aa\x1b]8;;\x07', '\x1b]8;;http://a/\x07a\x1b]8;;\x07a'],
  ['the size of the line', '\x1b#6a', '\x1b#5a'],
  ['the position of a link', '\x1b]8;;http://a/\x07a\x1b]8;;\x07a', 'a\x1b]8;;http://a/\x07a\x1b]8;;\x07'],
];

describe('the viewport', () => {
  test('has changed at the first check, but not at the next one without output', () => {
    const { after } = open();
    expect([after(''), after(''), after('a'), after(''), after('\x1b[H')]).toEqual([true, false, true, false, false]);
  });

  test.each(CONTENTS)('has changed if %s differs, but not if the same is painted again', (_, content, other) => {
    const { shown, after, fresh } = open();
    const place = '\x1b[2;1H';
    after(place + content);
    const [, row] = shown();
    expect(after(`${place}\x1b#5\x1b[2K${content}`)).toBe(false);
    expect(shown()[1]).toBe(row);
    expect(after(place + other)).toBe(true);
    expect(shown()[1]).not.toBe(row);
    expect(shown().map(rowContent)).toEqual(fresh());
    expect(after(place + content)).toBe(true);
    expect(shown().map(rowContent)).toEqual(fresh());
  });

  test.each(CONTENTS)(
    'has not changed if equal rows have moved, but has changed if the new row differs in %s',
    (_, content, other) => {
      const { shown, after, fresh, revisions } = open({ scrollback: 0 });
      const rows = (...contents: string[]): string => contents.map((each, y) => `\x1b[${y + 1};1H${each}`).join('');
      after(rows(content, content, content));
      const [row] = shown();
      expect(after(`\x1b[H\x1b[M\x1b[3;1H${content}`)).toBe(false);
      expect(revisions(4)).toEqual([1, 1, 1, 0]);
      expect(shown()).toEqual([row, row, row]);
      expect(after(`\x1b[H\x1b[M\x1b[3;1H${other}`)).toBe(true);
      expect(shown().map(rowContent)).toEqual(fresh());
      expect(shown()[2]).not.toBe(row);
    },
  );

  test.each(CONTENTS)('distinguishes rows that differ only in %s', (_, content, other) => {
    const { shown, after, fresh } = open();
    after(`${content}\r\n${other}\r\n${content}`);
    const [first, second] = shown();
    expect(second).not.toBe(first);
    expect(shown().map(rowContent)).toEqual(fresh());
    after(`\x1b[H\x1b#5\x1b[2K${other}\x1b[2;1H\x1b#5\x1b[2K${content}`);
    expect(shown().map(rowContent)).toEqual(fresh());
  });

  test.each(CONTENTS)('has the same row object if a row is painted elsewhere, with its %s', (_, content) => {
    const { shown, after } = open();
    after(`${content}\r\nother`);
    const [first, second] = shown();
    after(`\x1b[H\x1b#5\x1b[2Kother\x1b[2;1H\x1b[2K${content}`);
    expect(shown()[0]).toBe(second);
    expect(shown()[1]).toBe(first);
  });

  test('has changed if a row now continues the row above it', () => {
    const { shown, after } = open();
    after('abcdefghij\r\nkl');
    const before = shown();
    expect(before.map(({ wrapped }) => wrapped)).toEqual([false, false, false]);
    expect(after('\x1b[H\x1b[2Kabcdefghijkl')).toBe(true);
    expect(shown().map(({ wrapped }) => wrapped)).toEqual([false, true, false]);
    expect(shown()[1]).not.toBe(before[1]);
    expect(rowText(shown()[1]!)).toBe('kl');
  });

  test('has changed if it is now higher, lower, wider or narrower', () => {
    const { shown, resize, after, fresh } = open({ cols: 10, rows: 3 });
    after('a\r\nb\r\nc');
    const sizes: readonly [number, number][] = [
      [10, 5],
      [10, 2],
      [16, 2],
      [6, 2],
      [6, 4],
      [12, 3],
    ];
    for (const [cols, rows] of sizes) {
      expect(resize(cols, rows)).toBe(true);
      expect(resize(cols, rows)).toBe(false);
      expect(shown().map(rowContent)).toEqual(fresh());
      expect(after(`\x1b[1;1H\x1b[K${cols}x${rows}`)).toBe(true);
      expect(shown().map(rowContent)).toEqual(fresh());
    }
  });

  test('must have a line for each of its rows', () => {
    const { emulator, tracker } = open();
    expect(() => tracker.update(emulator.buffer, 100, { first: 0, rev: 1 })).toThrow('viewport row 3 of 100');
  });

  test('finds the row of a line after the row is built, and no row for other lines', () => {
    const { emulator, tracker, shown, after } = open();
    after('a\r\nb\r\nc\r\nd');
    const lineAt = (index: number) => emulator.buffer.lines.get(index)!;
    expect(tracker.builtRow(lineAt(1))).toBeUndefined();
    const rows = shown();
    expect([1, 2, 3].map((index) => tracker.builtRow(lineAt(index)))).toEqual(rows);
    expect(tracker.builtRow(lineAt(2))).toBe(rows[1]);
    expect(tracker.builtRow(lineAt(0))).toBeUndefined();
  });
});

describe('rows that are read later', () => {
  test('are those of their instant, though more was printed, laid out anew and read since', () => {
    const { tracker, after, resize, fresh } = open();
    const all: { readonly rows: () => readonly object[]; readonly seen: object[] }[] = [];
    const take = (): void => {
      const { rows } = tracker.lazyRows();
      all.push({ rows: () => rows().map((row) => rowContent(row)), seen: fresh() });
    };
    for (const [content, other] of CONTENTS.map(([, ...both]) => both)) {
      after(`\x1b[H\x1b[J${content}\r\n${other}`);
      take();
      after(`\r\n${content}\r\n`);
      take();
    }
    resize(7, 5);
    take();
    for (const { rows, seen } of all.toReversed()) expect(rows()).toEqual(seen);
  });

  test('have the links of their instant, once they are kept, though the targets are forgotten', () => {
    const targets = new Map([[1, 'http://a/']]);
    const emulator = new Emulator({ cols: 4, rows: 2, scrollback: 0 });
    onTestFinished(() => emulator.dispose());
    const tracker = new RowTracker(new LineSizes(emulator), (number) => targets.get(number));
    const links = new Hyperlinks(emulator);
    emulator.parse('\x1b]8;;http://a/\x07a\x1b]8;;\x07');
    expect(links.targetOf(1)).toBe('http://a/');
    tracker.update(emulator.buffer, 2, { first: 0, rev: 1 });
    const [kept, forgotten] = [tracker.lazyRows(), tracker.lazyRows()];
    kept.keepLinks();
    targets.clear();
    expect(kept.rows()[0]?.links).toEqual(new Map([[0, 'http://a/']]));
    expect(forgotten.rows()[0]).toBe(kept.rows()[0]);
  });

  test('are built as one where rows next to each other are equal', () => {
    const { tracker, after, shown } = open({ rows: 4 });
    after('a\r\n\r\n\r\n');
    const [first, ...blank] = shown();
    expect(new Set(blank).size).toBe(1);
    after('\x1b[3;1Hb');
    const [, second, third, fourth] = tracker.lazyRows().rows();
    expect([second, fourth]).toEqual([blank[0], blank[0]]);
    expect([first, third].map((row) => rowText(row!))).toEqual(['a', 'b']);
  });
});

describe('the revision of a line', () => {
  test('is the revision of the check that first found it different', () => {
    const { after, revisions } = open();
    after('');
    after('a');
    after('\r\nb');
    expect(revisions(4)).toEqual([2, 3, 1, 0]);
    after('\x1b[Ha\x1b[2;1Hc');
    expect(revisions(4)).toEqual([2, 4, 1, 0]);
  });

  test('stays while the line scrolls up and out of the viewport', () => {
    const { after, revisions } = open();
    after('a\r\nb\r\nc');
    after('\r\nd');
    expect(revisions(5)).toEqual([1, 1, 1, 2, 0]);
    after('\r\ne\r\nf');
    expect(revisions(7)).toEqual([1, 1, 1, 2, 3, 3, 0]);
    after('\r\ng');
    expect(revisions(8)).toEqual([1, 1, 1, 2, 3, 3, 4, 0]);
  });

  test('is new for lines that changed and scrolled out, or passed through, since the last check', () => {
    const { after, revisions } = open();
    after('a\r\nb\r\nc');
    after('\r\nd');
    // Lines 1 to 3 are shown: 2 changes; 1 to 3 scroll out, 4 to 6 pass through.
    after(`\x1b[2;1HC\x1b[3;1H${'\r\n'.repeat(2)}x\r\n${'\r\n'.repeat(3)}`);
    expect(revisions(11)).toEqual([1, 1, 3, 2, 3, 3, 3, 3, 3, 3, 0]);
  });

  test.each(CONTENTS)('is new if %s changed before the line scrolled out, and stays otherwise', (_, content, other) => {
    const { after, revisions } = open();
    after(`${content}\r\n${content}\r\nc`);
    after(`\x1b[2;1H${other}\x1b[3;1H\r\nd\r\ne`);
    expect(revisions(6)).toEqual([1, 2, 1, 2, 2, 0]);
  });

  test('stays while the scrollback is cut', () => {
    const { after, revisions, numbers } = open({ scrollback: 2 });
    after('0\r\n1\r\n2\r\n3\r\n4\r\n5\r\n6');
    expect([numbers.first, ...revisions(8).slice(2)]).toEqual([2, 1, 1, 1, 1, 1, 0]);
    after('\r\n7');
    expect([numbers.first, ...revisions(9).slice(3)]).toEqual([3, 1, 1, 1, 1, 2, 0]);
    after('\x1b[1;1HX\x1b[3;1H\r\n8\r\n9');
    expect([numbers.first, ...revisions(11).slice(5)]).toEqual([5, 3, 1, 2, 3, 3, 0]);
  });

  test('is new for rows within a scroll region, whose numbers stay while their content moves', () => {
    const { after, revisions } = open({ rows: 4 });
    after('a\r\nb\r\nc\r\nd\x1b[2;3r');
    after('\x1b[3;1H\n');
    expect(revisions(5)).toEqual([1, 2, 2, 1, 0]);
  });

  test('is new for each line of a screen of one row without scrollback', () => {
    const { after, revisions, numbers } = open({ rows: 1, scrollback: 0 });
    after('');
    for (let line = 1; line < 4; line++) after('\r\n');
    expect(numbers.first).toBe(3);
    expect(revisions(5)).toEqual([1, 2, 3, 4, 0]);
  });
});
