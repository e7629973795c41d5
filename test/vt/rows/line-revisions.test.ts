import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineRevisions } from '../../../src/vt/rows/line-revisions.js';
import { rowAnsi } from '../../../src/vt/rows/row-ansi.js';
import type { Screen } from '../../../src/vt/screen.js';
import { openScreen, show } from '../screens.js';
import { runsOf } from '../../support/trial.js';

/** A reader who keeps what each line looked like, and reads only the lines reported as changed since its last read. */
class Reader {
  readonly #screen: Screen;
  #lines = new Map<number, string>();
  #rev = -1;
  linesRead = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  look(): void {
    const screen = this.#screen;
    const knowsNothing = this.#rev < screen.revisionFloor || this.#rev === -1;
    if (knowsNothing) this.#lines = new Map();
    for (let index = 0; index < screen.totalLines; index++) {
      const number = screen.firstShownNumber + index;
      if (!knowsNothing && screen.lineRevision(number) <= this.#rev) continue;
      this.#lines.set(number, lookOf(screen, index));
      this.linesRead++;
    }
    this.#rev = screen.rev;
  }

  /** What it holds of the lines that are there, in their order. */
  held(): (string | undefined)[] {
    const screen = this.#screen;
    return Array.from({ length: screen.totalLines }, (_, i) => this.#lines.get(screen.firstShownNumber + i));
  }
}

function lookOf(screen: Screen, index: number): string {
  const row = screen.row(index);
  return row === undefined ? 'no row' : rowAnsi(row);
}

function looks(screen: Screen): string[] {
  return Array.from({ length: screen.totalLines }, (_, i) => lookOf(screen, i));
}

const output = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('a', 'bb', 'same', '\x1b[31mred\x1b[m', '中', 'x'.repeat(30)) },
  { weight: 5, arbitrary: fc.constantFrom('\r\n', 'y\r\n', '\r\n\r\n\r\n', 'y\r\ny\r\ny\r\ny\r\ny\r\ny\r\ny\r\n') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      '\x1b[H',
      '\x1b[3;1H',
      '\x1b[2J',
      '\x1b[3J',
      '\x1b[L',
      '\x1b[M',
      '\x1b[2;4r',
      '\x1b[r',
      '\x1bM',
      '\x1b[S',
      '\x1b[T',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('\x1b[?1049h', '\x1b[?1049l', '\x1bc') },
);
const step = fc.oneof(
  { weight: 8, arbitrary: output },
  { weight: 2, arbitrary: fc.record({ cols: fc.constantFrom(10, 20, 33), rows: fc.constantFrom(3, 5, 9) }) },
  { weight: 4, arbitrary: fc.constant('look' as const) },
);

describe('a reader of only the lines that have changed since its last read', () => {
  test.each([0, 7, 1000])(
    'has every line up to date after any scrolling and resizing (scrollback %i)',
    async (scrollback) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
          const screen = openScreen({ scrollback });
          const reader = new Reader(screen);
          reader.look();
          for (const one of steps) {
            if (one === 'look') {
              reader.look();
              expect(reader.held()).toEqual(looks(screen));
            } else if (typeof one === 'string') await show(screen, one);
            else await screen.resize(one.cols, one.rows);
          }
          reader.look();
          expect(reader.held()).toEqual(looks(screen));
        }),
        { numRuns: runsOf({ suite: 24, trial: 120 }) },
      );
    },
  );

  test('reads one line if one has changed', async () => {
    const screen = openScreen({ cols: 80, rows: 24 });
    await show(screen, Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\r\n'));
    const reader = new Reader(screen);
    reader.look();
    const before = reader.linesRead;
    await show(screen, '\x1b[5;1Hchanged');
    reader.look();
    expect(reader.linesRead - before).toBe(1);
  });

  test('reads only the new line after a scroll by one line', async () => {
    const screen = openScreen({ cols: 80, rows: 24 });
    await show(screen, Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\r\n'));
    const reader = new Reader(screen);
    reader.look();
    const before = reader.linesRead;
    await show(screen, '\r\nnew');
    reader.look();
    expect(reader.linesRead - before).toBe(1);
  });
});

describe('the revisions of lines', () => {
  const of = (revisions: LineRevisions, from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, i) => revisions.get(from + i));

  test('are 0 for lines that never changed: before, between and after changed lines', () => {
    const revisions = new LineRevisions();
    expect([revisions.floor, revisions.get(0)]).toEqual([0, 0]);
    revisions.set(5, 1);
    expect(of(revisions, 4, 7)).toEqual([0, 1, 0]);
    revisions.set(3, 2);
    expect(of(revisions, 2, 7)).toEqual([0, 2, 0, 1, 0]);
    revisions.set(8, 3);
    revisions.set(5, 4);
    expect(of(revisions, 2, 10)).toEqual([0, 2, 0, 4, 0, 0, 3, 0]);
  });

  test('are dropped when the floor is raised', () => {
    const revisions = new LineRevisions();
    revisions.set(5, 1);
    revisions.raiseFloor(7);
    expect([revisions.floor, ...of(revisions, 4, 7)]).toEqual([7, 0, 0, 0]);
    revisions.set(2, 8);
    revisions.set(4, 9);
    expect(of(revisions, 1, 6)).toEqual([0, 8, 0, 9, 0]);
  });

  test.each([0, 100, 1024, 2500, 2501, 4999, 5000])(
    'of remaining lines stay when those before line %i are dropped',
    (first) => {
      const revisions = new LineRevisions();
      for (let line = 0; line < 5000; line++) revisions.set(line, line + 1);
      revisions.forgetBefore(first);
      expect(of(revisions, first, 5000)).toEqual(Array.from({ length: 5000 - first }, (_, i) => first + i + 1));
      revisions.set(5000, 7);
      expect(of(revisions, 4999, 5002)).toEqual([first > 4999 ? revisions.get(4999) : 5000, 7, 0]);
    },
  );

  test('of lost lines are dropped when they are many', () => {
    const revisions = new LineRevisions();
    for (let line = 0; line < 5000; line++) revisions.set(line, 1);
    revisions.forgetBefore(4990);
    expect(of(revisions, 0, 5000).filter((rev) => rev > 0).length).toBe(10);
  });
});
