/** Readers against files that the test makes; what is written is read again, whatever the cuts. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AsciicastReader } from '../../../src/history/recording/asciicast-reader.js';
import { IdleLimit } from '../../../src/history/recording/idle-limit.js';
import type { TimedEvent } from '../../../src/history/recording/recording-event.js';
import { TtyrecReader } from '../../../src/history/recording/ttyrec-reader.js';
import { TypescriptReader } from '../../../src/history/recording/typescript-reader.js';
import { castV1, castV2, castV3, GRID, type Line, LINES, linesOf, readAll, ttyrec, typescript } from './recordings.js';

const OUTPUT = LINES.filter(([, code]) => code === 'o');

test('what the writer writes is read again, in parts of any size', () => {
  const size = fc.tuple(fc.integer({ min: 2, max: 1000 }), fc.integer({ min: 1, max: 1000 }));
  const entry = fc.oneof(
    fc.tuple(fc.nat(10_000), fc.constant('o' as const), fc.string({ unit: 'grapheme', minLength: 1 })),
    fc.tuple(fc.nat(10_000), fc.constant('m' as const), fc.string({ unit: 'grapheme' })),
    fc.tuple(
      fc.nat(10_000),
      fc.constant('r' as const),
      size.map(([cols, rows]) => `${cols}x${rows}`),
    ),
    fc.tuple(fc.nat(10_000), fc.constant('x' as const), fc.nat(255).map(String)),
  );
  fc.assert(
    fc.property(fc.array(entry), fc.integer({ min: 1, max: 300 }), (entries, partBytes) => {
      let atMs = 0;
      const lines = entries.map(([since, code, text]): Line => [(atMs += since + 1), code, text]);
      const reader = new AsciicastReader();
      const events = readAll(reader, Buffer.from(castV3(lines)), partBytes);
      expect(linesOf(events)).toEqual(lines);
      expect(events[0]).toEqual({ kind: 'start', ...GRID, startedAtMs: 5000 });
      expect({ complete: reader.complete, repaired: reader.repaired }).toEqual({ complete: true, repaired: 0 });
    }),
  );
});

const { typescript: script, timing } = typescript();

describe.each([
  ['asciicast v3', () => new AsciicastReader(), castV3(), LINES],
  ['asciicast v2', () => new AsciicastReader(), castV2(), LINES],
  ['asciicast v1', () => new AsciicastReader(), castV1(), OUTPUT],
  ['ttyrec', () => new TtyrecReader(GRID), ttyrec(), OUTPUT],
  ['a typescript', () => new TypescriptReader(timing, { cols: 80, rows: 24 }), script, OUTPUT],
])('%s', (_name, newReader, file, lines) => {
  test.each([1, 7, 100_000])('is read in parts of %i bytes', (partBytes) => {
    const reader = newReader();
    const events = readAll(reader, Buffer.from(file), partBytes);
    expect(events[0]).toMatchObject({ kind: 'start', ...GRID });
    expect(linesOf(events)).toEqual(lines);
    expect(reader).toMatchObject({ complete: true, repaired: 0 });
  });

  test('that is cut off gives what is whole', () => {
    const reader = newReader();
    const isDocument = reader instanceof AsciicastReader && file === castV1();
    const cut = Buffer.from(file).subarray(0, -30);
    if (isDocument) expect(() => readAll(reader, cut)).toThrow(/no header of an asciicast/);
    else {
      const read = linesOf(readAll(reader, cut)).map(([ms]) => ms);
      expect(read).toEqual(lines.slice(0, read.length).map(([ms]) => ms));
      expect(read.length).toBeGreaterThan(0);
    }
  });
});

test('an advanced timing file has changes of size, and input that is left out', () => {
  const advanced = [
    'H 0.000000 COLUMNS 30',
    'H 0.000000 LINES 5',
    'H 0.000000 OUTPUT_LOG both',
    'H 0.000000 INPUT_LOG both',
    'O 0.5 2',
    'I 0.25 1',
    'S 0.25 SIGWINCH ROWS=7 COLS=50',
    'O 1.0 3',
  ].join('\n');
  const events = readAll(new TypescriptReader(advanced, GRID), Buffer.from('Script started\nabXcde'), 4);
  expect(events[0]).toMatchObject({ cols: 30, rows: 5 });
  expect(linesOf(events)).toEqual([
    [500, 'o', 'ab'],
    [1000, 'r', '50x7'],
    [2000, 'o', 'cde'],
  ]);
});

describe('refused, with the place, is', () => {
  const head = '{"version":3,"term":{"cols":80,"rows":24}}\n';
  test.each([
    ['a screen of 70,000 columns', '{"version":2,"width":70000,"height":24}\n', /The header has a screen of 70000x24/],
    ['a header without a size', '{"version":3}\n', /The header has a screen of \?x\?/],
    ['an unknown version', '{"version":4}\n', /of version 4: expected 1, 2 or 3/],
    ['no header', '[0,"o","x"]\n', /no header of an asciicast/],
    ['a broken line in the middle', `${head}[0,"o","x"]\nnonsense\n[0,"o","y"]\n`, /line 3 is no event/],
    ['a line of no event', `${head}{"time":0,"code":"o","data":"x"}\n`, /line 2 is no event/],
    ['an event without text', `${head}[0,"o"]\n`, /line 2 is no event/],
    ['an event without a code', `${head}[0,1,"x"]\n`, /line 2 is no event/],
    ['a change of size to 70,000 columns', `${head}[0,"r","70000x24"]\n`, /line 2 has a screen of 70000x24/],
    ['a time that is no number', `${head}["soon","o","x"]\n`, /line 2 has no time/],
    ['a time without end', `${head}[1e300,"o","x"]\n`, /line 2 has no time/],
  ])('%s', (_name, file, message) => {
    expect(() => readAll(new AsciicastReader(), Buffer.from(file), 10)).toThrow(message);
  });

  test('a screen larger than a terminal may be is refused, and one of the largest size is read', () => {
    const read = (size: string) =>
      readAll(new AsciicastReader(), Buffer.from(`${head}[0,"r","${size}"]\n[0,"o","x"]\n`), 10);
    expect(read('1000x1000')).toContainEqual(expect.objectContaining({ cols: 1000, rows: 1000 }));
    for (const size of ['1001x24', '80x1001']) expect(() => read(size)).toThrow(`line 2 has a screen of ${size}`);
  });

  test('a header of more than a mebibyte, and one of that length is read', () => {
    const read = (length: number) => {
      const [start, end] = ['{"version":3,"term":{"cols":80,"rows":24},"title":"', '"}'];
      const header = `${start}${'x'.repeat(length - start.length - end.length)}${end}`;
      return readAll(new AsciicastReader(), Buffer.from(`${header}\n[0,"o","x"]\n`), 64 * 1024);
    };
    expect(read(1024 * 1024)[0]).toMatchObject({ kind: 'start', cols: 80, rows: 24 });
    expect(() => read(1024 * 1024 + 1)).toThrow(/no header of an asciicast/);
  });

  test('a line of 20 MB, before it is whole in memory', () => {
    const reader = new AsciicastReader();
    const part = Buffer.alloc(1024 * 1024, 'x');
    reader.push(Buffer.from(`${head}[0,"o","`));
    let taken = 0;
    expect(() => {
      for (; taken < 20; taken++) reader.push(part);
    }).toThrow(/line 2 is longer than 16777216 bytes/);
    expect(taken).toBeLessThan(17);
  });

  test('a frame of a ttyrec that is longer than any output', () => {
    const reader = new TtyrecReader(GRID);
    expect(() => readAll(reader, Buffer.concat([ttyrec(), Buffer.alloc(8), Buffer.alloc(4, 0xff)]))).toThrow(
      /frame 4 is longer/,
    );
  });

  test('a timing file that is none', () => {
    expect(() => new TypescriptReader('0.5 3\nhello\n', GRID)).toThrow(/line 2 of the timing file has no time/);
  });
});

test('times that go back count as the time before, and are reported', () => {
  const reader = new AsciicastReader();
  const events = readAll(
    reader,
    Buffer.from(
      castV2([
        [500, 'o', 'a'],
        [100, 'o', 'b'],
        [700, 'o', 'c'],
      ]),
    ),
  );
  expect(linesOf(events)).toEqual([
    [500, 'o', 'ab'],
    [700, 'o', 'c'],
  ]);
  expect(reader.repaired).toBe(1);
});

test('comments and events of unknown codes are left out', () => {
  const file = `${castV3([[0, 'o', 'a']])}# a comment\n[0.5,"e","own"]\n[0.5,"o","b"]\n`;
  expect(linesOf(readAll(new AsciicastReader(), Buffer.from(file)))).toEqual([
    [0, 'o', 'a'],
    [1000, 'o', 'b'],
  ]);
});

test('pauses are shortened to a limit, and shorter ones stay', () => {
  const limit = new IdleLimit(1000);
  const times = [500, 5000, 5500, 5500, 60_000].map((atMs) =>
    limit.apply<TimedEvent>({ kind: 'marker', atMs, label: '' }),
  );
  expect(times.map(({ atMs }) => atMs)).toEqual([500, 1500, 2000, 2000, 3000]);
});
