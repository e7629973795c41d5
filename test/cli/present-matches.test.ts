/* oxlint-disable no-control-regex */
/** Matches of grep and find, as ripgrep prints and colours them. */
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../src/cli/argv/invocation.js';
import { presented } from '../support/presented.js';
import { host } from '../support/host.js';

const line = (number: number): Fields => ({ line: number, text: `l${number}` });

function match(number: number, before: number[] = [], after: number[] = []): Fields {
  return { ...line(number), spans: [{ start: 0, end: 1 }], before: before.map(line), after: after.map(line) };
}

describe('the matches of grep', () => {
  const grep = async (argv: string[], matches: Fields[], total = matches.length): Promise<string[]> => {
    const order: string[] = [];
    const where = host({ out: (text) => order.push(String(text)), note: (text) => order.push(`! ${text}`) });
    await presented(['grep', 't1', 'x', ...argv], { matches, total }, { where });
    return order.join('').trimEnd().split('\n');
  };

  test('have a colon after their line number, and context lines have a dash', async () => {
    expect(await grep([], [match(3), match(9)])).toEqual(['3:l3', '9:l9']);
    expect(await grep(['-C', '1'], [match(3, [2], [4])])).toEqual(['2-l2', '3:l3', '4-l4']);
  });

  test.each(['--before', '--after', '--context'])(
    'with %s are separated by dashes where lines are missing between them',
    async (flag) => {
      expect(await grep([flag, '1'], [match(3, [2], [4]), match(6, [5]), match(8), match(9)])).toEqual([
        '2-l2',
        '3:l3',
        '4-l4',
        '5-l5',
        '6:l6',
        '--',
        '8:l8',
        '9:l9',
      ]);
      expect(await grep([flag, '0'], [match(3), match(9)])).toEqual(['3:l3', '9:l9']);
    },
  );

  test('that were left out are counted before or after the printed ones', async () => {
    expect(await grep(['-m', '1'], [match(3)], 5)).toEqual(['3:l3', '! … 4 more matching lines (--max) …']);
    expect(await grep(['-m', '1', '--last'], [match(9)], 5)).toEqual([
      '! … 4 matching lines before these (--max) …',
      '9:l9',
    ]);
    expect(await grep(['--last'], [match(9)])).toEqual(['9:l9']);
  });

  test('are coloured with --color always', async () => {
    const spans = [
      { start: 1, end: 3 },
      { start: 4, end: 5 },
    ];
    const matches = [{ line: 3, text: 'abcdef', spans, before: [line(2)], after: [] }];
    expect(await grep(['--color', 'always', '-B1'], matches)).toEqual([
      '\x1b[32m2\x1b[m-l2',
      '\x1b[32m3\x1b[m:a\x1b[1;31mbc\x1b[md\x1b[1;31me\x1b[mf',
    ]);
  });
});

test('the matches of find have their row and column, and those left out are counted', async () => {
  const matches = [
    { row: 1, col: 2, text: 'x' },
    { row: 3, col: 4, text: 'y' },
  ];
  expect(await presented(['find', 't1', 'x'], { matches, total: 2 })).toEqual({ printed: '1:2:x\n3:4:y\n', noted: '' });
  expect(await presented(['find', 't1', 'x', '--color=always'], { matches: matches.slice(1), total: 2 })).toEqual({
    printed: '\x1b[32m3\x1b[m:\x1b[32m4\x1b[m:\x1b[1;31my\x1b[m\n',
    noted: '… 1 more matches (--max) …\n',
  });
});
