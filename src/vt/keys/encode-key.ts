/**
 * Encodes a key press for the program: with the kitty keyboard protocol if the program asked for it, else with xterm's
 * modifyOtherKeys where it applies, else in the legacy encoding.
 *
 * All strings are to be written as UTF-8; every control sequence in them is ASCII.
 */
import type { InputModes } from '../input-modes.js';
import { type KeyPress, printKey } from './key-press.js';
import { encodeKittyKey, type KeyEvent } from './kitty-encoding.js';
import { encodeLegacyKey } from './legacy-encoding.js';
import { encodeModifiedKey } from './modify-other-keys.js';

export type { KeyEvent } from './kitty-encoding.js';

/**
 * Press and release of a key. A program that asked for event types (kitty flag 2) gets the release, too, as from a
 * keyboard. Empty if the mode has no bytes for the key: {@link whyKeyNotSent} returns the reason.
 */
export function encodeKey(press: KeyPress, modes: InputModes): string {
  return encodeKeyEvent(press, modes, 'press') + encodeKeyEvent(press, modes, 'release');
}

/** Bytes of a key event. If there is no kitty protocol, a repeat is a press, and a release sends nothing. */
export function encodeKeyEvent(press: KeyPress, modes: InputModes, event: KeyEvent): string {
  if (modes.kittyFlags !== 0) return encodeKittyKey(press, modes, event);
  if (event === 'release') return '';
  return encodeModifiedKey(press, modes) ?? encodeLegacyKey(press, modes);
}

/** Why {@link encodeKey} has nothing to send, as a sentence; undefined if it has. */
export function whyKeyNotSent(press: KeyPress, modes: InputModes): string | undefined {
  if (encodeKey(press, modes) !== '') return undefined;
  const asked =
    modes.kittyFlags === 0
      ? 'has not asked for the kitty keyboard protocol'
      : `asked for kitty keyboard flags ${modes.kittyFlags}`;
  return `${printKey(press)} cannot be sent to a program that ${asked}: it has no encoding there.`;
}
