/**
 * A key press to what the terminal writes to the program: the kitty keyboard protocol if the program asked for it, else
 * xterm's modifyOtherKeys where it applies, else the legacy encoding.
 *
 * All strings are text to be written as UTF-8; every control sequence in them is ASCII.
 */
import type { InputModes } from '../input-modes.js';
import { type KeyPress, printKey } from './key-press.js';
import { encodeKittyKey, type KeyEvent } from './kitty-encoding.js';
import { encodeLegacyKey } from './legacy-encoding.js';
import { encodeModifiedKey } from './modify-other-keys.js';

export type { KeyEvent } from './kitty-encoding.js';

/**
 * A key pressed and let go. A program that asked for event types (kitty flag 2) gets the release too, as from fingers.
 * Empty where the mode has no bytes for the key: {@link whyKeyNotSent} says so in words.
 */
export function encodeKey(press: KeyPress, modes: InputModes): string {
  return encodeKeyEvent(press, modes, 'press') + encodeKeyEvent(press, modes, 'release');
}

/** Without the kitty protocol a repeat is a press and a release is nothing. */
export function encodeKeyEvent(press: KeyPress, modes: InputModes, event: KeyEvent): string {
  if (modes.kittyFlags !== 0) return encodeKittyKey(press, modes, event);
  if (event === 'release') return '';
  return encodeModifiedKey(press, modes) ?? encodeLegacyKey(press, modes);
}

/** Why {@link encodeKey} has nothing to send, as a sentence; undefined when it has. */
export function whyKeyNotSent(press: KeyPress, modes: InputModes): string | undefined {
  if (encodeKey(press, modes) !== '') return undefined;
  const asked =
    modes.kittyFlags === 0
      ? 'has not asked for the kitty keyboard protocol'
      : `asked for kitty keyboard flags ${modes.kittyFlags}`;
  return `${printKey(press)} cannot be told to a program that ${asked}: no bytes stand for it.`;
}
