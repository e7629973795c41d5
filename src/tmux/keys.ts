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
  ...Object.fromEntries(
    `up=Up down=Down left=Left right=Right home=Home end=End npage=PageDown pagedown=PageDown pgdn=PageDown
     ppage=PageUp pageup=PageUp pgup=PageUp ic=Insert insert=Insert dc=Delete delete=Delete kp/=KPDivide
     kp*=KPMultiply kp-=KPSubtract kp+=KPAdd kp.=KPDecimal kpenter=KPEnter`
      .split(/\s+/)
      .map((pair) => pair.split('=') as [string, string]),
  ),
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
  return words.map((word) => keyNamed(word) ?? Buffer.from(word));
}

/** @returns null for a key that has no bytes, undefined for a word that names no key: both are typed as they are */
export function keyNamed(word: string): Piece | null | undefined {
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

/** Keys that are no characters, as tmux names them, in the order in which it lists them. */
const ORDER =
  `Any Mouse Wheel Double Triple BSpace F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 IC DC Home End NPage PPage BTab Up Down Left
   Right KP/ KP* KP- KP7 KP8 KP9 KP+ KP4 KP5 KP6 KP1 KP2 KP3 KPEnter KP0 KP.`.split(/\s+/);
const OTHER: Readonly<Record<string, string>> = {
  insert: 'IC',
  delete: 'DC',
  pagedown: 'NPage',
  pgdn: 'NPage',
  pageup: 'PPage',
  pgup: 'PPage',
};
const NAMED = 0x110000;
const WIDE = 0x200000;

interface Key {
  readonly modifiers: string;
  readonly base: string;
  /** The character that it is; undefined for a key that is none. */
  readonly character: string | undefined;
  /** Ctrl makes it another character. */
  readonly isControl: boolean;
}

function keyIn(word: string): Key {
  const [, given = '', base = ''] = /^((?:[CMS]-)*)(.+)$/is.exec(word.replace(/^\^(?=.)/, 'C-')) ?? [];
  const name = base.toLowerCase();
  const isNamed = name === 'bspace' || name === 'btab';
  const character = Array.from(base).length === 1 ? base : isNamed ? undefined : FIXED[name];
  const isControl = /c/i.test(given) && /^[@-_a-z ?]$/.test(character ?? '');
  return { modifiers: given.toUpperCase(), base, character, isControl };
}

/** A key as tmux names it. */
export function nameOfKey(word: string): string {
  const { modifiers, base, isControl, character } = keyIn(word);
  const held = ['C', 'M', 'S'].filter((one) => modifiers.includes(one) && !(one === 'C' && isControl));
  const name = base.toLowerCase();
  const known = character === base ? undefined : (OTHER[name] ?? ORDER.find((one) => one.toLowerCase() === name));
  const shown = known ?? (isControl && /^[A-Z]$/.test(base) ? name : base);
  return [...held, ...(isControl ? ['C'] : []), shown].join('-');
}

/** The place of a key among those of its table: keys with Shift come last, before them those with Ctrl, and with Meta. */
export function orderOf(word: string): number {
  const { modifiers, base, character, isControl } = keyIn(word);
  const weight = ['M', 'C', 'S'].reduce((sum, one, at) => {
    return sum + (modifiers.includes(one) && !(one === 'C' && isControl) ? 2 ** (at + 22) : 0);
  }, 0);
  if (character === undefined)
    return weight + NAMED + ORDER.findIndex((one) => one === base || (one.length > 3 && base.startsWith(one)));
  const point = ((isControl ? controlOf(character, false) : undefined) ?? character).codePointAt(0) ?? 0;
  return weight + point + (point > 0x7f ? WIDE : 0);
}

/** Character that the control key makes of another. Undefined for a key that has no such form. */
function controlOf(character: string, hasMeta: boolean): string | undefined {
  const code = character.toUpperCase().charCodeAt(0);
  if (character === ' ') return '\0';
  if (character === '?') return '\x7f';
  if (character.length === 1 && code >= 0x40 && code <= 0x5f) return String.fromCharCode(code & 0x1f);
  return hasMeta ? undefined : { '2': '\0', '6': '\x1e', '/': '\x1f', '-': '\x1f' }[character];
}
