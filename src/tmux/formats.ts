/** Formats of tmux 3.3a (format.c): `#{…}` with its modifiers, over variables that the caller gives. Pure. */
import { colourIn } from './colours.js';
import { systemClock } from '../base/clock.js';
import { expression, substituted, wildcard } from './wildcard.js';
import { strftime } from './strftime.js';

export interface Context {
  /** Undefined for a variable that there is not. */
  readonly variable: (name: string) => string | undefined;
  /** Contexts of all sessions, or of the windows or panes of this one. */
  readonly each: (what: 'S' | 'W' | 'P') => readonly { readonly context: Context; readonly isActive: boolean }[];
  /** Whether a session or, with `w`, a window of the session has that name. */
  readonly exists: (name: string, isWindow: boolean) => boolean;
  /** The text of the pane in which a pattern is, as a number of its line. */
  readonly search?: (pattern: string, ignoresCase: boolean, isRegex: boolean) => number;
  /** Output of `#(…)`. */
  readonly job?: (command: string) => string;
}

const MOST_DEPTH = 100;
const MOST_LENGTH = 1024 * 1024;
/** Texts that are expanded for one call, and characters of them and of values: what names itself twice would double at each level. */
const MOST_STEPS = 20_000;
const MOST_READ = 8 * MOST_LENGTH;
/** What a format may take that counts for none: a list of many panes is whole. */
const FREE_STEPS = 100;
const FREE_READ = 32 * 1024;

/** What the formats of one call may still take, beyond the free part of each. */
export class FormatRoom {
  steps = MOST_STEPS;
  read = MOST_READ;
}

const ALIASES: Readonly<Record<string, string>> = {
  D: 'pane_id',
  F: 'window_flags',
  H: 'host',
  I: 'window_index',
  P: 'pane_index',
  S: 'session_name',
  T: 'pane_title',
  W: 'window_name',
  h: 'host_short',
};

/** @param nowMs expands also `%H` and the like, as of that time */
export function expand(format: string, context: Context, nowMs?: number, room = new FormatRoom()): string {
  return new Expansion(nowMs, room).whole(nowMs === undefined ? format : strftime(format, nowMs), context);
}

export function isTrue(text: string): boolean {
  return text !== '' && text !== '0';
}

interface Modifier {
  readonly name: string;
  readonly args: readonly string[];
}

class Expansion {
  readonly #nowMs: number | undefined;
  readonly #room: FormatRoom;
  #depth = 0;
  #length = 0;
  #steps = 0;
  #read = 0;

  constructor(nowMs: number | undefined, room: FormatRoom) {
    this.#nowMs = nowMs;
    this.#room = room;
  }

  whole(format: string, context: Context): string {
    const text = this.expand(format, context);
    this.#room.steps = Math.max(0, this.#room.steps - Math.max(0, this.#steps - FREE_STEPS));
    this.#room.read = Math.max(0, this.#room.read - Math.max(0, this.#read - FREE_READ));
    return text;
  }

  get #isFull(): boolean {
    return this.#steps >= this.#room.steps + FREE_STEPS || this.#isReadFull;
  }

  get #isReadFull(): boolean {
    return this.#read > this.#room.read + FREE_READ;
  }

  expand(format: string, context: Context): string {
    if (this.#depth >= MOST_DEPTH || this.#length > MOST_LENGTH || this.#isFull) return '';
    this.#depth += 1;
    this.#steps += 1;
    this.#read += format.length;
    try {
      const text = this.#expand(format, context);
      this.#length += text.length;
      return text;
    } finally {
      this.#depth -= 1;
    }
  }

  #expand(format: string, context: Context): string {
    let out = '';
    for (let at = 0; at < format.length;) {
      const hash = format.indexOf('#', at);
      if (hash === -1) return out + format.slice(at);
      out += format.slice(at, hash);
      const next = format[hash + 1];
      at = hash + 2;
      if (next === undefined) return out;
      if (next === '{') {
        const end = skip(format, hash + 1 + 1, '}');
        if (end === -1 || out.length > MOST_LENGTH) return out;
        out += this.#replace(format.slice(hash + 2, end), context);
        at = end + 1;
      } else if (next === '(') {
        const end = skip(format, hash + 2, ')');
        if (end === -1) return out;
        out += context.job?.(this.expand(format.slice(hash + 2, end), context)) ?? '';
        at = end + 1;
      } else if (next === '#') {
        const run = /^#+/.exec(format.slice(hash))?.[0] ?? '##';
        if (format[hash + run.length] === '[') {
          out += run;
          at = hash + run.length;
        } else out += '#';
      } else if (next === '}' || next === ',') {
        out += next;
      } else {
        const alias = ALIASES[next];
        out += alias === undefined ? `#${next}` : (context.variable(alias) ?? '');
      }
    }
    return out;
  }

  #replace(key: string, context: Context): string {
    const { modifiers, rest } = this.#modifiers(key, context);
    const has = (name: string): Modifier | undefined => modifiers.findLast((one) => one.name === name);
    let value = this.#value(rest, modifiers, context);
    this.#read += value.length;
    if (this.#isReadFull) return '';
    if (has('E') !== undefined) value = this.expand(value, context);
    else if (has('T') !== undefined)
      value = this.expand(strftime(value, this.#nowMs ?? systemClock.wallNow()), context);
    for (const { name, args } of modifiers) {
      const [first = '', second = '', third = ''] = args;
      if (name === 's' && args.length >= 2) {
        value = substituted(
          value,
          this.expand(first, context),
          this.expand(second, context),
          third.includes('i'),
        ).slice(0, MOST_LENGTH);
      }
    }
    const limit = has('=');
    if (limit !== undefined) value = limited(value, Number.parseInt(limit.args[0] ?? '', 10) || 0, limit.args[1]);
    const pad = has('p');
    if (pad !== undefined) {
      const width = Number.parseInt(pad.args[0] ?? '', 10) || 0;
      const blanks = ' '.repeat(Math.min(MOST_LENGTH, Math.max(0, Math.abs(width) - columnsOf(value))));
      value = width < 0 ? blanks + value : value + blanks;
    }
    if (has('n') !== undefined) value = String(Buffer.byteLength(value));
    if (has('w') !== undefined) value = String(columnsOf(value));
    return value;
  }

  #value(rest: string, modifiers: readonly Modifier[], context: Context): string {
    const last = (names: readonly string[]): Modifier | undefined =>
      modifiers.findLast(({ name }) => names.includes(name));
    if (last(['l']) !== undefined) return unescaped(rest);
    if (last(['a']) !== undefined) {
      const code = Number(this.expand(rest, context));
      return Number.isInteger(code) && code >= 32 && code <= 126 ? String.fromCharCode(code) : '';
    }
    if (last(['c']) !== undefined) return colourIn(this.expand(rest, context)) ?? '';
    const loop = last(['S', 'W', 'P']);
    if (loop !== undefined) return this.#loop(loop.name as 'S', rest, context);
    const exists = last(['N']);
    if (exists !== undefined)
      return context.exists(this.expand(rest, context), (exists.args[0] ?? '').includes('w')) ? '1' : '0';
    const search = last(['C']);
    if (search !== undefined) {
      const flags = search.args[0] ?? '';
      return String(context.search?.(this.expand(rest, context), flags.includes('i'), flags.includes('r')) ?? 0);
    }
    const comparison = last(['||', '&&', '==', '!=', '<', '>', '<=', '>=', 'm']);
    if (comparison !== undefined) return this.#compare(comparison, rest, context);
    if (rest.startsWith('?')) return this.#choose(rest.slice(1), context);
    const arithmetic = last(['e']);
    if (arithmetic !== undefined) return this.#calculate(arithmetic, rest, context);
    const found = rest.includes('#{') ? this.expand(rest, context) : context.variable(rest);
    if (found === undefined) return '';
    let value = found;
    for (const { name, args } of modifiers) {
      if (name === 't') value = timeText(value, args);
      if (name === 'b') value = value.slice(value.lastIndexOf('/') + 1);
      if (name === 'd') value = value.includes('/') ? value.slice(0, value.lastIndexOf('/')) || '/' : '.';
      if (name === 'q') value = quoted(value, args[0] ?? '');
    }
    return value;
  }

  #loop(what: 'S' | 'W' | 'P', rest: string, context: Context): string {
    const [all = '', active] = (what === 'S' ? undefined : pair(rest)) ?? [rest];
    return context
      .each(what)
      .map((one) => this.expand(one.isActive && active !== undefined ? active : all, one.context))
      .join('');
  }

  #compare({ name, args }: Modifier, rest: string, context: Context): string {
    const [first, second] = pair(rest) ?? [];
    if (first === undefined || second === undefined) return '';
    const [left, right] = [this.expand(first, context), this.expand(second, context)];
    const flags = args[0] ?? '';
    const is = (): boolean => {
      switch (name) {
        case '||':
          return isTrue(left) || isTrue(right);
        case '&&':
          return isTrue(left) && isTrue(right);
        case '==':
          return left === right;
        case '!=':
          return left !== right;
        case '<':
          return left < right;
        case '>':
          return left > right;
        case '<=':
          return left <= right;
        case '>=':
          return left >= right;
        default:
          if (flags.includes('r')) return expression(left, flags.includes('i'))?.test(right) ?? false;
          return wildcard(left, flags.includes('i')).test(right);
      }
    };
    return is() ? '1' : '0';
  }

  #choose(rest: string, context: Context): string {
    const end = skip(rest, 0, ',');
    if (end === -1) return '';
    const condition = rest.slice(0, end);
    let found = context.variable(condition);
    if (found === undefined) {
      found = this.expand(condition, context);
      if (found === condition) found = '';
    }
    const [yes, no] = pair(rest.slice(end + 1)) ?? [];
    if (yes === undefined || no === undefined) return '';
    return this.expand(isTrue(found) ? yes : no, context);
  }

  #calculate({ args }: Modifier, rest: string, context: Context): string {
    const [first, second] = pair(rest) ?? [];
    if (first === undefined || second === undefined) return '';
    const isFloat = (args[1] ?? '').includes('f');
    const digits = args[2] === undefined ? (isFloat ? 2 : 0) : Number.parseInt(args[2], 10) || 0;
    const numbers = [first, second].map((text) => {
      const number = Number(this.expand(text, context));
      return isFloat ? number : Math.trunc(number);
    });
    const [left = Number.NaN, right = Number.NaN] = numbers;
    if (Number.isNaN(left) || Number.isNaN(right)) return '';
    const result = OPERATORS[args[0] ?? '']?.(left, right);
    if (result === undefined) return '';
    if (typeof result === 'boolean') return (result ? 1 : 0).toFixed(isFloat ? digits : 0);
    const number = isFloat ? result : Math.trunc(result);
    if (!Number.isFinite(number))
      return Number.isNaN(number) ? (isFloat ? '-nan' : String(-(2n ** 63n))) : infinite(number, isFloat);
    return number.toFixed(Math.min(100, Math.max(0, digits)));
  }

  #modifiers(key: string, context: Context): { readonly modifiers: readonly Modifier[]; readonly rest: string } {
    const modifiers: Modifier[] = [];
    const isEnd = (at: number): boolean => key[at] === ';' || key[at] === ':';
    let at = 0;
    while (at < key.length && key[at] !== ':') {
      if (key[at] === ';') at += 1;
      const two = key.slice(at, at + 2);
      const [one = ''] = two;
      if (['||', '&&', '==', '!=', '<=', '>='].includes(two) && isEnd(at + 2)) {
        modifiers.push({ name: two, args: [] });
        at += 2;
      } else if ('labcdnwETSWP<>'.includes(one) && one !== '' && isEnd(at + 1)) {
        modifiers.push({ name: one, args: [] });
        at += 1;
      } else if (one === '' || !'mCNst=peq'.includes(one)) {
        break;
      } else if (isEnd(at + 1)) {
        modifiers.push({ name: one, args: [] });
        at += 1;
      } else {
        const wrapper = key[at + 1] ?? '';
        const args: string[] = [];
        if (!/[!-/:-@[-`{-~]/.test(wrapper) || wrapper === '-') {
          const end = skip(key, at + 1, ':;');
          if (end === -1) break;
          args.push(this.expand(key.slice(at + 1, end), context));
          at = end;
        } else {
          let from = at + 1;
          let isBroken = false;
          do {
            if (key[from] === wrapper && isEnd(from + 1)) {
              from += 1;
              break;
            }
            const end = skip(key, from + 1, `${wrapper};:`);
            if (end === -1) {
              isBroken = true;
              break;
            }
            args.push(this.expand(key.slice(from + 1, end), context));
            from = end;
          } while (!isEnd(from));
          if (isBroken) break;
          at = from;
        }
        modifiers.push({ name: one, args });
      }
    }
    if (key[at] !== ':') return { modifiers: [], rest: key };
    return { modifiers, rest: key.slice(at + 1) };
  }
}

const OPERATORS: Readonly<Record<string, (left: number, right: number) => number | boolean>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  m: (left, right) => left % right,
  '%': (left, right) => left % right,
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '>': (left, right) => left > right,
  '<=': (left, right) => left <= right,
  '>=': (left, right) => left >= right,
};

function infinite(number: number, isFloat: boolean): string {
  if (isFloat) return number > 0 ? 'inf' : '-inf';
  return String(-(2n ** 63n));
}

/** Place of the first of these characters outside of `#{…}`; -1 for none. */
function skip(text: string, from: number, ends: string): number {
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

function pair(text: string): [string, string] | undefined {
  const comma = skip(text, 0, ',');
  return comma === -1 ? undefined : [text.slice(0, comma), text.slice(comma + 1)];
}

function unescaped(text: string): string {
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

function limited(text: string, limit: number, marker?: string): string {
  const characters = Array.from(text);
  let [out, width] = ['', 0];
  if (limit >= 0) {
    for (const character of characters) {
      width += columnsOf(character);
      if (width > limit) return out + (marker ?? '');
      out += character;
    }
    return out;
  }
  for (const character of characters.toReversed()) {
    width += columnsOf(character);
    if (width > -limit) return (marker ?? '') + out;
    out = character + out;
  }
  return out;
}

const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

export function columnsOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return Array.from(text).reduce((sum, one) => sum + (/\p{Mn}|\p{Cf}/u.test(one) ? 0 : WIDE.test(one) ? 2 : 1), 0);
}

function quoted(value: string, flags: string): string {
  if (flags.includes('e') || flags.includes('h')) return value.replaceAll('#', '##');
  return value.replaceAll(/[|&;<>()$`\\"'*?[# =%]/g, String.raw`\$&`);
}

function timeText(value: string, args: readonly string[]): string {
  const seconds = Number(value);
  if (value === '' || !Number.isFinite(seconds) || seconds === 0) return '';
  const format = (args[0] ?? '').includes('f') && args[1] !== undefined ? args[1] : '%a %b %e %H:%M:%S %Y';
  return strftime(format.replaceAll('%%', '%'), seconds * 1000);
}
