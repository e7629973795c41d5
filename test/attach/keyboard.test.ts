/** What comes from a person's terminal is cut into input, commands, pastes, reports and answers. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Keyboard, type KeyboardToken } from '../../src/tty/keyboard.js';

const input = (bytes: string): KeyboardToken => ({ kind: 'input', bytes });
const command = (key: string): KeyboardToken => ({ kind: 'command', key });
const LEADER: KeyboardToken = { kind: 'leader' };

test.each([
  ['a', [input('a')]],
  ['\x1b', [input('\x1b')]],
  ['\x1b[', [input('\x1b[')]],
  ['\x1b[A\x1bOP\x1bx', [input('\x1b[A\x1bOP\x1bx')]],
  ['a\x02db', [input('a'), LEADER, command('d'), input('b')]],
  ['\x02\x02', [LEADER, command('\x02')]],
  ['\x02\x1b[A', [LEADER, command('\x1b[A')]],
  ['\x02\xc3\xa9x', [LEADER, command('\xc3\xa9'), input('x')]],
  // The leader of the kitty protocol, with Caps Lock and Num Lock, its release, and of modifyOtherKeys.
  ['\x1b[98;5u\x1b[98;5:3ud', [LEADER, command('d')]],
  ['\x1b[98;197u\x1b[100;1u', [LEADER, command('d')]],
  ['\x1b[98;69u\x1b[57442;5u\x1b[98;5u', [LEADER, command('\x02')]],
  ['\x1b[27;5;98~?', [LEADER, command('?')]],
  ['\x1b[98;5u\x1b[47:63;2u', [LEADER, command('?')]],
  ['\x1b[98u\x1b[98;6u', [input('\x1b[98u\x1b[98;6u')]],
  [
    '\x1b[200~a\x02d\x1b[201~b',
    [
      { kind: 'paste', bytes: '\x1b[200~', begins: true },
      input('a\x02d'),
      { kind: 'paste', bytes: '\x1b[201~', begins: false },
      input('b'),
    ],
  ],
  ['\x1b[<0;3;4Mx', [{ kind: 'mouse', bytes: '\x1b[<0;3;4M' }, input('x')]],
  [
    '\x1b[?1u\x1b[?62;22c',
    [
      { kind: 'reply', bytes: '\x1b[?1u' },
      { kind: 'reply', bytes: '\x1b[?62;22c' },
    ],
  ],
] satisfies [string, KeyboardToken[]][])('%j', (bytes, tokens) => {
  const keyboard = new Keyboard();
  expect(keyboard.push(bytes)).toEqual(tokens);
  expect(keyboard.isHolding).toBe(false);
});

describe('a sequence that is cut', () => {
  test('is held until the rest comes, or passed on', () => {
    const keyboard = new Keyboard();
    expect(keyboard.push('a\x1b[<0;1')).toEqual([input('a')]);
    expect(keyboard.isHolding).toBe(true);
    expect(keyboard.push('2;3M')).toEqual([{ kind: 'mouse', bytes: '\x1b[<0;12;3M' }]);
    expect(keyboard.push('\x1b[1;')).toEqual([]);
    expect(keyboard.flush()).toEqual([input('\x1b[1;')]);
    expect(keyboard.flush()).toEqual([]);
    expect(keyboard.push('\x02\x1b[1;')).toEqual([LEADER]);
    expect(keyboard.flush()).toEqual([command('\x1b[1;')]);
    expect(keyboard.push('d')).toEqual([input('d')]);
  });

  test('after Escape is held while an answer is expected', () => {
    const keyboard = new Keyboard();
    keyboard.expectsReply = true;
    expect(keyboard.push('\x1b')).toEqual([]);
    expect(keyboard.push('[?1c')).toEqual([{ kind: 'reply', bytes: '\x1b[?1c' }]);
    expect(keyboard.push('\x1b')).toEqual([]);
    expect(keyboard.flush()).toEqual([input('\x1b')]);
  });

  test('at the end of a paste is held', () => {
    const keyboard = new Keyboard();
    keyboard.push('\x1b[200~');
    expect(keyboard.push('a\x1b[20')).toEqual([input('a')]);
    expect(keyboard.push('1~')).toEqual([{ kind: 'paste', bytes: '\x1b[201~', begins: false }]);
  });
});

test('bytes without the leader come out as they went in, however they are cut', () => {
  const piece = fc.oneof(
    fc.constantFrom('\x1b', '[', '200~', '201~', '\x1b[200~', '\x1b[201~', '\x1b[A', '1;5C', '<0;1;', 'O', '\xff'),
    fc.string({ unit: 'binary-ascii', maxLength: 4 }),
  );
  const pieces = fc.array(
    piece.map((text) => text.replaceAll('\x02', '')),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(pieces, (all) => {
      const keyboard = new Keyboard();
      const tokens = [...all.flatMap((bytes) => keyboard.push(bytes)), ...keyboard.flush()];
      const leaders = tokens.filter(({ kind }) => kind === 'leader' || kind === 'command');
      expect(leaders).toEqual([]);
      expect(tokens.map((token) => ('bytes' in token ? token.bytes : '')).join('')).toBe(all.join(''));
    }),
    { numRuns: 500 },
  );
});
