import { describe, expect, it } from 'vitest';
import { modifyOtherKeysLevel } from '../../../src/vt/keys/modify-other-keys.js';
import { COMBINATIONS, sent, visible } from './notation.js';

/** `m:c` stands for `CSI 27 ; m ; c ~`. */
function readable(bytes: string): string {
  return visible(bytes).replace(/^\^\[\[27;(\d+);(\d+)~$/u, '$1:$2');
}

const PREFIXES = COMBINATIONS.map(({ prefix }) => prefix);

/** Worked out by hand from xterm's input.c; the prefixes are plain, S, M, M-S, C, C-S, C-M, C-M-S. */
const LEVEL_1 = [
  ['a', 'a', 'A', '^[a', '^[A', '^A', '^A', '^[^A', '^[^A'],
  ['[', '[', '{', '^[[', '^[{', '^[', '^[', '^[^[', '^[^['],
  ['`', '`', '~', '^[`', '^[~', '^@', '^^', '^[^@', '^[^^'],
  ['1', '1', '!', '^[1', '^[!', '5:49', '6:33', '7:49', '8:33'],
  ['2', '2', '@', '^[2', '^[@', '^@', '^@', '7:50', '^[^@'],
  ['8', '8', '*', '^[8', '^[*', '^?', '6:42', '7:56', '8:42'],
  ['/', '/', '?', '^[/', '^[?', '^_', '6:63', '7:47', '8:63'],
  [',', ',', '<', '^[,', '^[<', '5:44', '6:60', '7:44', '8:60'],
  ['-', '-', '_', '^[-', '^[_', '5:45', '^_', '7:45', '^[^_'],
  ['Space', ' ', ' ', '^[ ', '^[ ', '^@', '^@', '7:32', '8:32'],
  ['é', 'é', 'É', '^[é', '^[É', '5:233', '6:201', '7:233', '8:201'],
  ['Enter', '^M', '2:13', '^[^M', '4:13', '5:13', '6:13', '^[^M', '8:13'],
  ['Tab', '^I', '^[[Z', '^[^I', '^[^[[Z', '5:9', '^[[Z', '^[^I', '^[^[[Z'],
  ['Escape', '^[', '^[', '^[^[', '4:27', '^[', '^[', '7:27', '8:27'],
  ['Backspace', '^?', '^?', '^[^?', '^[^?', '^H', '^H', '^[^H', '^[^H'],
] as const;

const LEVEL_2 = [
  ['a', 'a', '2:65', '3:97', '4:65', '5:97', '6:65', '7:97', '8:65'],
  ['[', '[', '2:123', '3:91', '4:123', '5:91', '6:123', '7:91', '8:123'],
  ['1', '1', '!', '3:49', '4:33', '5:49', '6:33', '7:49', '8:33'],
  ['2', '2', '2:64', '3:50', '4:64', '5:50', '6:64', '7:50', '8:64'],
  ['/', '/', '?', '3:47', '4:63', '5:47', '6:63', '7:47', '8:63'],
  [';', ';', ':', '3:59', '4:58', '5:59', '6:58', '7:59', '8:58'],
  ['Space', ' ', '2:32', '3:32', '4:32', '5:32', '6:32', '7:32', '8:32'],
  ['é', 'é', 'É', '3:233', '4:201', '5:233', '6:201', '7:233', '8:201'],
  ['Enter', '^M', '2:13', '3:13', '4:13', '5:13', '6:13', '7:13', '8:13'],
  ['Tab', '^I', '^[[Z', '3:9', '4:9', '5:9', '6:9', '7:9', '8:9'],
  ['Escape', '^[', '2:27', '3:27', '4:27', '5:27', '6:27', '7:27', '8:27'],
  ['Backspace', '^?', '2:127', '3:127', '4:127', '^H', '6:8', '7:8', '8:8'],
] as const;

/** What Emacs 29's lisp/term/xterm.el knows of level 1, less what xterm has since sent as a control code. */
const EMACS = {
  5: [9, 13, 39, 44, 45, 46, 48, 49, 57, 59, 61],
  6: [33, 34, 35, 36, 37, 38, 40, 41, 42, 43, 58, 60, 62, 63],
};

describe('modifyOtherKeys', () => {
  it.each(LEVEL_1)('at level 1 changes %s only in combinations without a well-known byte', (key, ...expected) => {
    expect(PREFIXES.map((prefix) => readable(sent(prefix + key, { modifyOtherKeys: 1 })))).toEqual(expected);
  });

  it.each(LEVEL_2)('at level 2 changes %s', (key, ...expected) => {
    expect(PREFIXES.map((prefix) => readable(sent(prefix + key, { modifyOtherKeys: 2 })))).toEqual(expected);
  });

  it('at level 1 sends the sequences that Emacs binds', () => {
    for (const [parameter, codes] of Object.entries(EMACS)) {
      for (const code of codes) {
        const key = `Ctrl+${String.fromCharCode(code)}`;
        expect(readable(sent(key, { modifyOtherKeys: 1 }))).toBe(`${parameter}:${code}`);
      }
    }
  });

  it.each([1, 2] as const)('at level %i leaves functional and keypad keys as they are', (modifyOtherKeys) => {
    for (const key of ['Up', 'C-Up', 'M-F1', 'C-S-Delete', 'KP5', 'S-F13', 'Menu']) {
      expect(sent(key, { modifyOtherKeys })).toBe(sent(key));
    }
    expect(sent('M-KPEnter', { modifyOtherKeys, applicationKeypad: true })).toBe('\x1bO3M');
  });

  it('applies DECBKM to the code of Backspace', () => {
    const modes = { modifyOtherKeys: 2, backarrow: true } as const;
    expect(['BSpace', 'S-BSpace', 'C-BSpace', 'C-S-BSpace'].map((key) => readable(sent(key, modes)))).toEqual([
      '^H',
      '2:8',
      '^?',
      '6:127',
    ]);
  });

  it('encodes Super with a character', () => {
    expect(readable(sent('Super+c', { modifyOtherKeys: 1 }))).toBe('9:99');
    expect(readable(sent('Ctrl+Super+Enter', { modifyOtherKeys: 2 }))).toBe('13:13');
  });

  it('has no effect while kitty flags are set', () => {
    expect(sent('C-,', { modifyOtherKeys: 2, kittyFlags: 1 })).toBe('\x1b[44;5u');
  });
});

describe('XTMODKEYS', () => {
  it.each([
    ['CSI > 4 ; 2 m sets the level', 0, [4, 2], 'm', 2],
    ['CSI > 4 ; 1 m sets the level', 2, [4, 1], 'm', 1],
    ['CSI > 4 m resets it', 2, [4], 'm', 0],
    ['CSI > m resets all resources', 2, [], 'm', 0],
    ['CSI > 1 ; 2 m concerns only cursor keys', 1, [1, 2], 'm', 1],
    ['CSI > 4 n disables it', 2, [4], 'n', 0],
    ['CSI > 2 n concerns only function keys', 2, [2], 'n', 2],
    ['a level above the highest known one is treated as that one', 0, [4, 3], 'm', 2],
  ] as const)('%s', (_, before, params, final, after) => {
    expect(modifyOtherKeysLevel(before, params, final)).toBe(after);
  });
});
