import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { OpenLine } from '../../../src/features/people/open-line.js';

const BEGIN = '\x1b[200~';
const END = '\x1b[201~';

function after(...inputs: string[]): { unfinished: boolean; paste: boolean } {
  const line = new OpenLine();
  for (const input of inputs) line.feed(Buffer.from(input));
  return { unfinished: line.isUnfinished, paste: line.isInPaste };
}

test.each<[string[], boolean, boolean]>([
  [[], false, false],
  [['ls'], true, false],
  [['ls', '\r'], false, false],
  [['ls\n'], false, false],
  [['ls', '\x03'], false, false],
  [['ls\rcd'], true, false],
  [[BEGIN], false, true],
  [[BEGIN, 'a\rb\r'], true, true],
  [[`${BEGIN}a\rb\r`, END], true, false],
  [[`${BEGIN}a${END}`, '\r'], false, false],
  [[`${BEGIN}a`, '\x03'], true, true],
  [[`a${BEGIN}b${END}c${BEGIN}`], true, true],
])('after %j a line is open: %s, and a paste: %s', (inputs, unfinished, paste) => {
  expect(after(...inputs)).toEqual({ unfinished: unfinished || paste, paste });
});

test('the edges of a paste count however the input is cut', () => {
  const input = fc
    .array(fc.constantFrom(BEGIN, END, 'a', '\r', '\x1b', '[20'), { maxLength: 8 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(input, fc.array(fc.nat(40)), (text, cuts) => {
      const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length];
      const pieces = places.slice(1).map((end, i) => text.slice(places[i], end));
      expect(after(...pieces).paste).toBe(after(text).paste);
    }),
  );
});
