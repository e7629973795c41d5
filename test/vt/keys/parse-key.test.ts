import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_NAMES, KEY_SPELLINGS } from '../../../src/vt/keys/key-names.js';
import { printKey } from '../../../src/vt/keys/key-press.js';
import { KeyError, parseKey, parseModifier } from '../../../src/vt/keys/parse-key.js';

function keyError(name: string): KeyError {
  try {
    parseKey(name);
  } catch (error) {
    if (error instanceof KeyError) return error;
    throw error;
  }
  throw new Error(`${name} was taken for a key`);
}

/** Spellings of the same key press, the printed name first. */
const SAME: readonly (readonly [string, ...string[]])[] = [
  ['Enter', 'enter', 'ENTER', 'Return', 'return', 'CR', 'Ret', '<CR>', '<Enter>', '\r', '\n', '\r\n'],
  ['Escape', 'Esc', 'ESC', '<Esc>', '\x1b'],
  ['Backspace', 'BSpace', 'BS', '<BS>', 'back_space', 'Back Space', '\x7f', '\b'],
  ['Tab', 'tab', '<Tab>', '\t'],
  ['Shift+Tab', 'BTab', 'S-Tab', 'backtab', '<S-Tab>', 'shift-tab'],
  ['PageUp', 'PgUp', 'PPage', 'Page_Up', 'page-up', 'Page Up', 'Prior', '<PageUp>'],
  ['PageDown', 'PgDn', 'NPage', 'pgdown', 'Next'],
  ['Delete', 'Del', 'DC'],
  ['Insert', 'Ins', 'IC'],
  ['Up', 'ArrowUp', 'UP', 'up', 'Up_Arrow', 'Arrow-Up'],
  ['Space', ' ', 'space', 'Spc'],
  ['F5', 'f5', '<F5>'],
  ['KP0', 'kp_0', 'Numpad0'],
  ['KPEnter', 'KP_Enter', 'NumpadEnter'],
  ['KPPlus', 'KP+', 'KP_Add'],
  ['KPMinus', 'KP-', 'KPSubtract'],
  ['KPMultiply', 'KP*'],
  ['KPDivide', 'KP/'],
  ['KPDecimal', 'KP.'],
  ['Ctrl+c', 'C-c', 'c-c', 'Ctrl+C', 'ctrl-c', 'Control+c', 'CONTROL-C', '^C', '^c', '<C-c>', '\x03', 'C-C'],
  ['Ctrl+Space', 'C-Space', 'C- ', 'Ctrl+ ', '\0'],
  ['Ctrl+[', 'C-[', '^['],
  ['Ctrl+Shift+/', 'Ctrl+?', '^?', 'C-?'],
  ['Ctrl+Shift+-', 'Ctrl+_', '^_', 'C-_'],
  ['Ctrl+Shift+=', 'Ctrl++', 'C-+', 'Ctrl+Plus', 'C-S-='],
  ['Ctrl+-', 'C--', 'Ctrl--', 'Ctrl+Minus'],
  ['Alt+x', 'M-x', 'A-x', 'Meta+x', 'Option+x', 'Alt+X', 'Alt-X', 'alt-x', 'Meta-X'],
  ['Alt+Shift+x', 'M-X', 'M-S-x', 'Alt+Shift+X', 'S-M-x'],
  ['Ctrl+Alt+x', 'C-M-x', 'M-C-x', 'Alt+Ctrl+X', 'C-M-X'],
  ['Alt+Shift+/', 'M-?', 'Alt+?'],
  ['Ctrl+Shift+Left', 'ctrl+shift+left', 'C-S-Left', 'Shift-Ctrl-ArrowLeft'],
  ['Super+c', 'Cmd+C', 'Command+c', 'Win+c', 'super-c'],
  ['Hyper+Up', 'hyper-up'],
  ['Ctrl+Alt+Shift+Super+Hyper+F12', 'Hyper+Super+Shift+Alt+Ctrl+F12'],
  ['Shift+Up', 'S-Up'],
  ['A', 'S-a', 'Shift+a', 'Shift+A'],
  ['!', 'S-1', 'Shift+!'],
  ['+', 'Plus', 'S-='],
  ['-', 'Minus'],
  ['<', '<lt>', 'Lt'],
  ['|', 'Bar', '<Bar>', 'Pipe'],
  ['\\', 'Backslash', '<Bslash>'],
  ['É', 'Shift+é'],
  ['Ctrl+é', 'Ctrl+É'],
];

describe('key names', () => {
  it.each(SAME)('%s means the same in all its spellings', (printed, ...others) => {
    const press = parseKey(printed);
    expect(printKey(press)).toBe(printed);
    for (const other of others) expect(parseKey(other)).toEqual(press);
  });

  it('include any single grapheme as itself', () => {
    for (const text of [
      'a',
      'z',
      '0',
      '~',
      '^',
      '<',
      '>',
      'ß',
      'ı',
      'ж',
      '中',
      'é',
      'e\u0301',
      '🙂',
      '👩‍👩‍👧',
      '\u0301',
      '🇩🇪',
    ]) {
      expect(printKey(parseKey(text))).toBe(text);
    }
  });

  it('include letters without a simple case pair as keys of their own', () => {
    // Kelvin sign, title case, dotted and dotless i, long s, sharp s.
    for (const text of ['\u212a', 'ǅ', 'İ', 'ı', 'ſ', 'ß']) {
      expect(parseKey(text)).toEqual({ key: text, modifiers: 0 });
      expect(printKey(parseKey(`Shift+${text}`))).toBe(`Shift+${text}`);
    }
  });

  it('distinguish capital letters from small ones', () => {
    expect(parseKey('a')).not.toEqual(parseKey('A'));
    expect(parseKey('M-a')).not.toEqual(parseKey('M-A'));
  });

  it('have one meaning each', () => {
    const spellings = [...KEY_SPELLINGS.keys()];
    expect(new Set(KEY_NAMES).size).toBe(KEY_NAMES.length);
    for (const spelling of spellings) {
      expect(parseKey(spelling)).toEqual(parseKey(KEY_SPELLINGS.get(spelling) ?? ''));
    }
  });

  it('include F1 to F24 and the digits of the keypad', () => {
    for (let n = 1; n <= 24; n++) expect(KEY_NAMES).toContain(`F${n}`);
    for (let n = 0; n <= 9; n++) expect(KEY_NAMES).toContain(`KP${n}`);
  });
});

/** What was typed, and what may have been meant. */
const TYPOS = [
  ['Entr', 'Enter'],
  ['Retrun', 'Enter'],
  ['Escpae', 'Escape'],
  ['PageUpp', 'PageUp'],
  ['Ctrl+Entr', 'Ctrl+Enter'],
  ['Crtl+c', 'Ctrl+c'],
  ['Crtl+Sihft+Lfet', 'Ctrl+Shift+Left'],
  ['<C-Rihgt>', 'Ctrl+Right'],
  ['F36', 'F3'],
  ['Backspce', 'Backspace'],
  ['ArowUp', 'Up'],
  ['Controll+x', 'Ctrl+x'],
] as const;

describe('a name that is not a key', () => {
  it.each(TYPOS)('%s is refused with %s among the near matches', (typo, meant) => {
    const error = keyError(typo);
    expect(error.key).toBe(typo);
    expect(error.message).toBe(`${JSON.stringify(typo)} is not a key.`);
    expect(error.closest).toContain(meant);
    expect(error.closest.length).toBeLessThanOrEqual(3);
  });

  it.each([
    '',
    'hello world',
    'ls -la\n',
    'ab',
    'C-',
    'Ctrl+',
    '+-+',
    '^ab',
    '^Left',
    'F0',
    'F64',
    'KP10',
    '<>',
    '\x9b',
    '\ud800',
  ])('%j is refused', (name) => {
    expect(keyError(name)).toBeInstanceOf(Error);
  });

  it('suggests only keys', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.constantFrom(...TYPOS, ['bxr', 'Bar']).map(([typo]) => typo),
        ),
        (name) => {
          try {
            parseKey(name);
          } catch (error) {
            if (!(error instanceof KeyError)) throw error;
            // `Bar` is a key's name, although that key is printed as the character that it types.
            for (const near of error.closest) expect(parseKey(printKey(parseKey(near)))).toEqual(parseKey(near));
          }
        },
      ),
    );
  });

  it('is quoted in short form and gets no suggestions if it is long', () => {
    for (const long of [
      'x'.repeat(1_000_000),
      'ct+'.repeat(300_000),
      'C-'.repeat(20_000),
      '\u0301'.repeat(1_000_000) + 'a',
    ]) {
      const error = keyError(long);
      expect(error.message.length).toBeLessThan(120);
      expect(error.closest).toEqual([]);
    }
  });
});

describe('names of modifiers alone', () => {
  it.each([
    ['ctrl', 4],
    ['Control', 4],
    ['Shift', 1],
    ['alt', 2],
    ['Meta', 2],
    ['cmd', 8],
    ['Hyper', 16],
    ['C', 4],
  ])('%s is bit %i', (name, bit) => {
    expect(parseModifier(name)).toBe(bit);
  });

  it('are refused with a near match if they are misspelled', () => {
    expect(() => parseModifier('contrl')).toThrow(expect.objectContaining({ key: 'contrl', closest: ['Ctrl'] }));
  });
});
