/** Formats of tmux 3.3a (format.c): `#{…}` with its modifiers, over variables that the caller gives. Pure. */
import { colourIn } from './colours.js';
import { systemClock } from '../base/clock.js';
import {
  calculated,
  columnsOf,
  COMPARISONS,
  limited,
  pair,
  partsOf,
  quotedText,
  skip,
  timeText,
  unescaped,
} from './format-text.js';
import { strftime } from './strftime.js';
import { expression, substituted, wildcard } from './wildcard.js';

export interface Context {
  /** Undefined for a variable that there is not. */
  readonly variable: (name: string) => string | undefined;
  /** Contexts of all sessions, or of the windows or panes of this one. */
  readonly each: (what: 'S' | 'W' | 'P') => readonly { readonly context: Context; readonly isActive: boolean }[];
  /** Whether a session or, with `w`, a window of the session has that name. */
  readonly exists: (name: string, isWindow: boolean) => boolean;
  /** The text of the pane in which a pattern is, as a number of its line. */
  readonly search?: (pattern: string, ignoresCase: boolean, isRegex: boolean) => number;
}

const MOST_DEPTH = 100;
const MOST_LENGTH = 1024 * 1024;
/** Texts that are expanded for one call, and characters of them and of values: what names itself twice would double at each level. */
const MOST_STEPS = 20_000;
const MOST_READ = 8 * MOST_LENGTH;
/** Steps that a format may take and that count for none: a list of many panes is whole. */
const FREE_STEPS = 100;
const FREE_READ = 32 * 1024;

/** Room that the formats of one call still have, beyond the free part of each. */
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
  return new Expansion(nowMs, room).whole(format, context);
}

export function isTrue(text: string): boolean {
  return text !== '' && text !== '0';
}

interface Modifier {
  readonly name: string;
  readonly args: readonly string[];
}

/** Modifiers of the value of a variable, and of nothing else, in the order in which tmux applies them. */
const OF_VALUES: Readonly<Record<string, (value: string, args: readonly string[]) => string>> = {
  t: timeText,
  b: (value) => value.slice(value.lastIndexOf('/') + 1),
  d: (value) => (value.includes('/') ? value.slice(0, value.lastIndexOf('/')) || '/' : '.'),
  q: (value, [flags = '']) => quotedText(value, flags),
};

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
      const isTimed = this.#nowMs !== undefined && format.includes('%');
      const text = this.#expand(isTimed ? strftime(format, this.#nowMs) : format, context);
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
      if (next === undefined) return `${out}#`;
      if (next === '{') {
        const end = skip(format, hash + 1 + 1, '}');
        if (end === -1 || out.length > MOST_LENGTH) return out;
        const value = this.#replace(format.slice(hash + 2, end), context);
        if (value === undefined) return out;
        out += value;
        at = end + 1;
      } else if (next === '(') {
        const end = skip(format, hash + 2, ')');
        if (end === -1) return out;
        // Its output would come later: tmux shows nothing the first time.
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

  /** @returns undefined where the text ends, as tmux has it: behind a choice or a comparison that lacks a part */
  #replace(key: string, context: Context): string | undefined {
    const { modifiers, rest } = this.#modifiers(key, context);
    const has = (name: string): Modifier | undefined => modifiers.findLast((one) => one.name === name);
    const found = this.#value(rest, modifiers, context);
    if (found === undefined) return undefined;
    let value = found;
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
    if (has('w') !== undefined) value = String(partsOf(value).columns);
    return value;
  }

  #value(rest: string, modifiers: readonly Modifier[], context: Context): string | undefined {
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
    const [kind = 'w'] = last(['N'])?.args ?? ['none'];
    if (/[ws]/.test(kind)) return context.exists(this.expand(rest, context), kind.includes('w')) ? '1' : '0';
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
    if (rest.includes('#{')) return this.expand(rest, context);
    let value = context.variable(rest);
    for (const [name, change] of Object.entries(OF_VALUES)) {
      const modifier = last([name]);
      if (value !== undefined && modifier !== undefined) value = change(value, modifier.args);
    }
    return value ?? '';
  }

  #loop(what: 'S' | 'W' | 'P', rest: string, context: Context): string {
    const [all = '', active] = (what === 'S' ? undefined : pair(rest)) ?? [rest];
    return context
      .each(what)
      .map((one) => this.expand(one.isActive && active !== undefined ? active : all, one.context))
      .join('');
  }

  #compare({ name, args }: Modifier, rest: string, context: Context): string | undefined {
    const [first, second] = pair(rest) ?? [];
    if (first === undefined || second === undefined) return undefined;
    const [left, right] = [this.expand(first, context), this.expand(second, context)];
    const flags = args[0] ?? '';
    if (name === 'm' && flags.includes('r'))
      return (expression(left, flags.includes('i'))?.test(right) ?? false) ? '1' : '0';
    if (name === 'm') return wildcard(left, flags.includes('i')).test(right) ? '1' : '0';
    if (name === '||') return isTrue(left) || isTrue(right) ? '1' : '0';
    if (name === '&&') return isTrue(left) && isTrue(right) ? '1' : '0';
    return COMPARISONS[name]?.(left, right) === true ? '1' : '0';
  }

  #choose(rest: string, context: Context): string | undefined {
    const end = skip(rest, 0, ',');
    if (end === -1) return undefined;
    const condition = rest.slice(0, end);
    let found = context.variable(condition);
    if (found === undefined) {
      found = this.expand(condition, context);
      if (found === condition) found = '';
    }
    const [yes, no] = pair(rest.slice(end + 1)) ?? [];
    if (yes === undefined || no === undefined) return undefined;
    return this.expand(isTrue(found) ? yes : no, context);
  }

  #calculate({ args: [operator = '', kind = '', digits] }: Modifier, rest: string, context: Context): string {
    const [first, second] = pair(rest) ?? [];
    if (first === undefined || second === undefined) return '';
    const [left, right] = [this.expand(first, context), this.expand(second, context)];
    return calculated(operator, left, right, kind.includes('f'), digits);
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
