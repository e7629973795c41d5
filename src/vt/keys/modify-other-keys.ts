/**
 * xterm's modifyOtherKeys: characters, Enter, Tab, Escape and Backspace with modifiers as `CSI 27 ; m ; code ~`. Level
 * 1 keeps keys with a well-known byte, level 2 does not.
 *
 * The rules are those of `ModifyOtherKeys` and `allowedCharModifiers` in xterm's input.c (patch 397), for an xterm
 * whose Alt sends ESC. Deviation: where xterm at level 1 would report a modified Enter without all of its modifiers (it
 * drops Alt beside Shift), all are reported. {@link modifyOtherKeysLevel} reads XTMODKEYS, by which programs set the
 * level.
 */
import type { InputModes } from '../input-modes.js';
import type { KeyPress } from './key-press.js';
import { KEY_ROWS } from './key-table.js';
import { controlCode, isOneCodePoint, typedText } from './layout.js';
import { controlKeyByte } from './legacy-encoding.js';
import { ALT, CTRL, SHIFT, SUPER, XTERM_MODIFIERS } from './modifiers.js';

/** Undefined if the legacy encoding applies. */
export function encodeModifiedKey({ key, modifiers }: KeyPress, modes: InputModes): string | undefined {
  const level = modes.modifyOtherKeys;
  if (level === 0 || modifiers === 0 || (modifiers & ~XTERM_MODIFIERS) !== 0) return undefined;
  const row = KEY_ROWS.get(key);
  if (row !== undefined) {
    if (row.legacy.kind !== 'control' || !isControlKeyModified(key, modifiers, level)) return undefined;
    return sequence(modifiers, controlKeyByte(key, row.legacy.byte, modifiers, modes));
  }
  const text = typedText(key, (modifiers & SHIFT) !== 0);
  if (!isOneCodePoint(text) || !isCharacterModified(text, modifiers, level)) return undefined;
  return sequence(modifiers, text);
}

function sequence(modifiers: number, text: string): string {
  return `\x1b[27;${modifiers + 1};${text.codePointAt(0)}~`;
}

function isControlKeyModified(key: string, modifiers: number, level: 1 | 2): boolean {
  if ((modifiers & SUPER) !== 0) return true;
  switch (key) {
    case 'Enter':
      // Alt alone, or with Ctrl, is ESC CR.
      return level === 2 || modifiers === CTRL || (modifiers & SHIFT) !== 0;
    case 'Tab':
      // Shift+Tab is the key ISO_Left_Tab, CSI Z, at level 1 with any further modifier.
      return level === 2 ? modifiers !== SHIFT : modifiers === CTRL;
    case 'Escape':
      // At level 1 only Alt together with another modifier makes a difference.
      return level === 2 || ((modifiers & ALT) !== 0 && modifiers !== ALT);
    default:
      // Backspace: Ctrl selects the other byte and is no modifier by itself.
      return level === 2 && modifiers !== CTRL;
  }
}

function isCharacterModified(text: string, modifiers: number, level: 1 | 2): boolean {
  if ((modifiers & SUPER) !== 0) return true;
  const isLetterLike = /^[@-~]$/u.test(text);
  if (level === 2) return isLetterLike || text === ' ' || modifiers !== SHIFT;
  if ((modifiers & CTRL) === 0 || isLetterLike) return false;
  // '?' became DEL by a later addition of xterm: modifyOtherKeys comes before it.
  return text === '?' || controlCode(text) === undefined || (modifiers & ALT) !== 0;
}

/**
 * The level after XTMODKEYS, `CSI > params m` (or `n`, which disables a resource). Resources other than 4 do not change
 * it; without parameters all are reset. Unsupported levels (3: unmodified keys too) become the highest supported one.
 */
export function modifyOtherKeysLevel(
  current: InputModes['modifyOtherKeys'],
  params: readonly number[],
  final: 'm' | 'n' = 'm',
): InputModes['modifyOtherKeys'] {
  const [resource, level = 0] = params;
  if (final === 'n') return resource === MODIFY_OTHER_KEYS ? 0 : current;
  if (resource === undefined) return 0;
  if (resource !== MODIFY_OTHER_KEYS) return current;
  return level === 0 || level === 1 ? level : 2;
}

const MODIFY_OTHER_KEYS = 4;
