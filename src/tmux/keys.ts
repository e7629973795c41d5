/** Arguments of `send-keys` as bytes, and as keys whose bytes depend on the modes of the program. Pure. */
export type Piece = Buffer | { readonly key: string };

/** Names of keys that every program gets as the same bytes. */
const FIXED: Readonly<Record<string, string>> = {
  enter: '\r',
  escape: '\x1b',
  tab: '\t',
  space: ' ',
  bspace: '\x7f',
  '[nul]': '\0',
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

/** @returns undefined for a word that names no key, which is typed as it is */
export function keyOf(word: string): Piece | undefined {
  if (word === '') return Buffer.alloc(0);
  if (/^0x[0-9a-f]+$/i.test(word)) {
    const point = Number.parseInt(word.slice(2), 16);
    return point > 0x10ffff ? undefined : Buffer.from(String.fromCodePoint(point));
  }
  const caret = /^\^(.)$/s.exec(word);
  const match = caret === null ? /^((?:[CMS]-)*)(.+)$/is.exec(word) : null;
  const modifiers = (caret === null ? (match?.[1] ?? '') : 'C-').toUpperCase();
  const base = caret?.[1] ?? match?.[2] ?? '';
  const [hasControl, hasMeta, hasShift] = ['C', 'M', 'S'].map((one) => modifiers.includes(`${one}-`));
  const name = base.toLowerCase();
  const meta = hasMeta === true ? '\x1b' : '';
  if (Array.from(base).length === 1) {
    if (hasControl !== true) return Buffer.from(meta + base);
    const control = controlOf(base);
    return control === undefined ? undefined : Buffer.from(meta + control);
  }
  const fixed = FIXED[name];
  if (fixed !== undefined && hasShift !== true) {
    if (hasControl !== true) return Buffer.from(meta + fixed);
    if (name === 'space') return Buffer.from(`${meta}\0`);
    return Buffer.from(meta + (name === 'bspace' ? '\b' : fixed));
  }
  const pressed = PRESSED[name] ?? (fixed === undefined ? undefined : base);
  if (pressed === undefined) return undefined;
  const words = [hasControl === true ? 'Ctrl+' : '', hasMeta === true ? 'Alt+' : '', hasShift === true ? 'Shift+' : ''];
  return { key: words.join('') + pressed };
}

function controlOf(character: string): string | undefined {
  const upper = character.toUpperCase();
  if (character === ' ' || character === '2') return '\0';
  if (character === '?') return '\x7f';
  const digit = '345678'.indexOf(character);
  if (digit !== -1) return digit === 5 ? '\x7f' : String.fromCharCode(0x1b + digit);
  if (character === '/') return '\x1f';
  const code = upper.charCodeAt(0);
  if (code >= 0x40 && code <= 0x5f) return String.fromCharCode(code & 0x1f);
  return undefined;
}
