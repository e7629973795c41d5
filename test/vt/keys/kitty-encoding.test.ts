import { describe, expect, it } from 'vitest';
import { encodeKeyEvent } from '../../../src/vt/keys/encode-key.js';
import { KEY_ROWS } from '../../../src/vt/keys/key-table.js';
import { parseKey } from '../../../src/vt/keys/parse-key.js';
import { modes, sent, visible } from './notation.js';

/** Modifiers 0..31: Shift 1, Alt 2, Ctrl 4, Super 8, Hyper 16. */
const HELD = Array.from({ length: 32 }, (_, bits) => ({
  bits,
  prefix: ['Shift+', 'Alt+', 'Ctrl+', 'Super+', 'Hyper+'].filter((_, i) => bits & (1 << i)).join(''),
}));

/** With a key of each final character, all combinations; with the others, whose number alone differs, none, two and all. */
const WITH_ALL = new Set(['Escape', 'Insert', 'Left', 'F1', 'Enter', 'KPBegin']);
const heldWith = (name: string): typeof HELD =>
  HELD.filter(({ bits }) => WITH_ALL.has(name) || [0, 5, 31].includes(bits));

/** The protocol's functional key table: our name, then its `CSI` column. */
const FUNCTIONAL_KEYS = `
  Escape 27u  Enter 13u  Tab 9u  Backspace 127u  Insert 2~  Delete 3~  Left 1D  Right 1C  Up 1A  Down 1B
  PageUp 5~  PageDown 6~  Home 1H  End 1F  CapsLock 57358u  ScrollLock 57359u  NumLock 57360u
  PrintScreen 57361u  Pause 57362u  Menu 57363u
  F1 1P  F2 1Q  F3 13~  F4 1S  F5 15~  F6 17~  F7 18~  F8 19~  F9 20~  F10 21~  F11 23~  F12 24~
  F13 57376u  F14 57377u  F15 57378u  F16 57379u  F17 57380u  F18 57381u  F19 57382u  F20 57383u  F21 57384u
  F22 57385u  F23 57386u  F24 57387u  F25 57388u  F26 57389u  F27 57390u  F28 57391u  F29 57392u  F30 57393u
  F31 57394u  F32 57395u  F33 57396u  F34 57397u  F35 57398u
  KP0 57399u  KP1 57400u  KP2 57401u  KP3 57402u  KP4 57403u  KP5 57404u  KP6 57405u  KP7 57406u  KP8 57407u
  KP9 57408u  KPDecimal 57409u  KPDivide 57410u  KPMultiply 57411u  KPMinus 57412u  KPPlus 57413u  KPEnter 57414u
  KPEqual 57415u  KPComma 57416u  KPLeft 57417u  KPRight 57418u  KPUp 57419u  KPDown 57420u  KPPageUp 57421u
  KPPageDown 57422u  KPHome 57423u  KPEnd 57424u  KPInsert 57425u  KPDelete 57426u  KPBegin 1E
  MediaPlay 57428u  MediaPause 57429u  MediaPlayPause 57430u  MediaReverse 57431u  MediaStop 57432u
  MediaFastForward 57433u  MediaRewind 57434u  MediaNext 57435u  MediaPrevious 57436u  MediaRecord 57437u
  VolumeDown 57438u  VolumeUp 57439u  VolumeMute 57440u`
  .trim()
  .split(/\s{2,}/u)
  .map((entry) => {
    const [, name = '', number = '', final = ''] = /^(\w+) (\d+)(.)$/u.exec(entry) ?? [];
    return { name, number, final };
  });

function csi(number: string, second: string, final: string): string {
  if (second !== '') return `\x1b[${number};${second}${final}`;
  return `\x1b[${number === '1' ? '' : number}${final}`;
}

describe('functional keys in the kitty keyboard protocol', () => {
  it('are those of the protocol, except the modifier keys', () => {
    expect(FUNCTIONAL_KEYS.map(({ name }) => name).toSorted()).toEqual([...KEY_ROWS.keys()].toSorted());
    expect(FUNCTIONAL_KEYS).toHaveLength(97);
  });

  it.each(FUNCTIONAL_KEYS)('$name is $number$final when all keys are escape codes', ({ name, number, final }) => {
    for (const { bits, prefix } of heldWith(name)) {
      const expected = csi(number, bits === 0 ? '' : String(bits + 1), final);
      expect(sent(prefix + name, { kittyFlags: 8 })).toBe(expected);
      expect(sent(prefix + name, { kittyFlags: 9, applicationCursor: true, applicationKeypad: true })).toBe(expected);
      expect(sent(prefix + name, { kittyFlags: 10 })).toBe(expected + csi(number, `${bits + 1}:3`, final));
    }
  });

  const UNCHANGED = ['Enter', 'Tab', 'Backspace'];
  const LOCKS = ['CapsLock', 'ScrollLock', 'NumLock'];
  const TYPING = /^KP(\d|Decimal|Divide|Multiply|Minus|Plus|Equal|Comma)$/u;

  it.each(FUNCTIONAL_KEYS.filter(({ name }) => !LOCKS.includes(name) && !TYPING.test(name)))(
    '$name with only disambiguation is $number$final, except plain Enter, Tab and Backspace',
    ({ name, number, final }) => {
      for (const { bits, prefix } of heldWith(name)) {
        const changed = bits !== 0 || !UNCHANGED.includes(name);
        const expected = csi(number, bits === 0 ? '' : String(bits + 1), final);
        expect(sent(prefix + name, { kittyFlags: 1 })).toBe(changed ? expected : sent(name));
      }
    },
  );

  it.each(LOCKS)('%s is not sent unless all keys are escape codes', (name) => {
    for (const kittyFlags of [1, 2, 3, 7, 23]) expect(sent(name, { kittyFlags })).toBe('');
  });

  it('of the keypad type their characters, and send keypad codes if they type nothing', () => {
    const typed = ['KP5', 'KP+', 'KP.', 'KP=', 'S-KP7'].map((key) => sent(key, { kittyFlags: 1 }));
    expect(typed).toEqual(['5', '+', '.', '=', '7']);
    expect(sent('C-KP5', { kittyFlags: 1 })).toBe('\x1b[57404;5u');
    expect(sent('KPEnter', { kittyFlags: 1 })).toBe('\x1b[57414u');
    expect(sent('KP5', { kittyFlags: 24 })).toBe('\x1b[57404;;53u');
  });
});

/** Flags, key, bytes: after the examples of the protocol and kitty's own tests. */
const CHARACTERS = [
  [1, 'a', 'a'],
  [1, 'A', 'A'],
  [1, 'Space', ' '],
  [1, 'C-a', '^[[97;5u'],
  [1, 'M-a', '^[[97;3u'],
  [1, 'C-S-a', '^[[97;6u'],
  [1, 'M-A', '^[[97;4u'],
  [1, 'C-M-a', '^[[97;7u'],
  [1, 'C-Space', '^[[32;5u'],
  [1, 'Ctrl+_', '^[[45;6u'],
  [1, 'M-[', '^[[91;3u'],
  [1, 'Cmd+c', '^[[99;9u'],
  [1, 'Hyper+c', '^[[99;17u'],
  [1, 'S-Enter', '^[[13;2u'],
  [1, 'S-Tab', '^[[9;2u'],
  [1, 'C-BSpace', '^[[127;5u'],
  [1, 'C-é', '^[[233;5u'],
  [1, '中', '中'],
  [4, 'C-S-a', '^A'],
  [5, 'C-S-a', '^[[97:65;6u'],
  [5, 'C-a', '^[[97;5u'],
  [5, 'A', 'A'],
  [5, 'Ctrl++', '^[[61:43;6u'],
  [5, 'M-É', '^[[233:201;4u'],
  [5, 'S-Up', '^[[1;2A'],
  [8, 'a', '^[[97u'],
  [8, 'A', '^[[97;2u'],
  [8, 'C-a', '^[[97;5u'],
  [8, 'Space', '^[[32u'],
  [8, '中', '^[[20013u'],
  [8, '👩‍👩‍👧', '👩‍👩‍👧'],
  [12, 'A', '^[[97:65;2u'],
  [16, 'a', 'a'],
  [16, 'Up', '^[[A'],
  [17, 'a', 'a'],
  [24, 'a', '^[[97;;97u'],
  [24, 'A', '^[[97;2;65u'],
  [24, '!', '^[[49;2;33u'],
  [24, 'C-a', '^[[97;5u'],
  [24, 'Enter', '^[[13u'],
  [24, '👩‍👩‍👧', '^[[0;;128105:8205:128105:8205:128103u'],
  [28, 'A', '^[[97:65;2;65u'],
  [31, 'A', '^[[97:65;2;65u^[[97:65;2:3u'],
] as const;

describe('characters in the kitty keyboard protocol', () => {
  it.each(CHARACTERS)('with flags %i, %s is %s', (kittyFlags, key, bytes) => {
    expect(visible(sent(key, { kittyFlags }))).toBe(bytes);
  });
});

/** Flags, key, bytes of a press, a repeat and a release. */
const EVENTS = [
  [1, 'a', 'a', 'a', ''],
  [1, 'C-a', '^[[97;5u', '^[[97;5u', ''],
  [2, 'a', 'a', 'a', '^[[97;1:3u'],
  [2, 'A', 'A', 'A', '^[[97;2:3u'],
  [2, 'C-a', '^A', '^[[97;5:2u', '^[[97;5:3u'],
  [2, 'Super+c', '^[[99;9u', '^[[99;9:2u', '^[[99;9:3u'],
  [2, 'Escape', '^[', '^[', '^[[27;1:3u'],
  [2, 'F3', '^[[13~', '^[[13;1:2~', '^[[13;1:3~'],
  [2, 'KPEnter', '^M', '^M', ''],
  [2, 'KPUp', '^[[A', '^[[1;1:2A', '^[[1;1:3A'],
  [2, 'KP5', '5', '5', '^[[53;1:3u'],
  [3, 'Up', '^[[A', '^[[1;1:2A', '^[[1;1:3A'],
  [3, 'C-Up', '^[[1;5A', '^[[1;5:2A', '^[[1;5:3A'],
  [3, 'Escape', '^[[27u', '^[[27;1:2u', '^[[27;1:3u'],
  [3, 'Enter', '^M', '^M', ''],
  [3, 'Backspace', '^?', '^?', ''],
  [3, 'S-Enter', '^[[13;2u', '^[[13;2:2u', '^[[13;2:3u'],
  [10, 'Enter', '^[[13u', '^[[13;1:2u', '^[[13;1:3u'],
  [8, 'a', '^[[97u', '^[[97u', ''],
  [26, 'a', '^[[97;;97u', '^[[97;1:2;97u', '^[[97;1:3u'],
] as const;

describe('event types in the kitty keyboard protocol', () => {
  it.each(EVENTS)('with flags %i, %s is %s pressed, %s repeated and %s released', (kittyFlags, key, ...expected) => {
    const bytes = (['press', 'repeat', 'release'] as const).map((event) =>
      visible(encodeKeyEvent(parseKey(key), modes({ kittyFlags, applicationCursor: true }), event)),
    );
    expect(bytes).toEqual(expected);
  });

  it('are a press and a release for a single key press', () => {
    expect(visible(sent('C-c', { kittyFlags: 3 }))).toBe('^[[99;5u^[[99;5:3u');
  });
});

describe('flags that add nothing by themselves', () => {
  it.each([4, 16, 20])('%i leave the legacy encoding in force', (kittyFlags) => {
    const legacy = { applicationCursor: true, applicationKeypad: true, backarrow: true };
    for (const key of ['Up', 'F1', 'KP5', 'KPEnter', 'C-a', 'M-x', 'Escape', 'Backspace', 'S-Tab', 'A', 'F13']) {
      expect(sent(key, { ...legacy, kittyFlags })).toBe(sent(key, legacy));
    }
  });
});
