import * as fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { Redactor } from '../../src/redaction/redactor.js';
import { TypedMask } from '../../src/redaction/typed-mask.js';
import { runsOf, seedOfRun } from '../support/trial.js';
import { foundIn, SECRETS, SETTINGS, VARIABLES } from './planted.js';

const redactor = new Redactor(SETTINGS, [VARIABLES]);
const KEY = 'AKIAIOSFODNN7EXAMPLE';
const STARS = '*'.repeat(KEY.length);

function masked(pieces: readonly string[], flushedAfter = new Set<number>()): { texts: string[]; count: number } {
  const texts = pieces.map(() => '');
  const mask = new TypedMask<number>(redactor, (text, i) => (texts[i] += text));
  for (const [i, piece] of pieces.entries()) {
    mask.write(piece, i);
    if (flushedAfter.has(i)) mask.flush();
  }
  mask.end();
  return { texts, count: mask.count };
}

it.each([
  ['with a letter that is erased', ['AKIAX', '\x7f', KEY.slice(4), '\r'], ['****X', '\x7f', '*'.repeat(16), '\r']],
  [
    'behind an erased beginning',
    ['AKXX', '\x7f\x7f', `${KEY.slice(2)} z\n`],
    ['**XX', '\x7f\x7f', `${'*'.repeat(18)} z\n`],
  ],
  [
    'into the middle of which is gone back',
    [`AKIA${KEY.slice(5)}`, '\x1b[D'.repeat(15), 'I\r'],
    ['*'.repeat(19), '\x1b[D'.repeat(15), '*\r'],
  ],
  ['begun anew', ['AKIA', '\x15', `${KEY}\r`], ['AKIA', '\x15', `${STARS}\r`]],
  ['and then erased', [KEY, '\x15', 'ls\r'], [STARS, '\x15', 'ls\r']],
  [
    'with keys that do nothing',
    [KEY.slice(0, 9), '\x1b[D', KEY.slice(9), '\r'],
    ['*'.repeat(9), '\x1b[D', '*'.repeat(11), '\r'],
  ],
  ['pasted over lines', [`\x1b[200~a ${KEY} b\r${KEY}\x1b[201~`], [`\x1b[200~a ${STARS} b\r${STARS}\x1b[201~`]],
  ['with signs of no width', [`AKIA\u200b${KEY.slice(4)}\r`], [`${STARS}\r`]],
])('a secret is masked %s', (_, pieces, wanted) => {
  expect(masked(pieces)).toMatchObject({ texts: wanted });
});

it('is not let out in part before Enter, and no half of it by a flush, also behind other lines', () => {
  const pieces = [`one ${KEY} x\r`, `half ${KEY.slice(0, 12)}`, `${KEY.slice(12)} y\r`, 'plain\r'];
  expect(masked(pieces, new Set([1]))).toEqual({
    texts: [`one ${STARS} x\r`, `half ${'*'.repeat(12)}`, `${'*'.repeat(8)} y\r`, 'plain\r'],
    count: 2,
  });
  const out: string[] = [];
  const mask = new TypedMask<undefined>(redactor, (text) => out.push(text));
  for (const letter of KEY) mask.write(letter, undefined);
  expect(out).toEqual([]);
  mask.write('\r', undefined);
  expect(out.join('')).toBe(`${STARS}\r`);
});

it('masks a private key from its first line to its last, and lines of any length', () => {
  const body = Array.from({ length: 30 }, (_, i) => `MIIEpAIBAAKCAQEA${i}0123456789abcdefghij\r`);
  const { texts } = masked(
    ['-----BEGIN PRIVATE KEY-----\r', ...body, '-----END PRIVATE KEY-----\r', 'after\r'],
    new Set([5]),
  );
  expect(texts.join('')).not.toContain('MII');
  expect(texts.at(-1)).toBe('after\r');
  for (const before of [8180, 8192, 10_240, 30_000]) {
    const long = Array.from(`${'x '.repeat(before / 2)}${KEY} ${'y'.repeat(9000)}`);
    expect(masked(long)).toMatchObject({ count: 1 });
    expect(foundIn(masked(long).texts.join(''))).toEqual([]);
  }
});

/** A way to type a text so that it stands in the line at the end, with the places of its characters among the keys. */
const typing = fc
  .tuple(
    fc.constantFrom(...SECRETS),
    fc.array(fc.constantFrom('', 'wrong', 'later', 'right'), { minLength: 40, maxLength: 40 }),
  )
  .map(([secret, ways]) => {
    const keys: { key: string; isSecret: boolean }[] = [];
    const press = (key: string, isSecret = false): number => keys.push({ key, isSecret });
    const letters = Array.from(secret);
    for (let i = 0; i < letters.length; i++) {
      const [letter = '', next] = letters.slice(i);
      const way = ways[i];
      if (way === 'wrong') {
        press('?');
        press('\x7f');
      }
      if (way === 'later' && next !== undefined) {
        // The next one first, and this one before it.
        press(next, true);
        press('\x1b[D');
        press(letter, true);
        press('\x1b[C');
        i++;
      } else press(letter, true);
      if (way === 'right') press('\x1b[C');
    }
    return keys;
  });

test('no letter of a secret comes out, however its line was edited', () => {
  fc.assert(
    fc.property(typing, fc.constantFrom('', 'word ', 'echo "'), fc.nat(5), (keys, before, cut) => {
      const all = [...Array.from(before, (key) => ({ key, isSecret: false })), ...keys, { key: '\r', isSecret: false }];
      const pieces = cut === 0 ? all.map(({ key }) => key) : [all.map(({ key }) => key).join('')];
      const expected = all.map(({ key, isSecret }) => (isSecret ? '*' : key)).join('');
      const { texts, count } = masked(pieces);
      expect(texts.join('')).toBe(expected);
      expect(count).toBe(1);
    }),
    { numRuns: runsOf({ suite: 300, trial: 20_000 }), seed: seedOfRun() },
  );
});
