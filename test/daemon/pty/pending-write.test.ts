import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PendingWrite, restToKeep } from '../../../src/daemon/pty/pending-write.js';

const OPEN = '\x1b[200~';
const CLOSE = '\x1b[201~';

function pending(text: string, written: number, bracketed: boolean): PendingWrite {
  const bytes = Buffer.from(bracketed ? OPEN + text + CLOSE : text);
  const [openBytes, closeBytes] = bracketed ? [OPEN.length, CLOSE.length] : [0, 0];
  const settle = { resolve: () => {}, reject: () => {} };
  return { bytes, written: Math.min(written, bytes.length), abandonable: { openBytes, closeBytes }, settle };
}

test('a write that is given up leaves whole characters and a closed bracket, wherever it was cut', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '世', '🚀'), maxLength: 12 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 70 }), fc.boolean(), (pasted, cut, bracketed) => {
      const write = pending(pasted, cut, bracketed);
      const received = Buffer.concat([write.bytes.subarray(0, write.written), restToKeep(write)]);
      const shown = new TextDecoder('utf-8', { fatal: true }).decode(received);
      const body = bracketed ? shown.slice(OPEN.length, shown.length - CLOSE.length) : shown;
      if (write.written > 0 && bracketed) expect([shown.startsWith(OPEN), shown.endsWith(CLOSE)]).toEqual([true, true]);
      expect(pasted.startsWith(body)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('nothing is left of a write that was not begun', () => {
  expect(restToKeep(pending('abc', 0, true))).toHaveLength(0);
});

test('what was given up before is finished, and not cut again', () => {
  const write = { ...pending('abc', 4, true), settle: undefined };
  expect(Buffer.from(restToKeep(write)).toString()).toBe(`${OPEN}abc${CLOSE}`.slice(4));
});

test.each([
  ['the beginning of what opens a bracket', 'abc', 1, true, `${OPEN.slice(1)}${CLOSE}`],
  ['all that opens a bracket', 'abc', OPEN.length, true, CLOSE],
  ['a part of what is in it', 'abc', OPEN.length + 2, true, CLOSE],
  ['all that is in it', 'abc', OPEN.length + 3, true, CLOSE],
  ['a part of what closes it', 'abc', OPEN.length + 4, true, CLOSE.slice(1)],
  ['a part, where there is no bracket', 'abc', 1, false, ''],
  ['a part of a character', 'a世b', 2, false, Buffer.from('世').subarray(1).toString('latin1')],
  ['all of a character', 'a世b', 4, false, ''],
])('after %s, only what must be is still written', (_, text, written, bracketed, rest) => {
  expect(Buffer.from(restToKeep(pending(text, written, bracketed))).toString('latin1')).toBe(rest);
});

test('a write that an interrupt waits for has no brackets', () => {
  const write = { ...pending('abc', 1, false), abandonable: undefined };
  expect(restToKeep(write)).toHaveLength(0);
});
