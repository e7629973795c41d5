/**
 * Keys in the kitty keyboard protocol: `CSI code:shifted ; modifiers:event ; text u`, and the legacy forms that its
 * flags keep. https://sw.kovidgoyal.net/kitty/keyboard-protocol/
 *
 * Where the document leaves a choice, this follows kitty: with event types alone, functional keys already have their
 * disambiguated form, and keys that type text report their release. Deviations: with event types alone, Escape's
 * release is `CSI 27;1:3u` (kitty sends a second ESC byte, which reads as a second press). The base layout key is not
 * reported (the assumed keyboard has the base layout), nor are Shift, Ctrl and the like as keys of their own.
 */
import type { InputModes } from '../input-modes.js';
import type { KeyPress } from './key-press.js';
import { KEY_ROWS, type KeyRow } from './key-table.js';
import {
  KITTY_ALL_KEYS,
  KITTY_ALTERNATE_KEYS,
  KITTY_ASSOCIATED_TEXT,
  KITTY_DISAMBIGUATE,
  KITTY_EVENT_TYPES,
} from './kitty-stack.js';
import { isOneCodePoint, shiftedText, typedText } from './layout.js';
import { encodeLegacyKey } from './legacy-encoding.js';
import { SHIFT } from './modifiers.js';

export type KeyEvent = 'press' | 'repeat' | 'release';

const EVENT_NUMBERS: Readonly<Record<KeyEvent, number>> = { press: 1, repeat: 2, release: 3 };

export function encodeKittyKey(press: KeyPress, modes: InputModes, event: KeyEvent): string {
  const flags = modes.kittyFlags;
  if (event === 'release' && (flags & KITTY_EVENT_TYPES) === 0) return '';
  // Alternate keys and text only extend escape codes that another flag requests.
  if ((flags & (KITTY_DISAMBIGUATE | KITTY_EVENT_TYPES | KITTY_ALL_KEYS)) === 0) return encodeLegacyKey(press, modes);
  const row = KEY_ROWS.get(press.key);
  return row === undefined ? encodeCharacter(press, modes, event) : encodeNamedKey(press, row, modes, event);
}

function encodeCharacter(press: KeyPress, modes: InputModes, event: KeyEvent): string {
  const { key, modifiers } = press;
  const flags = modes.kittyFlags;
  const text = (modifiers & ~SHIFT) === 0 && event !== 'release' ? typedText(key, modifiers === SHIFT) : undefined;
  if ((flags & KITTY_ALL_KEYS) === 0) {
    if (text !== undefined) return text;
    if ((flags & KITTY_DISAMBIGUATE) === 0 && event === 'press') {
      const legacy = encodeLegacyKey(press, modes);
      if (legacy !== '') return legacy;
    }
  }
  if (!isOneCodePoint(key)) return encodeComposedText(text, flags);
  return sequence({ number: codePoint(key), final: 'u', shifted: shiftedText(key), modifiers, flags, event, text });
}

/**
 * A grapheme of several code points is on no key: it is sent as from an input method, as text without a key (number 0).
 */
function encodeComposedText(text: string | undefined, flags: number): string {
  if (text === undefined || (flags & KITTY_ASSOCIATED_TEXT) === 0) return text ?? '';
  return sequence({ number: 0, final: 'u', shifted: undefined, modifiers: 0, flags, event: 'press', text });
}

function encodeNamedKey(press: KeyPress, row: KeyRow, modes: InputModes, event: KeyEvent): string {
  const flags = modes.kittyFlags;
  const { modifiers } = press;
  const typed =
    row.legacy.kind === 'keypad' && row.name !== 'KPEnter' && (modifiers & ~SHIFT) === 0 && event !== 'release'
      ? row.legacy.text
      : undefined;
  if ((flags & KITTY_ALL_KEYS) === 0) {
    if (row.lock === true) return '';
    if (typed !== undefined) return typed;
    if ((flags & KITTY_DISAMBIGUATE) === 0) {
      const equivalent = keypadEquivalent(row);
      if (equivalent !== undefined) return encodeKittyKey({ key: equivalent, modifiers }, modes, event);
      if (row.name === 'Escape' && modifiers === 0 && event !== 'release') return encodeLegacyKey(press, modes);
    }
    // So that `reset` can be typed after a program died without resetting the flags.
    if (modifiers === 0 && row.legacy.kind === 'control' && row.name !== 'Escape') {
      return event === 'release' ? '' : encodeLegacyKey(press, modes);
    }
  }
  return sequence({ ...row.kitty, shifted: undefined, modifiers, flags, event, text: typed });
}

/** Key with the same function as a key of the keypad, which is the same unless it is disambiguated. */
function keypadEquivalent({ name, legacy }: KeyRow): string | undefined {
  if (name === 'KPEnter') return 'Enter';
  if (legacy.kind === 'keypad') return legacy.text;
  return legacy.kind === 'like' && name.startsWith('KP') ? legacy.key : undefined;
}

interface KittyFields {
  readonly number: number;
  readonly final: string;
  readonly shifted: string | undefined;
  readonly modifiers: number;
  readonly flags: number;
  readonly event: KeyEvent;
  /** Only with flag 8: without it, plain text has been sent as itself before. */
  readonly text: string | undefined;
}

function sequence({ number, final, shifted, modifiers, flags, event, text }: KittyFields): string {
  const reportsShifted = (flags & KITTY_ALTERNATE_KEYS) !== 0 && (modifiers & SHIFT) !== 0 && shifted !== undefined;
  const reportsText = (flags & KITTY_ASSOCIATED_TEXT) !== 0 && text !== undefined;
  const reportsEvent = (flags & KITTY_EVENT_TYPES) !== 0 && event !== 'press';
  const key = reportsShifted ? `${number}:${codePoint(shifted)}` : String(number);
  const held = modifiers !== 0 || reportsEvent ? String(modifiers + 1) : '';
  const second = reportsEvent ? `${held}:${EVENT_NUMBERS[event]}` : held;
  const third = reportsText ? Array.from(text, codePoint).join(':') : '';
  if (third !== '') return `\x1b[${key};${second};${third}${final}`;
  if (second !== '') return `\x1b[${key};${second}${final}`;
  return `\x1b[${key === '1' ? '' : key}${final}`;
}

function codePoint(text: string): number {
  return text.codePointAt(0) ?? 0;
}
