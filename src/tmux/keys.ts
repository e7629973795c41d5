/** Arguments of `send-keys` as bytes, and as keys whose bytes depend on the modes of the program. Pure. */
export type Piece = Buffer | { readonly key: string };

/** Names of keys that every program gets as the same bytes. */
const FIXED: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  space: ' ',
  bspace: '\x7f',
  btab: '\x1b[Z',
};

/** Names of tmux to those of `press`. */
const PRESSED: Readonly<Record<string, string>> = {
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  npage: 'PageDown',
  pagedown: 'PageDown',
  pgdn: 'PageDown',
  ppage: 'PageUp',
  pageup: 'PageUp',
  pgup: 'PageUp',
  ic: 'Insert',
  insert: 'Insert',
  dc: 'Delete',
  delete: 'Delete',
  'kp/': 'KPDivide',
  'kp*': 'KPMultiply',
  'kp-': 'KPSubtract',
  'kp+': 'KPAdd',
  'kp.': 'KPDecimal',
  kpenter: 'KPEnter',
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${at + 1}`, `F${at + 1}`])),
  ...Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`kp${at}`, `KP${at}`])),
};

export function piecesOf(words: readonly string[], form: 'keys' | 'literal' | 'hex'): Piece[] {
  if (form === 'literal') return words.map((word) => Buffer.from(word));
  if (form === 'hex') {
    // What is none is left out, as tmux does it.
    return words
      .filter((word) => /^\s*\+?(0x)?0*[0-9a-f]{1,2}$/i.test(word))
      .map((word) => Buffer.from([Number.parseInt(word, 16)]));
  }
  return words.map((word) => keyOf(word) ?? Buffer.from(word));
}

/** @returns null for a key that has no bytes, undefined for a word that names no key: both are typed as they are */
export function keyOf(word: string): Piece | null | undefined {
  if (word === '') return Buffer.alloc(0);
  if (/^0x[0-9a-f]+$/i.test(word)) {
    const point = Number.parseInt(word.slice(2), 16);
    return point > 0x10ffff ? undefined : Buffer.from(String.fromCodePoint(point));
  }
  const [, caret = '', given = '', base = ''] = /^(\^(?=.))?((?:[CMS]-)*)(.+)$/is.exec(word) ?? [];
  const modifiers = given.toUpperCase() + (caret === '' ? '' : 'C-');
  const [hasControl = false, hasMeta = false, hasShift = false] = ['C', 'M', 'S'].map((one) => modifiers.includes(one));
  const name = base.toLowerCase();
  const meta = hasMeta ? '\x1b' : '';
  const plain = Array.from(base).length === 1 ? base : FIXED[name];
  if (plain !== undefined) {
    if (!hasControl && !hasShift) return Buffer.from(meta + plain);
    if (plain > '\x7f') return Buffer.from(meta + plain);
    const control = hasShift ? undefined : controlOf(plain, hasMeta);
    if (control !== undefined) return Buffer.from(meta + control);
    return hasMeta || hasShift || '~"{}|'.includes(plain) ? null : Buffer.alloc(0);
  }
  if (/^user\d+$/.test(name)) return Buffer.alloc(0);
  const pressed = PRESSED[name];
  if (pressed === undefined) return undefined;
  if (pressed.startsWith('KP') && (hasControl || hasShift)) return hasMeta || hasShift ? null : Buffer.alloc(0);
  return { key: `${hasControl ? 'Ctrl+' : ''}${hasMeta ? 'Alt+' : ''}${hasShift ? 'Shift+' : ''}${pressed}` };
}

/** What the control key makes of a character. Undefined for a key that has no such form. */
function controlOf(character: string, hasMeta: boolean): string | undefined {
  const code = character.toUpperCase().charCodeAt(0);
  if (character === ' ') return '\0';
  if (character === '?') return '\x7f';
  if (character.length === 1 && code >= 0x40 && code <= 0x5f) return String.fromCharCode(code & 0x1f);
  return hasMeta ? undefined : { '2': '\0', '6': '\x1e', '/': '\x1f', '-': '\x1f' }[character];
}
