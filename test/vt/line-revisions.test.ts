import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowAnsi } from '../../src/vt/row-ansi.js';
import type { Screen } from '../../src/vt/screen.js';
import { openScreen, show } from './screens.js';

/** A reader who keeps what each line looked like, and reads only what is told to have changed since it last looked. */
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

describe('a reader who reads only the lines that changed since it last looked', () => {
  test.each([0, 7, 1000])(
    'holds every line as it is, whatever scrolled or was resized (scrollback %i)',
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
        { numRuns: 120 },
      );
    },
  );

  test('reads one line where one changed', async () => {
    const screen = openScreen({ cols: 80, rows: 24 });
    await show(screen, Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\r\n'));
    const reader = new Reader(screen);
    reader.look();
    const before = reader.linesRead;
    await show(screen, '\x1b[5;1Hchanged');
    reader.look();
    expect(reader.linesRead - before).toBe(1);
  });

  test('reads the new line where one scrolled by', async () => {
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
