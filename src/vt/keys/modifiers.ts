/**
 * The modifier keys as one bit field. The bits are those of the kitty keyboard protocol; the lowest three are also
 * xterm's (parameter = 1 + bits) and, shifted left by two, those of mouse reports. The fourth is called Meta in xterm
 * and Super here and in kitty: both are the number 8.
 */

export const SHIFT = 1;
export const ALT = 2;
export const CTRL = 4;
export const SUPER = 8;
export const HYPER = 16;

/** Modifiers in xterm's modifier parameter; Hyper exists in the kitty protocol alone. */
export const XTERM_MODIFIERS = SHIFT | ALT | CTRL | SUPER;

/** Modifiers in the order in which names are printed. */
export const MODIFIERS: readonly {
  readonly name: string;
  readonly bit: number;
  readonly aliases: readonly string[];
}[] = [
  { name: 'Ctrl', bit: CTRL, aliases: ['control', 'ctl'] },
  // Meta means Alt, as in readline, Emacs and tmux. The kitty protocol's own Meta (bit 32) is on no keyboard sold.
  { name: 'Alt', bit: ALT, aliases: ['option', 'opt', 'meta'] },
  { name: 'Shift', bit: SHIFT, aliases: [] },
  { name: 'Super', bit: SUPER, aliases: ['cmd', 'command', 'win', 'windows'] },
  { name: 'Hyper', bit: HYPER, aliases: [] },
];

/** The one-letter modifiers of tmux, Emacs and vim: `C-x`, `M-x`, `S-Up`, `A-x`. */
export const LETTER_MODIFIERS: ReadonlyMap<string, number> = new Map([
  ['c', CTRL],
  ['m', ALT],
  ['a', ALT],
  ['s', SHIFT],
]);

/** Every spelling of a modifier, in lower case, with its bit. */
export const MODIFIER_BITS: ReadonlyMap<string, number> = new Map(
  MODIFIERS.flatMap(({ name, bit, aliases }) => [name.toLowerCase(), ...aliases].map((word) => [word, bit] as const)),
);

/** `Ctrl+Alt+`, or empty. */
export function printModifiers(modifiers: number): string {
  return MODIFIERS.filter(({ bit }) => (modifiers & bit) !== 0)
    .map(({ name }) => `${name}+`)
    .join('');
}
