/** Lines that follow from others are left out. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldedLines } from '../../src/tools/folded-lines.js';

test.each<[string, string[], string[]]>([
  [
    'lines that count on',
    ['a 1 of 9', 'a 2 of 9', 'a 3 of 9', 'a 4 of 9', 'a 5 of 9', 'b'],
    ['a 1 of 9', 'a 2 of 9', '… 2 lines that count on …', 'a 5 of 9', 'b'],
  ],
  [
    'numbers with zeros before them',
    ['f08', 'f09', 'f10', 'f11', 'f12'],
    ['f08', 'f09', '… 2 lines that count on …', 'f12'],
  ],
  ['equal lines', ['x', '~', '~', '~', '~', '~', 'y'], ['x', '~ … 5 such lines', 'y']],
  ['few of them', ['~', '~', '~', '~'], ['~', '~', '~', '~']],
  ['blank lines', ['', '', '', '', '', ''], ['', '', '', '', '', '']],
  ['a step that changes', ['1', '2', '3', '5', '6', '7'], ['1', '2', '3', '5', '6', '7']],
  [
    'numbers of data',
    ['12.5 kg', '13.1 kg', '9.7 kg', '10.0 kg', '8.8 kg'],
    ['12.5 kg', '13.1 kg', '9.7 kg', '10.0 kg', '8.8 kg'],
  ],
  [
    'numbers that no double holds',
    Array.from({ length: 6 }, (_, i) => `9007199254740993${i}`),
    Array.from({ length: 6 }, (_, i) => `9007199254740993${i}`),
  ],
  ['nothing', [], []],
])('%s', (_, lines, expected) => {
  expect(foldedLines(lines)).toEqual(expected);
});

const line = fc
  .tuple(fc.constantFrom('a ', 'b', ''), fc.integer({ min: 0, max: 3 }), fc.constantFrom('', ' ok', '/7'))
  .map((parts) => parts.join(''));
const row = fc
  .tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: -2, max: 9 }), fc.integer({ min: 1, max: 30 }))
  .map(([from, step, count]) => Array.from({ length: count }, (_, i) => `n ${from + step * i}.`));

test('every line that is left out follows from those that are there', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(row, fc.array(line)), { maxLength: 6 }), (parts) => {
      const lines = parts.flat();
      expect(unfolded(foldedLines(lines))).toEqual(lines);
    }),
  );
});

/** By what a reader knows: the numbers of the two lines before the words. */
function unfolded(folded: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of folded) {
    const [, same, count] = /^(.*) … (\d+) such lines$/.exec(text) ?? [];
    const [, more] = /^… (\d+) lines that count on …$/.exec(text) ?? [];
    if (same !== undefined) lines.push(...Array.from({ length: Number(count) }, () => same));
    else if (more === undefined) lines.push(text);
    else {
      for (let i = 0; i < Number(more); i++) {
        const [before = '', last = ''] = lines.slice(-2);
        const numbers = before.match(/\d+/g) ?? [];
        let at = 0;
        lines.push(last.replaceAll(/\d+/g, (number) => String(2 * Number(number) - Number(numbers[at++]))));
      }
    }
  }
  return lines;
}
