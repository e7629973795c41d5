/**
 * The assumed keyboard: a US layout, and Unicode's case pairs for letters that it lacks. Maps characters to keys with
 * or without Shift, and to the control codes that they make with Ctrl.
 */

/** Unshifted characters and, below each, the shifted one. Letters follow Unicode's case mapping. */
const UNSHIFTED = "`1234567890-=[]\\;',./";
const SHIFTED = '~!@#$%^&*()_+{}|:"<>?';

const SHIFTED_BY_KEY: ReadonlyMap<string, string> = new Map(
  Array.from(UNSHIFTED, (key, i) => [key, SHIFTED.charAt(i)]),
);
const KEY_BY_SHIFTED: ReadonlyMap<string, string> = new Map(
  Array.from(SHIFTED, (text, i) => [text, UNSHIFTED.charAt(i)]),
);

/** The character that the key types with Shift; undefined if Shift makes no difference (space, 中). */
export function shiftedText(key: string): string | undefined {
  const symbol = SHIFTED_BY_KEY.get(key);
  if (symbol !== undefined) return symbol;
  const upper = key.toUpperCase();
  return isCasePair(key, upper) ? upper : undefined;
}

/** The character that the key types, with or without Shift. */
export function typedText(key: string, shift: boolean): string {
  return shift ? (shiftedText(key) ?? key) : key;
}

/** The key that types a character together with Shift; undefined for a character without Shift. */
export function keyBehindShift(text: string): { readonly key: string; readonly letter: boolean } | undefined {
  const symbol = KEY_BY_SHIFTED.get(text);
  if (symbol !== undefined) return { key: symbol, letter: false };
  const lower = text.toLowerCase();
  return isCasePair(lower, text) ? { key: lower, letter: true } : undefined;
}

/** One code point each way: `ß` (upper `SS`), `ı` (upper `I`, whose lower is `i`) and title case are keys of their own. */
function isCasePair(lower: string, upper: string): boolean {
  return (
    lower !== upper &&
    isOneCodePoint(lower) &&
    isOneCodePoint(upper) &&
    lower.toUpperCase() === upper &&
    upper.toLowerCase() === lower
  );
}

export function isOneCodePoint(text: string): boolean {
  const codePoint = text.codePointAt(0);
  return codePoint !== undefined && text.length === (codePoint > 0xffff ? 2 : 1);
}

/**
 * Ctrl with an ASCII character, as Xlib's XLookupString and thereby xterm map it: `@`..`~` and space lose their upper
 * bits, and 2..8 and `/` stand for the codes without a letter of their own. `?` for DEL is xterm's addition. Ctrl does
 * not change any other character.
 */
export function controlCode(text: string): string | undefined {
  const special = CONTROL_CODES.get(text);
  if (special !== undefined) return special;
  const code = text.length === 1 ? text.charCodeAt(0) : 0;
  return code >= 0x40 && code <= 0x7e ? String.fromCharCode(code & 0x1f) : undefined;
}

const CONTROL_CODES: ReadonlyMap<string, string> = new Map([
  [' ', '\x00'],
  ['2', '\x00'],
  ['3', '\x1b'],
  ['4', '\x1c'],
  ['5', '\x1d'],
  ['6', '\x1e'],
  ['7', '\x1f'],
  ['/', '\x1f'],
  ['8', '\x7f'],
  ['?', '\x7f'],
]);
