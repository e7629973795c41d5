/** One key with the modifiers held: the result of parsing a name and the argument of encoders. */
import { KEY_ROWS } from './key-table.js';
import { shiftedText } from './layout.js';
import { printModifiers, SHIFT } from './modifiers.js';

export interface KeyPress {
  /**
   * A name of the key table (`Enter`, `KP0`), or the grapheme that the key types without Shift: `A` is `a` with Shift,
   * `!` is `1` with Shift, the space bar is ` `.
   */
  readonly key: string;
  /** Sum of the bits in modifiers.ts. */
  readonly modifiers: number;
}

export function isNamedKey(key: string): boolean {
  return KEY_ROWS.has(key);
}

/** The name that `parseKey` parses to the same key press: `Ctrl+Shift+Left`, `A`, `Ctrl+a`, `Space`. */
export function printKey({ key, modifiers }: KeyPress): string {
  if (modifiers === SHIFT) {
    const shifted = shiftedText(key);
    if (shifted !== undefined && !isNamedKey(key)) return shifted;
  }
  return printModifiers(modifiers) + (key === ' ' ? 'Space' : key);
}
