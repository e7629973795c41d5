import { describe, expect, it } from 'vitest';
import { COMBINATIONS, sent, visible } from './notation.js';

const CURSOR_KEYS = { Up: 'A', Down: 'B', Right: 'C', Left: 'D', Home: 'H', End: 'F', KPBegin: 'E' };
const KEYPAD_CURSOR_KEYS = { KPUp: 'A', KPDown: 'B', KPRight: 'C', KPLeft: 'D', KPHome: 'H', KPEnd: 'F' };
const PF_KEYS = { F1: 'P', F2: 'Q', F3: 'R', F4: 'S' };
const TILDE_KEYS = {
  Insert: 2,
  Delete: 3,
  PageUp: 5,
  PageDown: 6,
  KPInsert: 2,
  KPDelete: 3,
  KPPageUp: 5,
  KPPageDown: 6,
  F5: 15,
  F6: 17,
  F7: 18,
  F8: 19,
  F9: 20,
  F10: 21,
  F11: 23,
  F12: 24,
  Menu: 29,
};
/** VT100 numeric keypad: character, and final byte of its application sequence (ctlseqs, "Application Keypad"). */
const KEYPAD_KEYS = {
  'KP*': '*j',
  'KP+': '+k',
  'KP,': ',l',
  'KP-': '-m',
  'KP.': '.n',
  'KP/': '/o',
  KP0: '0p',
  KP1: '1q',
  KP2: '2r',
  KP3: '3s',
  KP4: '4t',
  KP5: '5u',
  KP6: '6v',
  KP7: '7w',
  KP8: '8x',
  KP9: '9y',
  'KP=': '=X',
  KPEnter: '\rM',
};

describe('functional keys without keyboard enhancements', () => {
  it.each(Object.entries({ ...CURSOR_KEYS, ...KEYPAD_CURSOR_KEYS }))('%s ends in %s', (key, final) => {
    expect(sent(key)).toBe(`\x1b[${final}`);
    expect(sent(key, { applicationCursor: true })).toBe(`\x1bO${final}`);
    for (const { bits, prefix } of COMBINATIONS.slice(1)) {
      expect(sent(prefix + key)).toBe(`\x1b[1;${bits + 1}${final}`);
      expect(sent(prefix + key, { applicationCursor: true })).toBe(`\x1b[1;${bits + 1}${final}`);
    }
  });

  it.each(Object.entries(PF_KEYS))('%s ends in %s after SS3, and after CSI with modifiers', (key, final) => {
    expect(sent(key)).toBe(`\x1bO${final}`);
    for (const { bits, prefix } of COMBINATIONS.slice(1)) expect(sent(prefix + key)).toBe(`\x1b[1;${bits + 1}${final}`);
  });

  it.each(Object.entries(TILDE_KEYS))('%s is number %i before a tilde', (key, number) => {
    expect(sent(key)).toBe(`\x1b[${number}~`);
    for (const { bits, prefix } of COMBINATIONS.slice(1)) {
      expect(sent(prefix + key)).toBe(`\x1b[${number};${bits + 1}~`);
    }
  });

  it.each(Object.entries(KEYPAD_KEYS))(
    '%s types its character, and sends SS3 in application mode',
    (key, [text, final]) => {
      expect(sent(key)).toBe(text);
      expect(sent(`S-${key}`)).toBe(text);
      expect(sent(`M-${key}`)).toBe(`\x1b${text}`);
      expect(sent(key, { applicationKeypad: true })).toBe(`\x1bO${final}`);
      for (const { bits, prefix } of COMBINATIONS.slice(1)) {
        expect(sent(prefix + key, { applicationKeypad: true })).toBe(`\x1bO${bits + 1}${final}`);
      }
    },
  );

  it('carry Super as the number 8, which xterm calls Meta', () => {
    expect(sent('Super+Up')).toBe('\x1b[1;9A');
    expect(sent('Cmd+Shift+F5')).toBe('\x1b[15;10~');
  });

  it('are not sent if they have no encoding', () => {
    for (const key of ['CapsLock', 'Pause', 'PrintScreen', 'MediaPlay', 'VolumeUp', 'Hyper+Up', 'Super+Enter']) {
      expect(sent(key)).toBe('');
    }
  });
});

/** The table "C0 controls" of the kitty protocol's legacy section. */
const CONTROL_KEYS = [
  //  key         plain    Ctrl     Alt      Shift    Ctrl+S   Alt+S     Ctrl+Alt
  ['Enter', '^M', '^M', '^[^M', '^M', '^M', '^[^M', '^[^M'],
  ['Escape', '^[', '^[', '^[^[', '^[', '^[', '^[^[', '^[^['],
  ['Backspace', '^?', '^H', '^[^?', '^?', '^H', '^[^?', '^[^H'],
  ['Tab', '^I', '^I', '^[^I', '^[[Z', '^[[Z', '^[^[[Z', '^[^I'],
  ['Space', ' ', '^@', '^[ ', ' ', '^@', '^[ ', '^[^@'],
] as const;
const COLUMNS = ['', 'C-', 'M-', 'S-', 'C-S-', 'M-S-', 'C-M-'];

describe('keys that send control codes', () => {
  it.each(CONTROL_KEYS)('%s', (key, ...expected) => {
    expect(COLUMNS.map((prefix) => visible(sent(prefix + key)))).toEqual(expected);
  });

  it('swap the bytes of Backspace and Ctrl+Backspace while DECBKM is set', () => {
    const keys = ['BSpace', 'C-BSpace', 'M-BSpace', 'C-M-BSpace'];
    expect(keys.map((key) => visible(sent(key, { backarrow: true })))).toEqual(['^H', '^?', '^[^H', '^[^?']);
  });
});

/** Each key of a US keyboard that types a character: without and with Shift. */
const CHARACTER_KEYS = [
  ...Array.from("`1234567890-=[]\\;',./", (key, i) => [key, '~!@#$%^&*()_+{}|:"<>?'.charAt(i)] as const),
  ...Array.from('abcdefghijklmnopqrstuvwxyz', (key) => [key, key.toUpperCase()] as const),
  [' ', ' '] as const,
];

/** XLookupString's rule for Ctrl, and xterm's for `?`. */
function withCtrl(text: string): string {
  const code = text.charCodeAt(0);
  if ((code >= 0x40 && code < 0x7f) || code === 0x20) return String.fromCharCode(code & 0x1f);
  if (text === '2') return '\0';
  if (text >= '3' && text <= '7') return String.fromCharCode(code - 0x33 + 0x1b);
  if (text === '8' || text === '?') return '\x7f';
  return text === '/' ? '\x1f' : text;
}

describe('characters without keyboard enhancements', () => {
  it.each(CHARACTER_KEYS)('%s and %s, with every combination of Shift, Alt and Ctrl', (plain, shifted) => {
    for (const { bits, prefix } of COMBINATIONS) {
      const text = bits & 1 ? shifted : plain;
      const expected = (bits & 2 ? '\x1b' : '') + (bits & 4 ? withCtrl(text) : text);
      expect(sent(prefix + plain)).toBe(expected);
    }
  });

  it.each([
    ['Ctrl+C', '^C'],
    ['^C', '^C'],
    ['C-c', '^C'],
    ['Ctrl+Space', '^@'],
    ['^@', '^@'],
    ['Ctrl+[', '^['],
    ['^[', '^['],
    ['Ctrl+\\', '^\\'],
    ['Ctrl+]', '^]'],
    ['Ctrl+^', '^^'],
    ['Ctrl+_', '^_'],
    ['Ctrl+/', '^_'],
    ['^?', '^?'],
    ['M-x', '^[x'],
    ['M-X', '^[X'],
    ['Alt+X', '^[x'],
    ['Alt+Shift+x', '^[X'],
    ['C-M-x', '^[^X'],
    ['A', 'A'],
    ['!', '!'],
    ['é', 'é'],
    ['É', 'É'],
    ['S-é', 'É'],
    ['M-é', '^[é'],
    ['C-é', 'é'],
    ['中', '中'],
    ['👩‍👩‍👧', '👩‍👩‍👧'],
  ])('%s sends %s', (key, bytes) => {
    expect(visible(sent(key))).toBe(bytes);
  });

  it('are not sent with Super or Hyper, which would type the bare character', () => {
    for (const key of ['Super+c', 'Cmd+V', 'Hyper+x', 'Ctrl+Super+a']) expect(sent(key)).toBe('');
  });
});
