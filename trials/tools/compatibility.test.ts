/** The rows that trials write to docs/compatibility.md. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PROGRAMS, SHELLS } from '../debian/programs.js';
import { withRow } from '../support/compatibility.js';

const PAGE = `# Compatibility

### Results

Prose | with a bar.

| system | tests |
|---|---|
| one | 1 passed |
| one more | 2 passed |

### Other

| system | tests |
|---|---|
| one | of another table |

The end.
`;

test('a row replaces the row of the same name, and nothing else', () => {
  expect(withRow(PAGE, 'Results', ['one', '9 passed'])).toBe(PAGE.replace('1 passed', '9 passed'));
});

test('a new row is added at the end of its table', () => {
  const expected = PAGE.replace('| 2 passed |\n', '| 2 passed |\n| two | a \\| b |\n');
  expect(withRow(PAGE, 'Results', ['two', 'a | b'])).toBe(expected);
});

test('a row that is written again changes nothing', () => {
  const once = withRow(PAGE, 'Other', ['two', 'a | b']);
  expect(withRow(once, 'Other', ['two', 'a | b'])).toBe(once);
});

test('a row is refused if its table does not exist or has other columns', () => {
  expect(() => withRow(PAGE, 'Nothing', ['one', '1'])).toThrow('no table');
  expect(() => withRow(PAGE, 'Results', ['one'])).toThrow('2 columns');
});

test('a row fits into each table of the page', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/compatibility.md', import.meta.url)), 'utf8');
  const blank = (count: number): string[] => Array.from({ length: count }, () => '');
  for (const [table, columns] of [
    ['Results', 5],
    ['Shells', SHELLS.length],
    ['Programs', PROGRAMS.length],
    ['Ways to install', 3],
  ] as const) {
    expect(withRow(page, table, ['a new system', ...blank(columns)]), table).toContain('a new system');
  }
});
