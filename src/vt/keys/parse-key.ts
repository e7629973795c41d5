/**
 * Parses a key's name: `Enter`, `pgup`, `Ctrl+Shift+Left`, tmux's `C-M-x` and `BSpace`, vim's `<C-w>`, `^C`, or any
 * single grapheme.
 *
 * Names are case-insensitive, characters are not: `A` is Shift with `a`. With modifiers, a capital letter means Shift
 * only in the one-letter notation of tmux and Emacs, where `M-X` and `M-x` differ. `Ctrl+C`, `C-C` and `Alt+F` mean the
 * unshifted key, as manuals print them; write `Alt+Shift+f` for the other.
 */
import { graphemesOf } from '../../base/graphemes.js';
import { nearestWords } from '../../base/nearest.js';
import { quote } from '../../protocol/errors.js';
import { KEY_PRESSES, KEY_SPELLINGS } from './key-names.js';
import { type KeyPress, printKey } from './key-press.js';
import { keyBehindShift } from './layout.js';
import { CTRL, HYPER, LETTER_MODIFIERS, MODIFIER_BITS, MODIFIERS, printModifiers, SHIFT, SUPER } from './modifiers.js';

/** The name is no key. `closest` holds up to three similar key names, the likeliest first. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
  readonly key: string;
  readonly closest: readonly string[];

  constructor(key: string, closest: readonly string[]) {
    super(key === '' ? 'An empty string is not a key.' : `${quote(key)} is not a key.`);
    this.key = key;
    this.closest = closest;
  }
}

export function parseKey(name: string): KeyPress {
  if (name.length > MAX_NAME_LENGTH) throw new KeyError(name, []);
  const press = parseWhole(name) ?? parseWhole(/^<(.{2,})>$/su.exec(name)?.[1] ?? '');
  if (press === undefined) throw new KeyError(name, closestKeys(name));
  return press;
}

/**
 * The longest name with every modifier spelt out has 53 characters, the flag of a region, a long grapheme, 14. Parsing
 * takes the square of the length; text that was meant for `type` must not get that far.
 */
const MAX_NAME_LENGTH = 64;

/** The bit of a modifier by its name, as in the `modifiers` field of a mouse action. */
export function parseModifier(name: string): number {
  const word = name.toLowerCase();
  const bit = MODIFIER_BITS.get(word) ?? LETTER_MODIFIERS.get(word);
  if (bit === undefined) throw new KeyError(name, closestModifiers(name));
  return bit;
}

function parseWhole(name: string): KeyPress | undefined {
  const caret = /^\^([ -~])$/u.exec(name)?.[1];
  if (caret !== undefined) return character(caret, CTRL, true);
  const { modifiers, rest, letterNotation } = splitModifiers(name);
  const named = KEY_PRESSES.get(canonicalName(rest) ?? '');
  if (named !== undefined) return { key: named.key, modifiers: named.modifiers | modifiers };
  const control = CONTROL_CHARACTERS.get(rest);
  if (control !== undefined) return { key: control.key, modifiers: control.modifiers | modifiers };
  if (!isTypable(rest)) return undefined;
  const ignoresCase = (modifiers & (CTRL | SUPER | HYPER)) !== 0 || (modifiers !== 0 && !letterNotation);
  return character(rest, modifiers, ignoresCase);
}

interface Split {
  readonly modifiers: number;
  readonly rest: string;
  /** Whether all modifiers were given by one letter. */
  readonly letterNotation: boolean;
}

const WORD_MODIFIER = new RegExp(`^(${[...MODIFIER_BITS.keys()].join('|')})[+-](.+)$`, 'isu');
const LETTER_MODIFIER = new RegExp(`^([${[...LETTER_MODIFIERS.keys()].join('')}])-(.+)$`, 'isu');

/** `Ctrl++` is Ctrl with plus and `C--` Ctrl with minus: a separator counts only with something behind it. */
function splitModifiers(name: string): Split {
  let modifiers = 0;
  let rest = name;
  let letterNotation = true;
  for (;;) {
    const word = WORD_MODIFIER.exec(rest);
    const match = word ?? LETTER_MODIFIER.exec(rest);
    if (match === null) return { modifiers, rest, letterNotation };
    const [, modifier = '', behind = ''] = match;
    modifiers |= (word === null ? LETTER_MODIFIERS : MODIFIER_BITS).get(modifier.toLowerCase()) ?? 0;
    rest = behind;
    letterNotation &&= word === null;
  }
}

function canonicalName(name: string): string | undefined {
  return KEY_SPELLINGS.get(name.toLowerCase()) ?? KEY_SPELLINGS.get(foldName(name));
}

/** `Page_Up`, `page-up` and `Page Up` are `pageup`. */
function foldName(name: string): string {
  return name.toLowerCase().replaceAll(/[ _-]/gu, '');
}

/** Control characters as a program would print them, with the key that sends them. C1 controls are on no key. */
const CONTROL_CHARACTERS: ReadonlyMap<string, KeyPress> = new Map([
  ...Array.from({ length: 32 }, (_, code) => {
    const key = String.fromCharCode(code + 0x40).toLowerCase();
    return [String.fromCharCode(code), character(key, CTRL, true)] as const;
  }),
  ...(
    [
      ['\r', 'Enter'],
      ['\n', 'Enter'],
      ['\r\n', 'Enter'],
      ['\t', 'Tab'],
      ['\b', 'Backspace'],
      ['\x7f', 'Backspace'],
      ['\x1b', 'Escape'],
    ] as const
  ).map(([text, key]) => [text, { key, modifiers: 0 }] as const),
  ['\0', { key: ' ', modifiers: CTRL }],
]);

/** One grapheme without control characters and lone surrogates. */
function isTypable(text: string): boolean {
  if (text === '' || /[\p{Cc}\p{Cs}]/u.test(text)) return false;
  const [first] = graphemesOf(text);
  return first?.length === text.length;
}

function character(text: string, modifiers: number, ignoresCase: boolean): KeyPress {
  const behind = keyBehindShift(text);
  if (behind === undefined) return { key: text, modifiers };
  return { key: behind.key, modifiers: behind.letter && ignoresCase ? modifiers : modifiers | SHIFT };
}

/** Similar names: the words of the name are corrected one by one, so that `Crtl+Entr` finds `Ctrl+Enter`. */
function closestKeys(name: string): string[] {
  const { modifiers, rest } = splitModifiers(name.replace(/^<(.+)>$/su, '$1'));
  const misspelt = /^(\p{L}{2,})[+-](.+)$/su.exec(rest);
  if (misspelt !== null) {
    const [, word = '', behind = ''] = misspelt;
    // The nearest alone: with several at each of up to twenty words the candidates would multiply.
    const [modifier] = closestModifiers(word);
    if (modifier !== undefined) {
      const mended = `${printModifiers(modifiers)}${modifier}+${behind}`;
      const press = parseWhole(mended);
      return press === undefined ? closestKeys(mended) : [printKey(press)];
    }
  }
  const spellings = [...KEY_SPELLINGS.keys()].filter((spelling) => spelling.length > 2 || /^f\d$/u.test(spelling));
  const names = nearestWords(foldName(rest), spellings, spellings.length).map(
    (spelling) => KEY_SPELLINGS.get(spelling) ?? '',
  );
  return [...new Set(names)].slice(0, MOST_CLOSEST).map((key) => printModifiers(modifiers) + key);
}

function closestModifiers(word: string): string[] {
  const nearest = nearestWords(word, MODIFIER_BITS.keys(), MODIFIER_BITS.size);
  const names = nearest.map((near) => MODIFIERS.find(({ bit }) => bit === MODIFIER_BITS.get(near))?.name ?? '');
  return [...new Set(names)].slice(0, MOST_CLOSEST);
}

const MOST_CLOSEST = 3;
