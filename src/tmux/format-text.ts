/** Texts that modifiers of formats make: cut, quoted, calculated, and times in the local zone and in the C locale. Pure. */
import { systemClock } from '../base/clock.js';
import { strftime } from './strftime.js';

type Compare = (left: string | number, right: string | number) => boolean;

/** Comparisons of two texts, or of two numbers. */
export const COMPARISONS: Readonly<Record<string, Compare>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
};

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  m: (left, right) => left % right,
  '%': (left, right) => left % right,
};

/** Result of the modifier `e`. @param given digits after the point */
export function calculated(operator: string, first: string, second: string, isFloat: boolean, given?: string): string {
  const digits = given === undefined ? (isFloat ? 2 : 0) : Number.parseInt(given, 10) || 0;
  const [left, right] = isFloat
    ? [Number(first), Number(second)]
    : [Math.trunc(Number(first)), Math.trunc(Number(second))];
  if (Number.isNaN(left) || Number.isNaN(right)) return '';
  const compare = COMPARISONS[operator];
  if (compare !== undefined) return (compare(left, right) ? 1 : 0).toFixed(isFloat ? digits : 0);
  const result = OPERATORS[operator]?.(left, right);
  if (result === undefined) return '';
  // The least of 64 bits, as the processor gives it.
  if (!isFloat && !(Math.abs(result) < 2 ** 63)) return String(-(2n ** 63n));
  if (Number.isFinite(result)) return fixed(isFloat ? result : Math.trunc(result), Math.min(99, Math.max(0, digits)));
  return Number.isNaN(result) ? '-nan' : result > 0 ? 'inf' : '-inf';
}

/** Number in the form of `%.2f` of C: one between two goes to the even one, and none has an exponent. */
function fixed(value: number, digits: number): string {
  if (Math.abs(value) >= 1e21) return digits === 0 ? String(BigInt(value)) : `${BigInt(value)}.${'0'.repeat(digits)}`;
  // oxlint-disable-next-line oxc/number-arg-out-of-range -- 100 since ES2018
  const whole = value.toFixed(100);
  const down = whole.slice(0, whole.length - 100 + digits).replace(/\.$/, '');
  return /^50*$/.test(whole.slice(digits - 100)) && /[02468]$/.test(down) ? down : value.toFixed(digits);
}

/** Place of the first of these characters outside of `#{…}`; -1 for none. */
export function skip(text: string, from: number, ends: string): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '#' && text[at + 1] === '{') depth += 1;
    if (character === '#' && /[,#{}:]/.test(text[at + 1] ?? ' ')) {
      at += 1;
      continue;
    }
    if (character === '}') {
      if (depth === 0 && ends.includes('}')) return at;
      depth -= 1;
    } else if (depth === 0 && ends.includes(character)) return at;
  }
  return -1;
}

export function pair(text: string): [string, string] | undefined {
  const comma = skip(text, 0, ',');
  return comma === -1 ? undefined : [text.slice(0, comma), text.slice(comma + 1)];
}

export function unescaped(text: string): string {
  let depth = 0;
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '#' && text[at + 1] === '{') depth += 1;
    if (depth === 0 && text[at] === '#' && /[,#{}:]/.test(text[at + 1] ?? ' ')) {
      at += 1;
      out += text[at] ?? '';
      continue;
    }
    if (text[at] === '}') depth -= 1;
    out += text[at] ?? '';
  }
  return out;
}

/** A text cut to so many columns, from its end for a negative limit; styles have no columns. @param marker of what is cut off */
export function limited(text: string, limit: number, marker = ''): string {
  const { parts, columns: all } = partsOf(text);
  const from = all + limit;
  if (limit === 0 || (limit < 0 && from <= 0)) return text;
  let [out, width] = ['', 0];
  for (const [part, columns] of parts) {
    if (limit > 0 && width >= limit) break;
    if (limit > 0 ? width + columns <= limit : width >= from || part.startsWith('#[')) out += part;
    width += columns;
  }
  if (out === text) return text;
  return limit < 0 ? marker + out : out + marker;
}

type Part = readonly [text: string, columns: number];

/** Characters, pairs of `#` that stand for one, and styles, without what cannot be seen. A style without an end leaves no columns. */
export function partsOf(text: string): { readonly parts: readonly Part[]; readonly columns: number } {
  const parts: Part[] = [];
  const next = /(#+)(?=(\[)?)|./gsu;
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    const [one, hashes, bracket] = match;
    if (hashes === undefined) {
      if (!/\p{Cc}/u.test(one)) parts.push([one, columnsOf(one)]);
      continue;
    }
    const isStyle = bracket !== undefined && hashes.length % 2 === 1;
    const shown = bracket === undefined ? Math.ceil(hashes.length / 2) : Math.floor(hashes.length / 2);
    for (let at = 0; at < shown; at += 1) parts.push([hashes.length === 1 ? '#' : '##', 1]);
    if (!isStyle) continue;
    const end = skip(text, next.lastIndex + 1, ']');
    if (end === -1) return { parts, columns: 0 };
    parts.push([text.slice(next.lastIndex - 1, end + 1), 0]);
    next.lastIndex = end + 1;
  }
  return { parts, columns: parts.reduce((sum, [, columns]) => sum + columns, 0) };
}

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return Array.from(text).reduce(
    (sum, one) => sum + (/\p{Mn}|\p{Cf}|\p{Cc}/u.test(one) ? 0 : WIDE.test(one) ? 2 : 1),
    0,
  );
}

export function quotedText(value: string, flags: string): string {
  if (flags.includes('e') || flags.includes('h')) return value.replaceAll('#', '##');
  return value.replaceAll(/[|&;<>()$`\\"'*?[# =%]/g, String.raw`\$&`);
}

export function timeText(value: string, args: readonly string[]): string {
  const seconds = Number(value);
  if (value === '' || !Number.isFinite(seconds) || seconds === 0) return '';
  const [kind = '', given] = args;
  const format =
    kind.includes('f') && given !== undefined
      ? given.replaceAll('%%', '%')
      : kind.includes('p')
        ? shortForm(seconds * 1000)
        : '%a %b %e %H:%M:%S %Y';
  return strftime(format, seconds * 1000);
}

/** Short form of a time within a day, within four weeks or the month, within a year, and before that. */
function shortForm(atMs: number): string {
  const nowMs = Math.max(systemClock.wallNow(), atMs);
  const [now, at] = [new Date(nowMs), new Date(atMs)];
  const years = now.getFullYear() - at.getFullYear();
  const months = now.getMonth() - at.getMonth();
  if (nowMs - atMs < DAY_MS) return '%H:%M';
  if ((years === 0 && months === 0) || nowMs - atMs < 28 * DAY_MS) return '%a%d';
  return (years === 0 && months > 0) || (years === 1 && months < 0) ? '%d%b' : '%h%y';
}

const DAY_MS = 86_400_000;

/** Text in which what cannot be seen, a backslash and the `$` of a name are as tmux writes them. */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\\]|\$(?=[A-Za-z_{])/gu, (one, at: number) => {
    if (one > '\x7f') return one;
    const letter = LETTERS[LETTERED.indexOf(one)];
    if (letter !== undefined && (one !== '\0' || !/[0-7]/.test(text[at + 1] ?? ''))) return `\\${letter}`;
    return `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
}

/** Characters that have a letter behind a backslash, and those letters. */
const [LETTERED, LETTERS] = ['\n\t\r\0\x07\b\v\f\\$', 'ntr0abvf\\$'];
