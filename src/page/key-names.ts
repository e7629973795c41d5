/** Keys of a browser as names of `press`. Pure. What types text is left to the text field, with its input methods. */

export interface KeyStroke {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly metaKey: boolean;
  /** AltGr and the Option key of macOS type characters. */
  readonly altTypes: boolean;
}

const NAMED: Readonly<Record<string, string>> = {
  Enter: 'Enter',
  Escape: 'Escape',
  Backspace: 'Backspace',
  Tab: 'Tab',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  Home: 'Home',
  End: 'End',
  PageUp: 'PageUp',
  PageDown: 'PageDown',
  Insert: 'Insert',
  Delete: 'Delete',
  ...Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`F${i + 1}`, `F${i + 1}`])),
};

/** Keys of the browser itself: copy, paste, and what opens, closes and reloads pages. */
export function isBrowsers({ key, ctrlKey, shiftKey, altKey, metaKey }: KeyStroke): boolean {
  if (metaKey) return true;
  if (key === 'F11' || key === 'F12') return true;
  const letter = key.toLowerCase();
  if (ctrlKey && shiftKey && ['c', 'v', 'i', 'j', 't', 'n', 'r'].includes(letter)) return true;
  if (shiftKey && key === 'Insert') return true;
  return ctrlKey && !altKey && ['+', '-', '=', '0'].includes(key);
}

/** A number: commands of the shell from here on. */
export type PageKey = 'search' | 'palette' | 'past' | 1 | -1;

const PAGE_KEYS: Readonly<Record<string, PageKey>> = {
  f: 'search',
  p: 'palette',
  h: 'past',
  arrowup: -1,
  arrowdown: 1,
};

/** Keys of the page itself, from everywhere on it: by these the keyboard leaves a terminal. Some browsers keep Ctrl+Shift+P. */
export function pageKey({
  key,
  ctrlKey,
  shiftKey,
  altKey,
  metaKey,
}: Omit<KeyStroke, 'code' | 'altTypes'>): PageKey | undefined {
  if (!shiftKey || altKey || metaKey) return undefined;
  if (!ctrlKey) return key === 'F1' ? 'palette' : undefined;
  return PAGE_KEYS[key.toLowerCase()];
}

/** Undefined for what types text, and for modifiers alone. */
export function keyName(stroke: KeyStroke): string | undefined {
  const { key, ctrlKey, altKey, shiftKey, altTypes } = stroke;
  const named = NAMED[key];
  if (named !== undefined) return withModifiers(named, ctrlKey, altKey, shiftKey);
  if (Array.from(key).length !== 1) return undefined;
  if (!ctrlKey && (!altKey || altTypes)) return undefined;
  if (ctrlKey && altKey && altTypes) return undefined;
  if (key === ' ') return withModifiers('Space', ctrlKey, altKey, shiftKey);
  // Shift is in the character already, unless a letter.
  const isLetter = /^[a-z]$/i.test(key);
  return withModifiers(isLetter ? key.toLowerCase() : key, ctrlKey, altKey, shiftKey && isLetter);
}

export function withModifiers(name: string, ctrl: boolean, alt: boolean, shift: boolean): string {
  return `${ctrl ? 'Ctrl+' : ''}${alt ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${name}`;
}
