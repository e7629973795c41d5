import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatSpan } from '../../../src/base/span.js';
import { printable } from '../../../src/cli/output/printable.js';
import { formatFields, formatTable } from '../../../src/cli/output/table.js';
import { anyText } from '../../support/any-text.js';

describe('a table', () => {
  test('aligns its columns, without blanks after the last one', () => {
    const rows = [
      ['ID', 'STATE', 'TITLE'],
      ['t1', 'running', 'vim'],
      ['build', 'exited 0', ''],
    ];
    expect(formatTable(rows, 80)).toBe(
      ['ID     STATE     TITLE', 't1     running   vim', 'build  exited 0', ''].join('\n'),
    );
  });

  test('is cut at the width of the terminal, with an ellipsis', () => {
    expect(formatTable([['abcdef', 'ghi']], 8)).toBe('abcdef …\n');
  });

  test('counts a combined character as one column', () => {
    expect(
      formatTable(
        [
          ['e\u0301', 'x'],
          ['ab', 'y'],
        ],
        80,
      ),
    ).toBe('e\u0301   x\nab  y\n');
  });

  test('may be as wide as the terminal, and is cut beyond that', () => {
    expect(formatTable([['abc', 'de']], 7)).toBe('abc  de\n');
    expect(formatTable([['abc', 'de']], 6)).toBe('abc  …\n');
    expect(formatTable([['abc', 'de']], 1)).toBe('…\n');
    expect(formatTable([['abc', 'de']], 0)).toBe('…\n');
    expect(formatTable([], 80)).toBe('');
  });

  test('paints its cells, including cut ones, but not the blanks between them', () => {
    const rows = [
      ['ID', 'STATE', 'X'],
      ['build', '', 'yz'],
    ];
    const paint = (text: string, row: number, column: number): string => `<${row}${column}:${text}>`;
    expect(formatTable(rows, 80, paint)).toBe('<00:ID>     <01:STATE>  <02:X>\n<10:build>         <12:yz>\n');
    // As far as they are not cut off.
    expect(formatTable(rows, 10, paint)).toBe('<00:ID>     <01:ST…>\n<10:build>    …\n');
    expect(formatTable(rows, 4, paint)).toBe('<00:ID> …\n<10:bui…>\n');
  });

  test('prints one line per row for any content', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText(), fc.string()), { minLength: 1 }), (rows) => {
        expect(formatTable(rows, Number.POSITIVE_INFINITY).split('\n').length).toBe(rows.length + 1);
      }),
    );
  });
});

test('nested fields have dotted names, and values other than text are printed as JSON', () => {
  const fields = { id: 't1', cursor: { row: 1, visible: true }, exit_code: null, cmd: ['a', 'b'] };
  expect(formatFields(fields)).toBe(
    [
      'id              t1',
      'cursor.row      1',
      'cursor.visible  true',
      'exit_code       null',
      'cmd             ["a","b"]',
      '',
    ].join('\n'),
  );
});

describe('text of unknown origin', () => {
  test('is printed with its control characters escaped', () => {
    expect(printable('a\x1b]0;pwned\x07b\x9bm\r\n')).toBe('a\\x1b]0;pwned\\x07b\\x9bm\\x0d\\x0a');
    expect(printable('safe\u202ecod.exe')).toBe('safe\\u202ecod.exe');
  });

  test('keeps letters, emoji and joined characters', () => {
    const harmless = 'naïve 日本語 👩‍👩‍👧 ǅ';
    expect(printable(harmless)).toBe(harmless);
  });
});

test.each([
  [0, '0ms'],
  [999, '999ms'],
  [1000, '1s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_999, '59m'],
  [3_600_000, '1h'],
  [86_399_999, '23h'],
  [86_400_000, '1d'],
  [86_400_000 * 3, '3d'],
])('%d ms are printed as %s', (ms, span) => {
  expect(formatSpan(ms)).toBe(span);
});
