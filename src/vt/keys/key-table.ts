/**
 * Every key that has a name, with its bytes in the legacy encoding and its number in the kitty keyboard protocol.
 *
 * Sources: xterm's control sequences (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "PC-Style Function Keys",
 * "VT220-Style Function Keys"), terminfo's xterm-256color, and the functional key table of the kitty protocol
 * (https://sw.kovidgoyal.net/kitty/keyboard-protocol/#functional-key-definitions).
 * Keys that type a character are not here: they are named by that character. Modifier keys by themselves are left out.
 */
import { CTRL, SHIFT } from './modifiers.js';

export type LegacyForm =
  /** Enter, Tab, Escape, Backspace: a C0 byte (Backspace's depends on DECBKM), ESC before it for Alt. */
  | { readonly kind: 'control'; readonly byte: string }
  /** `CSI A`, with DECCKM `SS3 A`, with modifiers `CSI 1;m A`. */
  | { readonly kind: 'cursor'; readonly final: string }
  /** F1..F4: `SS3 P`, with modifiers `CSI 1;m P`. */
  | { readonly kind: 'pf'; readonly final: string }
  /** `CSI n ~`, with modifiers `CSI n;m ~`. */
  | { readonly kind: 'tilde'; readonly number: number }
  /** `text`, with DECKPAM `SS3 final`, with modifiers `SS3 m final`. */
  | { readonly kind: 'keypad'; readonly text: string; readonly final: string }
  /** The same bytes as another key, with modifiers added. */
  | { readonly kind: 'like'; readonly key: string; readonly modifiers: number }
  /** No bytes in the legacy encoding. */
  | { readonly kind: 'none' };

export interface KeyRow {
  readonly name: string;
  /** Aliases in lower case, without separators: see `foldName` in parse-key.ts. */
  readonly aliases: readonly string[];
  readonly legacy: LegacyForm;
  /** `CSI number ; modifiers final`. */
  readonly kitty: { readonly number: number; readonly final: string };
  /** CapsLock and the like: the kitty protocol reports them with flag 8 only. */
  readonly lock?: true;
}

const control = (name: string, aliases: string[], byte: string): KeyRow => ({
  name,
  aliases,
  legacy: { kind: 'control', byte },
  kitty: { number: byte.charCodeAt(0), final: 'u' },
});

const cursor = (name: string, aliases: string[], final: string): KeyRow => ({
  name,
  aliases,
  legacy: { kind: 'cursor', final },
  kitty: { number: 1, final },
});

const tilde = (name: string, aliases: string[], number: number): KeyRow => ({
  name,
  aliases,
  legacy: { kind: 'tilde', number },
  kitty: { number, final: '~' },
});

const keypad = (name: string, aliases: string[], number: number, text: string, final: string): KeyRow => ({
  name,
  aliases,
  legacy: { kind: 'keypad', text, final },
  kitty: { number, final: 'u' },
});

const like = (name: string, aliases: string[], number: number, key: string, modifiers = 0): KeyRow => ({
  name,
  aliases,
  legacy: { kind: 'like', key, modifiers },
  kitty: { number, final: 'u' },
});

const unencoded = (name: string, aliases: string[], number: number): KeyRow => ({
  name,
  aliases,
  legacy: { kind: 'none' },
  kitty: { number, final: 'u' },
});

const lock = (name: string, aliases: string[], number: number): KeyRow => ({
  ...unencoded(name, aliases, number),
  lock: true,
});

/** F1..F4. F3 is 13~ in the kitty protocol because `CSI R` is the answer to a cursor position request. */
const F1_TO_F4: readonly KeyRow[] = ['P', 'Q', 'R', 'S'].map((final, i) => ({
  name: `F${i + 1}`,
  aliases: [],
  legacy: { kind: 'pf', final },
  kitty: final === 'R' ? { number: 13, final: '~' } : { number: 1, final },
}));

const F5_TO_F12: readonly KeyRow[] = [15, 17, 18, 19, 20, 21, 23, 24].map((number, i) =>
  tilde(`F${i + 5}`, [], number),
);

/**
 * F13..F35. terminfo's kf13..kf24 are Shift+F1..F12 and kf25..kf36 Ctrl+F1..F12, which programs that use terminfo
 * recognize. Rejected: xterm's own bytes for a keyboard that has the keys (`CSI 25~` for F13), which are in no terminfo
 * entry that TERM could name.
 */
const F13_TO_F35: readonly KeyRow[] = Array.from({ length: 23 }, (_, i) =>
  like(`F${i + 13}`, [], 57376 + i, `F${(i % 12) + 1}`, i < 12 ? SHIFT : CTRL),
);

const KEYPAD_DIGITS: readonly KeyRow[] = Array.from('pqrstuvwxy', (final, digit) =>
  keypad(`KP${digit}`, [`numpad${digit}`], 57399 + digit, String(digit), final),
);

export const KEY_TABLE: readonly KeyRow[] = [
  control('Enter', ['return', 'ret', 'cr'], '\r'),
  control('Escape', ['esc'], '\x1b'),
  control('Tab', [], '\t'),
  control('Backspace', ['bspace', 'bs'], '\x7f'),

  cursor('Up', ['arrowup', 'uparrow'], 'A'),
  cursor('Down', ['arrowdown', 'downarrow'], 'B'),
  cursor('Right', ['arrowright', 'rightarrow'], 'C'),
  cursor('Left', ['arrowleft', 'leftarrow'], 'D'),
  cursor('Home', [], 'H'),
  cursor('End', [], 'F'),
  tilde('Insert', ['ins', 'ic'], 2),
  tilde('Delete', ['del', 'dc'], 3),
  tilde('PageUp', ['pgup', 'ppage', 'prior'], 5),
  tilde('PageDown', ['pgdn', 'pgdown', 'npage', 'next'], 6),

  ...F1_TO_F4,
  ...F5_TO_F12,
  ...F13_TO_F35,

  ...KEYPAD_DIGITS,
  keypad('KPDecimal', ['kp.', 'kpdot', 'kpperiod', 'numpaddecimal'], 57409, '.', 'n'),
  keypad('KPDivide', ['kp/', 'kpslash', 'numpaddivide'], 57410, '/', 'o'),
  keypad('KPMultiply', ['kp*', 'kpstar', 'kpasterisk', 'numpadmultiply'], 57411, '*', 'j'),
  keypad('KPMinus', ['kp-', 'kpsubtract', 'numpadsubtract'], 57412, '-', 'm'),
  keypad('KPPlus', ['kp+', 'kpadd', 'numpadadd'], 57413, '+', 'k'),
  keypad('KPEnter', ['numpadenter'], 57414, '\r', 'M'),
  keypad('KPEqual', ['kp=', 'kpequals', 'numpadequal'], 57415, '=', 'X'),
  keypad('KPComma', ['kp,', 'kpseparator', 'numpadcomma'], 57416, ',', 'l'),
  like('KPLeft', [], 57417, 'Left'),
  like('KPRight', [], 57418, 'Right'),
  like('KPUp', [], 57419, 'Up'),
  like('KPDown', [], 57420, 'Down'),
  like('KPPageUp', ['kppgup', 'kpprior'], 57421, 'PageUp'),
  like('KPPageDown', ['kppgdn', 'kpnext'], 57422, 'PageDown'),
  like('KPHome', [], 57423, 'Home'),
  like('KPEnd', [], 57424, 'End'),
  like('KPInsert', ['kpins'], 57425, 'Insert'),
  like('KPDelete', ['kpdel'], 57426, 'Delete'),
  cursor('KPBegin', ['begin'], 'E'),

  // xterm's number for the menu key, adopted by kitty.
  { ...tilde('Menu', ['contextmenu', 'apps'], 29), kitty: { number: 57363, final: 'u' } },
  unencoded('PrintScreen', ['print', 'prtsc', 'prtscr', 'sysrq'], 57361),
  unencoded('Pause', ['break'], 57362),
  lock('CapsLock', ['caps'], 57358),
  lock('ScrollLock', [], 57359),
  lock('NumLock', [], 57360),
  unencoded('MediaPlay', [], 57428),
  unencoded('MediaPause', [], 57429),
  unencoded('MediaPlayPause', ['audioplay'], 57430),
  unencoded('MediaReverse', [], 57431),
  unencoded('MediaStop', ['audiostop'], 57432),
  unencoded('MediaFastForward', [], 57433),
  unencoded('MediaRewind', [], 57434),
  unencoded('MediaNext', ['mediatracknext', 'audionext'], 57435),
  unencoded('MediaPrevious', ['mediatrackprevious', 'audioprev'], 57436),
  unencoded('MediaRecord', [], 57437),
  unencoded('VolumeDown', ['lowervolume'], 57438),
  unencoded('VolumeUp', ['raisevolume'], 57439),
  unencoded('VolumeMute', ['mutevolume', 'mute'], 57440),
];

export const KEY_ROWS: ReadonlyMap<string, KeyRow> = new Map(KEY_TABLE.map((row) => [row.name, row]));
