/** One key with the modifiers held: what names are parsed into and encoders take. */
import { KEY_ROWS } from './key-table.js';
import { shiftedText } from './layout.js';
import { printModifiers, SHIFT } from './modifiers.js';

export interface KeyPress {
  /**
   * A name of the key table (`Enter`, `KP0`), or the grapheme that the key types without Shift: `A` is `a` with Shift, `!`
   * is `1` with Shift, the space bar is ` `.
   */
  readonly key: string;
  /** Sum of the bits in modifiers.ts. */
  readonly modifiers: number;
}

export function isNamedKey(key: string): boolean {
  return KEY_ROWS.has(key);
}

/** The name that `parseKey` reads as the same key press: `Ctrl+Shift+Left`, `A`, `Ctrl+a`, `Space`. */
export function printKey({ key, modifiers }: KeyPress): string {
  if (modifiers === SHIFT) {
    const shifted = shiftedText(key);
    if (shifted !== undefined && !isNamedKey(key)) return shifted;
  }
  return printModifiers(modifiers) + (key === ' ' ? 'Space' : key);
}
