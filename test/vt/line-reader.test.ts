import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { plainLine } from '../../src/features/reading/line-formats.js';
import { lineOf } from '../../src/vt/line-block.js';
import { LineReader, ROWS_PER_BLOCK } from '../../src/vt/line-reader.js';
import { linesIn, regionRange, type TextRegion } from '../../src/vt/region.js';
import type { Screen } from '../../src/vt/screen.js';
import { openScreen, show } from './screens.js';

type Line = readonly [number: number, text: string];

async function read(screen: Screen, region: TextRegion): Promise<Line[]> {
  const lines: Line[] = [];
  await new LineReader(screen, regionRange(screen, region)).eachBlock(new AbortController().signal, (block) => {
    for (const [i, number] of block.numbers.entries()) lines.push([number, lineOf(block, i)]);
  });
  return lines;
}

function expected(screen: Screen, region: TextRegion): Line[] {
  return linesIn(screen, regionRange(screen, region), true).map((line) => [line.number, plainLine(screen, line, true)]);
}

const output = fc.oneof(
  fc.constantFrom(
    'a\r\n',
    'text  \r\n',
    '世界\r\n',
    'é\r\n',
    `${'wrapped '.repeat(9)}\r\n`,
    `${'wörd 世 '.repeat(9)}\r\n`,
    'no end',
  ),
  fc.nat(700).map((count) => 'y\r\n'.repeat(count)),
  fc.constantFrom('\x1b[H', '\x1b[2J', '\x1b[3J', '\x1b[L', '\x1b[?1049h', '\x1b[?1049l', '\x1bc', '\x1b[M'),
);
const step = fc.oneof(
  { weight: 4, arbitrary: output },
  { weight: 1, arbitrary: fc.record({ cols: fc.constantFrom(10, 20), rows: fc.constantFrom(3, 9, 30) }) },
  { weight: 3, arbitrary: fc.constantFrom<TextRegion>('all', 'scrollback', 'viewport') },
);

test.each([0, 300, 5000])(
  'blocks hold every line in its present state, after any earlier reads (scrollback %i)',
  async (scrollback) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const screen = openScreen({ scrollback });
        for (const one of steps) {
          if (one === 'all' || one === 'scrollback' || one === 'viewport') {
            expect(await read(screen, one)).toEqual(expected(screen, one));
          } else if (typeof one === 'string') await show(screen, one);
          else await screen.resize(one.cols, one.rows);
        }
        expect(await read(screen, 'all')).toEqual(expected(screen, 'all'));
      }),
      { numRuns: 60 },
    );
  },
);

test('reading ends with the reason of its signal', async () => {
  const screen = openScreen({ scrollback: 200_000 });
  await show(screen, 'y\r\n'.repeat(200_000));
  const controller = new AbortController();
  const reading = new LineReader(screen, regionRange(screen, 'all')).eachBlock(controller.signal, () => {
    controller.abort(new Error('the client has gone'));
  });
  await expect(reading).rejects.toThrow('the client has gone');
});

test('a line of a thousand rows is read in a few steps', async () => {
  const screen = openScreen({ scrollback: 2000 });
  await show(screen, 'a'.repeat(20 * 1000));
  const alloc = vi.spyOn(Buffer, 'alloc');
  const lines = await read(screen, 'all');
  const count = alloc.mock.calls.length;
  alloc.mockRestore();
  expect(lines).toEqual([[0, 'a'.repeat(20 * 1000)]]);
  expect(count).toBeLessThan(10);
});

test('a range ends at its end, also in the middle of a line', async () => {
  const screen = openScreen({ cols: 10, rows: 6 });
  await show(screen, `${'a'.repeat(10)}${'b'.repeat(10)}${'c'.repeat(5)}\r\nlast`);
  const text = (first: number, end: number): string[] => {
    const reader = new LineReader(screen, { first, end });
    const lines = [...reader.blocks()].flatMap((block) =>
      block.numbers.map((number, i) => `${number} ${lineOf(block, i)}`),
    );
    expect(reader.rowsRead).toBe(end - first);
    return lines;
  };
  expect(text(0, 1)).toEqual([`0 ${'a'.repeat(10)}`]);
  expect(text(0, 2)).toEqual([`0 ${'a'.repeat(10)}${'b'.repeat(10)}`]);
  expect(text(1, 3)).toEqual([`1 ${'b'.repeat(10)}${'c'.repeat(5)}`]);
  expect(text(0, 4)).toEqual([`0 ${'a'.repeat(10)}${'b'.repeat(10)}${'c'.repeat(5)}`, '3 last']);
  expect(text(2, 2)).toEqual([]);
});

test('blocks begin at the same numbers for any first read, and are reused', async () => {
  const screen = openScreen({ cols: 10, rows: 3, scrollback: 3000 });
  await show(screen, 'y\r\n'.repeat(2 * ROWS_PER_BLOCK + 40));
  const blocks = (first: number) => [...new LineReader(screen, { first, end: screen.totalLines }).blocks()];
  const starts = (first: number) => blocks(first).map(({ numbers }) => numbers[0]);
  expect(starts(0)).toEqual([0, ROWS_PER_BLOCK, 2 * ROWS_PER_BLOCK]);
  expect(starts(7)).toEqual([7, ROWS_PER_BLOCK, 2 * ROWS_PER_BLOCK]);
  const [once, again] = [blocks(0), blocks(0)];
  expect(again.slice(0, 2).every((block, i) => block === once[i])).toBe(true);
  expect(again[2]).toEqual(once[2]);
});

test('blocks of one screen are not used for another', async () => {
  const screen = openScreen({ cols: 10, rows: 3, scrollback: 3000 });
  await show(screen, 'y\r\n'.repeat(2 * ROWS_PER_BLOCK));
  const blocks = new LineReader(screen, regionRange(screen, 'all')).blocks();
  expect(blocks.next().done).toBe(false);
  await show(screen, '\x1b[?1049h');
  expect(blocks.next().done).toBe(true);
});

test('lines that are dropped during the read are left out, and new lines are not read', async () => {
  const screen = openScreen({ cols: 10, rows: 3, scrollback: 2 * ROWS_PER_BLOCK });
  const before = await show(screen, 'y\r\n'.repeat(2 * ROWS_PER_BLOCK + 2));
  expect(before.rows).toBe(3);
  const { totalLines } = screen;
  const reader = new LineReader(screen, regionRange(screen, 'all'));
  const blocks = reader.blocks();
  const first = blocks.next().value;
  await show(screen, 'z\r\n'.repeat(ROWS_PER_BLOCK + 9));
  const rest = [...blocks].flatMap(({ numbers }) => numbers);
  expect(first?.numbers.at(-1)).toBe(ROWS_PER_BLOCK - 1);
  expect([rest[0], rest.at(-1)]).toEqual([screen.firstShownNumber, totalLines - 1]);
  expect(reader.rowsRead).toBe(ROWS_PER_BLOCK + rest.length);
});

describe('a held viewport', () => {
  const read = (reader: LineReader): string => [...reader.blocks()].map(({ text }) => text).join('');

  test('is read as it was, despite later drawing and screen switches', async () => {
    const screen = openScreen({ cols: 10, rows: 3, scrollback: 3000 });
    await show(screen, `${'y\r\n'.repeat(2 * ROWS_PER_BLOCK)}old\r\nlines`);
    const [held, late] = [1, 2].map(() => new LineReader(screen, regionRange(screen, 'all')));
    held?.holdViewport();
    await show(screen, '\x1b[2J\x1b[Hnew');
    expect(held && read(held)).toBe(`${'y\n'.repeat(2 * ROWS_PER_BLOCK)}old\nlines\n`);
    expect(late && read(late)).toContain('new');
    const other = new LineReader(screen, regionRange(screen, 'viewport'));
    other.holdViewport();
    await show(screen, '\x1b[?1049h');
    expect(read(other)).toBe('new\n\n\n');
  });

  test('begins with the whole of a line that wraps into it, and is read once', async () => {
    const screen = openScreen({ cols: 4, rows: 2, scrollback: 100 });
    await show(screen, 'a\r\nlonglonglong\r\nz');
    const reader = new LineReader(screen, regionRange(screen, 'all'));
    reader.holdViewport();
    expect(read(reader)).toBe('a\nlonglonglong\nz\n');
    expect(reader.rowsRead).toBe(5);
  });

  test('leaves no short blocks', async () => {
    const screen = openScreen({ cols: 10, rows: 3, scrollback: 3000 });
    await show(screen, 'y\r\n'.repeat(ROWS_PER_BLOCK / 2));
    const held = new LineReader(screen, regionRange(screen, 'all'));
    held.holdViewport();
    read(held);
    await show(screen, 'y\r\n'.repeat(ROWS_PER_BLOCK));
    const [first] = new LineReader(screen, regionRange(screen, 'all')).blocks();
    expect(first?.numbers).toHaveLength(ROWS_PER_BLOCK);
  });
});
