import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_CLUSTER_LENGTH } from '../../../src/vt/xterm/cluster-limit.js';
import { Emulator } from '../../../src/vt/xterm/emulator.js';
import { Hyperlinks } from '../../../src/vt/xterm/hyperlinks.js';
import { vtBytes } from '../../../trials/fuzz/vt-bytes.js';
import { Random } from '../../../trials/support/random.js';
import { openScreen, show, textOf } from '../screens.js';
import { runsOf } from '../../support/trial.js';

test.each('LMST@PXIZbABCDEFGade`}'.split(''))(
  'a count of two billion before %s has the result of a screenful',
  async (final) => {
    const start = '1\r\n2\r\n3\r\n4\r\n5\x1b[3;3Hx';
    const huge = openScreen();
    const enough = openScreen();
    const intermediates = final === '}' ? "'" : '';
    await show(huge, `${start}\x1b[2147483647${intermediates}${final}`);
    // More than a screenful, and of a repeat as much more of a row as of the whole count.
    await show(enough, `${start}\x1b[107${intermediates}${final}`);
    expect(textOf(huge.snapshot())).toEqual(textOf(enough.snapshot()));
    expect(huge.snapshot().cursor).toEqual(enough.snapshot().cursor);
  },
);

test('an open link stays with text that is written after a clear', async () => {
  const screen = openScreen();
  await show(screen, '\x1b]8;;http://a.example/\x1b\\one\x1b[2J\x1b[Htwo');
  expect([...screen.snapshot().lines[0]!.links!.values()]).toEqual(Array(3).fill('http://a.example/'));
  await show(screen, '\x1b]8;;\x1b\\\x1b[2J\x1b[Hthree');
  expect(screen.snapshot().lines[0]!.links).toBeUndefined();
});

test('targets that no cell uses any more are dropped', () => {
  const emulator = new Emulator({ cols: 20, rows: 5, scrollback: 10 });
  const links = new Hyperlinks(emulator);
  for (let i = 0; i < 50_000; i++) emulator.parse(`\x1b]8;;http://a.example/${i}\x1b\\x\x1b]8;;\x1b\\\r\n`);
  expect(links.size).toBeLessThan(5000);
  const attributes = emulator.buffer.lines.get(emulator.buffer.ybase)!._extendedAttrs[0]!;
  expect(links.targetOf(attributes.urlId)).toBe('http://a.example/49996');
  emulator.dispose();
});

test('an overlong link target makes no link', async () => {
  const { lines } = await show(openScreen(), `\x1b]8;;http://a.example/${'x'.repeat(5000)}\x1b\\t\x1b]8;;\x1b\\`);
  expect(textOf({ ...openScreen().snapshot(), lines })[0]).toBe('t');
  expect(lines[0]!.links).toBeUndefined();
});

test('endless combining marks in one cell are cut, and the next character there is complete', async () => {
  const screen = openScreen();
  const { lines } = await show(screen, `a${'\u0301'.repeat(100_000)}b`);
  expect(lines[0]!.clusters.map(({ length }) => length)).toEqual([MAX_CLUSTER_LENGTH]);
  expect(textOf(screen.snapshot())[0]).toMatch(/^a\u0301+b$/);
  const after = await show(screen, '\re\u0308\u0323');
  expect(textOf(after)[0]).toBe('e\u0308\u0323b');
  const family = '\u{1F468}\u{1F3FB}\u200d\u2764\ufe0f\u200d\u{1F48B}\u200d\u{1F468}\u{1F3FF}';
  expect(textOf(await show(screen, `\r${family}`))[0]).toContain(family);
});

/** Found by `npm run fuzz` with seed 20261, within a gigabyte. */
test.each(['\x1b[1J', '\x1b[?1J'])(
  'erasing above the last cell works on a screen that has not scrolled: %j',
  async (erase) => {
    const screen = openScreen({ cols: 4, rows: 2, scrollback: 10 });
    screen.onFault.on((error) => expect.unreachable(String(error)));
    for (const column of [4, 9]) {
      expect(textOf(await show(screen, `\x1b[Habcdefgh\x1b[2;${column}H${erase}`))).toEqual(['', '']);
      expect(screen.snapshot().cursor).toMatchObject({ row: 1, col: 3 });
    }
    // With the wrap pending, and what comes after it in the same piece is shown.
    expect(textOf(await show(screen, `\x1b[Habcdefgh${erase}\x1b[Hyes`))).toEqual(['yes', '']);
  },
);

/** Found by the fuzz with seed 31; what is left here is the least that shows it. */
test.each([
  [{ cols: 16, rows: 23, scrollback: 0 }, `${'x'.repeat(88)}hello \u00e4\u00b8\u00ad\u00e6\n\n\u00b2\u00e7`, 5, 21],
])('a new layout of %j leaves a line for each row', (size, output, cols, rows) => {
  const emulator = new Emulator(size);
  for (const width of [size.cols, 2]) {
    emulator.resize(width, size.rows);
    emulator.parse(output);
    emulator.resize(cols, rows);
    const { lines, ybase, y } = emulator.buffer;
    expect(lines.length).toBeGreaterThanOrEqual(ybase + rows);
    expect(y).toBeLessThan(rows);
  }
  emulator.dispose();
});

test('any output and any sizes leave a line as wide as the grid for each row', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 10, 1000),
      fc.nat(),
      fc.array(fc.option(fc.tuple(fc.integer({ min: 2, max: 42 }), fc.integer({ min: 1, max: 41 }))), {
        maxLength: 12,
      }),
      (scrollback, seed, sizes) => {
        const random = new Random(seed);
        const emulator = new Emulator({ cols: random.pick([2, 7, 80]), rows: random.pick([1, 3, 24, 50]), scrollback });
        for (const size of sizes) {
          if (size === null) emulator.parse(vtBytes(random, 60).toString());
          else emulator.resize(...size);
          const { cols, rows } = emulator.terminal;
          const { lines, ybase } = emulator.buffer;
          expect(lines.length).toBeGreaterThanOrEqual(ybase + rows);
          for (let y = 0; y < rows; y++) expect(lines.get(ybase + y)?.length).toBe(cols);
        }
        emulator.dispose();
      },
    ),
    { numRuns: runsOf({ suite: 60, trial: 300 }) },
  );
});

test('erasing above the last column removes the wrap below, but no wrap in the scrollback', async () => {
  const screen = openScreen({ cols: 4, rows: 2, scrollback: 10 });
  await show(screen, 'abcdefgh\r\n1\r\n2\r\n3\r\nABCDEFGH');
  const wraps = () => Array.from({ length: screen.totalLines }, (_, line) => screen.continuesLine(line));
  expect(wraps()).toEqual([false, true, false, false, false, false, true]);
  await show(screen, '\x1b[1;4H\x1b[1J');
  expect(wraps()).toEqual([false, true, false, false, false, false, false]);
});

test('erasing above the last cell keeps the wrap of the oldest line of a full scrollback', async () => {
  const screen = openScreen({ cols: 4, rows: 2, scrollback: 1 });
  await show(screen, 'abcdefgh\r\n1\r\n2');
  expect([0, 1, 2].map((line) => screen.continuesLine(line))).toEqual([true, false, false]);
  await show(screen, '\x1b[2;4H\x1b[1J');
  expect([0, 1, 2].map((line) => screen.continuesLine(line))).toEqual([true, false, false]);
});

test('no bytes make the emulator throw', async () => {
  const screen = openScreen({ cols: 7, rows: 3, scrollback: 2 });
  const faults: unknown[] = [];
  screen.onFault.on((error) => faults.push(error));
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.oneof(
          fc.uint8Array({ maxLength: 40 }),
          fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 1, max: 6 })),
        ),
      ),
      async (steps) => {
        for (const step of steps) {
          if (Array.isArray(step)) await screen.resize(step[0], step[1]);
          else screen.write(step);
        }
        await screen.settle(60_000);
        const { lines, rows, cols } = screen.snapshot();
        expect(lines.map((row) => row.cells.length)).toEqual(Array(rows).fill(cols * 4));
      },
    ),
    { numRuns: runsOf({ suite: 60, trial: 300 }) },
  );
  expect(faults).toEqual([]);
});

test('after a handler has thrown, the rest of its slice is lost and the screen continues', () => {
  const emulator = new Emulator({ cols: 20, rows: 2, scrollback: 0 });
  emulator.onOsc(5555, () => {
    throw new Error('handler');
  });
  expect(() => emulator.parse('a\x1b]5555;x\x07lost')).toThrow('handler');
  emulator.parse('b');
  expect(emulator.terminal.buffer.active.getLine(0)!.translateToString(true)).toBe('ab');
  emulator.dispose();
});
