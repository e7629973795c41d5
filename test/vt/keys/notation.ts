/** How the tests write modes and bytes. */
import { DEFAULT_INPUT_MODES, type InputModes } from '../../../src/vt/input-modes.js';
import { encodeKey } from '../../../src/vt/keys/encode-key.js';
import { parseKey } from '../../../src/vt/keys/parse-key.js';

export function modes(some: Partial<InputModes> = {}): InputModes {
  return { ...DEFAULT_INPUT_MODES, ...some };
}

/** What pressing the named key sends. */
export function sent(name: string, some: Partial<InputModes> = {}): string {
  return encodeKey(parseKey(name), modes(some));
}

/** Readable bytes: `^[` for ESC, `^C` for 3, `^?` for DEL. */
export function visible(bytes: string): string {
  return Array.from(bytes, (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 32 || code === 127 ? `^${String.fromCharCode(code ^ 0x40)}` : char;
  }).join('');
}

/** The bits of a modifier prefix: `''`, `S`, `CM`, … */
export const LETTERS: Readonly<Record<string, number>> = { S: 1, M: 2, C: 4 };

/** The eight combinations of Shift, Alt and Ctrl, each with its number and the prefix of a key name. */
export const COMBINATIONS = Array.from({ length: 8 }, (_, bits) => ({
  bits,
  prefix: `${bits & 4 ? 'C-' : ''}${bits & 2 ? 'M-' : ''}${bits & 1 ? 'S-' : ''}`,
}));
