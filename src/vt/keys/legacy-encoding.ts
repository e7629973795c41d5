/**
 * Keys as xterm sends them by default with a PC keyboard (modifyCursorKeys 2, modifyFunctionKeys 2), with ESC before a
 * character for Alt.
 *
 * Deviation: xterm drops Alt from Shift+Tab and from keypad keys in numeric mode; here they get ESC, as in the legacy
 * table of the kitty protocol. A combination without an encoding (Super with a character, Hyper with anything) is
 * empty, where xterm would send the bare character: pressing Super+C must not type a c.
 */
import type { InputModes } from '../input-modes.js';
import type { KeyPress } from './key-press.js';
import { KEY_ROWS } from './key-table.js';
import { controlCode, typedText } from './layout.js';
import { ALT, CTRL, SHIFT, XTERM_MODIFIERS } from './modifiers.js';

const CSI = '\x1b[';
const SS3 = '\x1bO';

export function encodeLegacyKey(press: KeyPress, modes: InputModes): string {
  const { key, modifiers } = press;
  const row = KEY_ROWS.get(key);
  if (row === undefined) return encodeCharacter(key, modifiers);
  if ((modifiers & ~XTERM_MODIFIERS) !== 0) return '';
  const { legacy } = row;
  switch (legacy.kind) {
    case 'control':
      return encodeControlKey(key, legacy.byte, modifiers, modes);
    case 'cursor':
      if (modifiers !== 0) return `${CSI}1;${modifiers + 1}${legacy.final}`;
      return (modes.applicationCursor ? SS3 : CSI) + legacy.final;
    case 'pf':
      return modifiers === 0 ? SS3 + legacy.final : `${CSI}1;${modifiers + 1}${legacy.final}`;
    case 'tilde':
      return modifiers === 0 ? `${CSI}${legacy.number}~` : `${CSI}${legacy.number};${modifiers + 1}~`;
    case 'keypad':
      if (modes.applicationKeypad) return `${SS3}${modifiers === 0 ? '' : modifiers + 1}${legacy.final}`;
      return withAlt(legacy.text, modifiers);
    case 'like':
      return encodeLegacyKey({ key: legacy.key, modifiers: modifiers | legacy.modifiers }, modes);
    default:
      return '';
  }
}

/** The byte of Enter, Tab, Escape or Backspace before Alt is added. */
export function controlKeyByte(key: string, byte: string, modifiers: number, modes: InputModes): string {
  if (key !== 'Backspace') return byte;
  return ((modifiers & CTRL) !== 0) === modes.backarrow ? byte : '\b';
}

function encodeControlKey(key: string, byte: string, modifiers: number, modes: InputModes): string {
  if (key === 'Tab' && (modifiers & SHIFT) !== 0) return withAlt(`${CSI}Z`, modifiers);
  return withAlt(controlKeyByte(key, byte, modifiers, modes), modifiers);
}

function encodeCharacter(key: string, modifiers: number): string {
  const text = typedText(key, (modifiers & SHIFT) !== 0);
  return withAlt((modifiers & CTRL) === 0 ? text : (controlCode(text) ?? text), modifiers);
}

/** ESC before the bytes for Alt. A single byte has no encoding for modifiers beyond Shift, Ctrl and Alt. */
function withAlt(bytes: string, modifiers: number): string {
  if ((modifiers & ~(SHIFT | ALT | CTRL)) !== 0) return '';
  return (modifiers & ALT) === 0 ? bytes : `\x1b${bytes}`;
}
