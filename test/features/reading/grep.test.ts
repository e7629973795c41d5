import { describe, expect, test } from 'vitest';
import { type Rig, openRigOfFile } from '../../support/rig.js';

const rig = openRigOfFile();

interface Line {
  readonly line: number;
  readonly number: number;
  readonly text: string;
}

interface Match extends Line {
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  readonly before: readonly Line[];
  readonly after: readonly Line[];
}

async function grep(rig: Rig, id: string, fields: object) {
  const reply = await rig.ask('grep', { id, ...fields });
  const matches = (reply['matches'] ?? []) as Match[];
  const told = matches.map(({ number, before, after }) => [before, [{ number }], after].map(numbersOf));
  return { reply, matches, told };
}

const numbersOf = (lines: readonly { readonly number: number }[]): number[] => lines.map(({ number }) => number);

describe('grep', () => {
  test('reports the place of each match in its line, and the line', async () => {
    const id = await rig.printed('zero\r\nab xab\r\nAB', { cols: 20, rows: 2 });
    const { reply, matches } = await grep(rig, id, { pattern: 'ab', fixed: true });
    expect(matches).toEqual([
      {
        line: 1,
        number: 1,
        text: 'ab xab',
        spans: [
          { start: 0, end: 2 },
          { start: 4, end: 6 },
        ],
        before: [],
        after: [],
      },
    ]);
    expect(reply).toMatchObject({ ok: true, total: 1, lines: 3, first_line: 0 });
    expect((await grep(rig, id, { pattern: 'ab', ignore_case: true })).reply).toMatchObject({ total: 2 });
    expect((await grep(rig, id, { pattern: 'a.', fixed: true })).reply).toMatchObject({ total: 0, matches: [] });
    expect((await grep(rig, id, { pattern: 'a.' })).reply).toMatchObject({ total: 1 });
    expect((await grep(rig, id, { pattern: '(' })).reply).toMatchObject({ code: 'bad_regex', field: 'pattern' });
  });

  test('searches the given region, and counts lines from the oldest one left', async () => {
    const text = Array.from({ length: 12 }, (_, i) => `hit ${i}`).join('\r\n');
    const id = await rig.printed(text, { cols: 20, rows: 2, scrollback: 5 });
    const all = await grep(rig, id, { pattern: 'hit' });
    expect(all.matches.map(({ line, number }) => [line, number])).toEqual([0, 1, 2, 3, 4, 5, 6].map((i) => [i, i + 5]));
    expect(all.reply).toMatchObject({ total: 7, lines: 7, first_line: 5 });
    const viewport = await grep(rig, id, { pattern: 'hit', region: 'viewport', context: 1 });
    expect(viewport.told).toEqual([
      [[], [10], []],
      [[], [11], []],
    ]);
    expect(viewport.matches.map(({ line }) => line)).toEqual([5, 6]);
    expect(viewport.reply).toMatchObject({ lines: 2 });
  });

  test('reports a bounded number of matches of a line', async () => {
    const id = await rig.printed('x'.repeat(150), { cols: 200, rows: 2 });
    const { matches } = await grep(rig, id, { pattern: 'x' });
    expect(matches[0]?.spans).toHaveLength(100);
  });
});

describe('the lines around a match', () => {
  //              0 1 2 3   4 5 6   7   8 9 10 11
  const LINES = ['a', 'b', 'c', 'HIT', 'd', 'e', 'HIT', 'HIT', 'f', 'g', 'h', 'HIT'];

  test.each([
    [
      {},
      [
        [[], [3], []],
        [[], [6], []],
        [[], [7], []],
        [[], [11], []],
      ],
    ],
    [
      { context: 1 },
      [
        [[2], [3], [4]],
        [[5], [6], []],
        [[], [7], [8]],
        [[10], [11], []],
      ],
    ],
    [
      { context: 2 },
      [
        [[1, 2], [3], [4, 5]],
        [[], [6], []],
        [[], [7], [8, 9]],
        [[10], [11], []],
      ],
    ],
    [
      { before: 2 },
      [
        [[1, 2], [3], []],
        [[4, 5], [6], []],
        [[], [7], []],
        [[9, 10], [11], []],
      ],
    ],
    [
      { after: 3 },
      [
        [[], [3], [4, 5]],
        [[], [6], []],
        [[], [7], [8, 9, 10]],
        [[], [11], []],
      ],
    ],
    [
      { context: 1, before: 0 },
      [
        [[], [3], [4]],
        [[], [6], []],
        [[], [7], [8]],
        [[], [11], []],
      ],
    ],
    [
      { context: 1, after: 0 },
      [
        [[2], [3], []],
        [[5], [6], []],
        [[], [7], []],
        [[10], [11], []],
      ],
    ],
    [{ max: 1, after: 4 }, [[[], [3], [4, 5, 6, 7]]]],
    [
      { max: 2 },
      [
        [[], [3], []],
        [[], [6], []],
      ],
    ],
    [{ max: 1, last: true, context: 2 }, [[[10], [11], []]]],
    [
      { max: 2, last: true, before: 9 },
      [
        [[], [7], []],
        [[8, 9, 10], [11], []],
      ],
    ],
    [
      { max: 9, last: true },
      [
        [[], [3], []],
        [[], [6], []],
        [[], [7], []],
        [[], [11], []],
      ],
    ],
  ])('of %j are reported once each', async (fields, told) => {
    const id = await rig.printed(LINES.join('\r\n'), { cols: 20, rows: 12 });
    const found = await grep(rig, id, { pattern: 'HIT', ...fields });
    expect(found.told).toEqual(told);
    expect(found.reply).toMatchObject({ total: 4 });
    for (const { before, after } of found.matches) {
      for (const { line, number, text } of [...before, ...after]) expect([line, text]).toEqual([number, LINES[number]]);
    }
  });
});
