import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { plainLine } from '../../src/daemon/line-formats.js';
import { LineReader, lineOf } from '../../src/daemon/line-reader.js';
import { linesIn, regionRange, type Region } from '../../src/daemon/region.js';
import type { Screen } from '../../src/vt/screen.js';
import { openScreen, show } from '../vt/screens.js';

type Line = readonly [number: number, text: string];

async function read(screen: Screen, region: Region): Promise<Line[]> {
  const lines: Line[] = [];
  await new LineReader(screen, regionRange(screen, region)).eachBlock(new AbortController().signal, (block) => {
    for (const [i, number] of block.numbers.entries()) lines.push([number, lineOf(block, i)]);
  });
  return lines;
}

function expected(screen: Screen, region: Region): Line[] {
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
  { weight: 3, arbitrary: fc.constantFrom<Region>('all', 'scrollback', 'viewport') },
);

test.each([0, 300, 5000])(
  'blocks hold every line as it is now, whatever was read before (scrollback %i)',
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

test('ends with the reason of its signal', async () => {
  const screen = openScreen({ scrollback: 200_000 });
  await show(screen, 'y\r\n'.repeat(200_000));
  const controller = new AbortController();
  const reading = new LineReader(screen, regionRange(screen, 'all')).eachBlock(controller.signal, () => {
    controller.abort(new Error('the client has gone'));
  });
  await expect(reading).rejects.toThrow('the client has gone');
});

test('a line of a thousand rows is gathered in a few steps', async () => {
  const screen = openScreen({ scrollback: 2000 });
  await show(screen, 'a'.repeat(20 * 1000));
  const alloc = vi.spyOn(Buffer, 'alloc');
  const lines = await read(screen, 'all');
  const count = alloc.mock.calls.length;
  alloc.mockRestore();
  expect(lines).toEqual([[0, 'a'.repeat(20 * 1000)]]);
  expect(count).toBeLessThan(10);
});
