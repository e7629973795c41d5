import { describe, expect, it } from 'vitest';
import { KEY_NAMES, KEY_PRESSES, KEY_SPELLINGS, MODIFIER_NAMES } from '../../../src/vt/keys/key-names.js';
import { isNamedKey, printKey } from '../../../src/vt/keys/key-press.js';
import { LETTER_MODIFIERS, MODIFIER_BITS, printModifiers } from '../../../src/vt/keys/modifiers.js';
import { KeyError, parseKey, parseModifier } from '../../../src/vt/keys/parse-key.js';

/** Every name with more than one spelling: tmux's, vim's, terminfo's, the browser's. */
const ALIASES: Readonly<Record<string, string>> = {
  Enter: 'return ret cr',
  Escape: 'esc',
  Backspace: 'bspace bs',
  Up: 'arrowup uparrow',
  Down: 'arrowdown downarrow',
  Right: 'arrowright rightarrow',
  Left: 'arrowleft leftarrow',
  Insert: 'ins ic',
  Delete: 'del dc',
  PageUp: 'pgup ppage prior',
  PageDown: 'pgdn pgdown npage next',
  KPDecimal: 'kp. kpdot kpperiod numpaddecimal',
  KPDivide: 'kp/ kpslash numpaddivide',
  KPMultiply: 'kp* kpstar kpasterisk numpadmultiply',
  KPMinus: 'kp- kpsubtract numpadsubtract',
  KPPlus: 'kp+ kpadd numpadadd',
  KPEnter: 'numpadenter',
  KPEqual: 'kp= kpequals numpadequal',
  KPComma: 'kp, kpseparator numpadcomma',
  KPPageUp: 'kppgup kpprior',
  KPPageDown: 'kppgdn kpnext',
  KPInsert: 'kpins',
  KPDelete: 'kpdel',
  KPBegin: 'begin',
  Menu: 'contextmenu apps',
  PrintScreen: 'print prtsc prtscr sysrq',
  Pause: 'break',
  CapsLock: 'caps',
  MediaPlayPause: 'audioplay',
  MediaStop: 'audiostop',
  MediaNext: 'mediatracknext audionext',
  MediaPrevious: 'mediatrackprevious audioprev',
  VolumeDown: 'lowervolume',
  VolumeUp: 'raisevolume',
  VolumeMute: 'mutevolume mute',
  Space: 'spc spacebar',
  BTab: 'backtab',
  Minus: 'hyphen',
  Backslash: 'bslash',
  Bar: 'pipe',
};

/** Names that stand for a character, or for a key with Shift. */
const STANDING_FOR: Readonly<Record<string, string>> = {
  Space: 'Space',
  BTab: 'Shift+Tab',
  Plus: '+',
  Minus: '-',
  Backslash: '\\',
  Bar: '|',
  Lt: '<',
  Gt: '>',
};

describe('the names of keys', () => {
  it.each(Object.entries(ALIASES))('%s may be written %s', (name, aliases) => {
    for (const alias of aliases.split(' ')) {
      expect(KEY_SPELLINGS.get(alias), alias).toBe(name);
      expect(parseKey(alias), alias).toEqual(parseKey(name));
      expect(parseKey(alias.toUpperCase()), alias).toEqual(parseKey(name));
    }
  });

  it('of keypad digits may begin with numpad', () => {
    for (let digit = 0; digit <= 9; digit++) expect(parseKey(`Numpad${digit}`)).toEqual(parseKey(`KP${digit}`));
  });

  it('are all the spellings, together with their aliases', () => {
    const aliases = Object.values(ALIASES).flatMap((words) => words.split(' '));
    const digits = Array.from({ length: 10 }, (_, digit) => `numpad${digit}`);
    const names = KEY_NAMES.map((name) => name.toLowerCase());
    expect([...KEY_SPELLINGS.keys()].toSorted()).toEqual([...names, ...aliases, ...digits].toSorted());
  });

  it.each(Object.entries(STANDING_FOR))('%s stands for %s', (name, printed) => {
    expect(printKey(parseKey(name))).toBe(printed);
    expect(KEY_PRESSES.get(name)).toEqual(parseKey(name));
    expect(isNamedKey(name)).toBe(false);
  });

  it('name keys of their own if they stand for nothing else', () => {
    for (const name of KEY_NAMES) {
      if (name in STANDING_FOR) continue;
      expect(KEY_PRESSES.get(name)).toEqual({ key: name, modifiers: 0 });
      expect(isNamedKey(name)).toBe(true);
    }
  });
});

describe('the names of modifiers', () => {
  it.each([
    ['Ctrl', 4, 'control ctl'],
    ['Alt', 2, 'option opt meta'],
    ['Shift', 1, ''],
    ['Super', 8, 'cmd command win windows'],
    ['Hyper', 16, ''],
  ])('%s is bit %i, also as %j', (name, bit, aliases) => {
    expect(MODIFIER_NAMES).toContain(name);
    for (const word of [name, ...aliases.split(' ').filter((alias) => alias !== '')]) {
      expect(parseModifier(word), word).toBe(bit);
      expect(MODIFIER_BITS.get(word.toLowerCase())).toBe(bit);
      expect(printKey(parseKey(`${word}+Up`)), word).toBe(`${name}+Up`);
      expect(printKey(parseKey(`${word}-Up`)), word).toBe(`${name}+Up`);
    }
    expect(printModifiers(bit)).toBe(`${name}+`);
  });

  it('of one letter are those of tmux and Emacs', () => {
    expect([...LETTER_MODIFIERS]).toEqual([
      ['c', 4],
      ['m', 2],
      ['a', 2],
      ['s', 1],
    ]);
    for (const [letter, bit] of LETTER_MODIFIERS) expect(parseModifier(letter.toUpperCase())).toBe(bit);
  });

  it('are printed in a fixed order', () => {
    expect(printModifiers(0)).toBe('');
    expect(printModifiers(31)).toBe('Ctrl+Alt+Shift+Super+Hyper+');
    expect(MODIFIER_NAMES).toEqual(['Ctrl', 'Alt', 'Shift', 'Super', 'Hyper']);
  });
});

function refused(parse: () => unknown): KeyError {
  try {
    parse();
  } catch (error) {
    if (error instanceof KeyError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('an unknown name', () => {
  it('has its own message if it is empty', () => {
    expect(refused(() => parseKey('')).message).toBe('An empty string is not a key.');
    expect(refused(() => parseKey('xyzzy')).message).toBe('"xyzzy" is not a key.');
  });

  it('of two letters does not suggest an alias of two letters', () => {
    for (const name of ['bz', 'cz', 'dz', 'lz', 'gz', 'iz']) expect(refused(() => parseKey(name)).closest).toEqual([]);
    expect(refused(() => parseKey('fl')).closest).toContain('F1');
  });

  it('is corrected modifier by modifier, and correct modifiers are kept', () => {
    expect(refused(() => parseKey('Crtl+x')).closest).toEqual(['Ctrl+x']);
    expect(refused(() => parseKey('Ctrl+Sihft+Left')).closest).toEqual(['Ctrl+Shift+Left']);
    expect(refused(() => parseKey('Alt+Crtl+Lfet')).closest).toContain('Ctrl+Alt+Left');
    expect(refused(() => parseKey('<C-Crtl+Up>')).closest).toEqual(['Ctrl+Up']);
    expect(refused(() => parseKey('Xyzzy+Up')).closest.every((name) => !name.startsWith('Xyzzy'))).toBe(true);
  });

  it('of a modifier suggests similar modifiers', () => {
    expect(refused(() => parseModifier('shfit')).closest).toEqual(['Shift']);
    expect(refused(() => parseModifier('contrl')).closest).toEqual(['Ctrl']);
    expect(refused(() => parseModifier('xyzzy')).closest).toEqual([]);
  });
});
