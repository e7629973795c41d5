import { expect, test } from 'vitest';
import { LimitedLines } from '../../../src/cli/output/limited-lines.js';
import type { Host } from '../../../src/cli/host.js';

function limited(most: number, pieces: readonly string[]): { out: string; note: string } {
  const seen = { out: '', note: '' };
  const host = {
    out: (text: string) => void (seen.out += text),
    note: (text: string) => void (seen.note += text),
  } as unknown as Host;
  const lines = new LimitedLines(most, host);
  for (const piece of pieces) lines.print(piece);
  lines.end();
  return seen;
}

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i + 1}\n`);

test.each([
  [4, 10, '1\n2\n9\n10\n', 6],
  [3, 5, '1\n2\n5\n', 2],
  [1, 3, '1\n', 2],
  [4, 4, '1\n2\n3\n4\n', 0],
  [4, 0, '', 0],
])('of at most %i lines, %i are printed as head and tail', (most, count, out, omitted) => {
  const seen = limited(most, numbers(count));
  expect(seen.out).toBe(out);
  expect(seen.note).toBe(omitted === 0 ? '' : `… ${omitted} lines left out (--max-lines) …\n`);
});

test('pieces of one line count as one', () => {
  expect(limited(2, ['a', 'b', 'c\n', 'd', 'e\n', 'f', 'g\n'])).toEqual({
    out: 'abc\nfg\n',
    note: '… 1 lines left out (--max-lines) …\n',
  });
});
