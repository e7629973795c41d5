/** Options of tmux: what there is, what a value may be, and the values of a scope over those of its parent. */
import { accessSync, constants } from 'node:fs';
import { basename } from 'node:path';
import { colourIn } from './colours.js';
import { visible } from './format-text.js';
import { wildcard } from './wildcard.js';
import { OPTION_LINES } from './option-table.js';

export type Scope = 's' | 'g' | 'w' | 'p' | 'h';

export interface OptionSpec {
  readonly name: string;
  readonly scope: Scope;
  readonly kind: string;
  /** First value; of a list, its items. */
  readonly initial: string;
}

/** A refusal in the words of tmux. */
export class Refusal extends Error {}

const SEPARATOR = '\x01';

/** Options by name, in the order of the table. */
export const OPTIONS: ReadonlyMap<string, OptionSpec> = new Map(
  OPTION_LINES.map((line) => {
    const [scope, name = '', kind = ''] = line.split(' ', 3);
    const initial = line.slice(`${scope} ${name} ${kind} `.length);
    return [name, { name, scope: scope as Scope, kind, initial }];
  }),
);

export type Value = string | ReadonlyMap<number, string>;

export class Options {
  readonly #own = new Map<string, Value>();
  readonly parent: Options | undefined;

  constructor(parent?: Options, scopes = '') {
    this.parent = parent;
    for (const { name, scope } of OPTIONS.values()) {
      if (scopes.includes(scope)) this.#own.set(name, firstValue(name));
    }
  }

  own(name: string): Value | undefined {
    return this.#own.get(name);
  }

  get(name: string): Value | undefined {
    return this.#own.get(name) ?? this.parent?.get(name);
  }

  text(name: string): string {
    const value = this.get(name);
    return typeof value === 'string' ? value : '';
  }

  isOn(name: string): boolean {
    return this.text(name) === 'on';
  }

  number(name: string): number {
    return Number(this.text(name)) || 0;
  }

  get defaultSize(): readonly [cols: number, rows: number] {
    const [cols = 80, rows = 24] = (this.text('default-size') || '80x24').split('x').map(Number);
    return [cols, rows];
  }

  set(name: string, value: Value): void {
    this.#own.set(name, value);
  }

  delete(name: string): void {
    this.#own.delete(name);
  }

  /** Names in their order. */
  names(): string[] {
    return [...this.#own.keys()].toSorted();
  }
}

/** Value that an option of the table has before it is set. */
export function firstValue(name: string): Value {
  const { kind, initial } = OPTIONS.get(name) ?? { kind: 't', initial: '' };
  return kind === 'a' ? new Map(initial.split(SEPARATOR).filter(Boolean).entries()) : initial;
}

export interface Named {
  readonly name: string;
  readonly index: number | undefined;
}

/** @throws Refusal for a name that is unknown or has several meanings */
export function optionNamed(given: string): Named {
  // tmux finds no words of its own for a place that is none.
  if (given === '' || /\[(?!\d+\]$)/.test(given)) throw new Refusal(`ambiguous option: ${given}`);
  const match = /^(.*?)\[(\d+)\]$/s.exec(given);
  const base = match?.[1] ?? given;
  const index = match === null ? undefined : Number(match[2]);
  if (base.startsWith('@') || OPTIONS.has(base) || isHook(base)) return { name: base, index };
  const names = [...OPTIONS.keys(), ...HOOKS].filter((name) => base !== '' && name.startsWith(base));
  const [name] = names;
  if (name === undefined) throw new Refusal(`invalid option: ${given}`);
  if (names.length > 1) throw new Refusal(`ambiguous option: ${given}`);
  return { name, index };
}

const AFTER =
  'bind-key capture-pane copy-mode display-message display-panes kill-pane list-buffers list-clients list-keys list-panes list-sessions list-windows load-buffer lock-server new-session new-window paste-buffer pipe-pane queue refresh-client rename-session rename-window resize-pane resize-window save-buffer select-layout select-pane select-window send-keys set-buffer set-environment set-hook set-option show-environment show-messages show-options split-window unbind-key';
const OF_SESSIONS =
  'alert-activity alert-bell alert-silence client-active client-attached client-detached client-focus-in client-focus-out client-resized client-session-changed session-closed session-created session-renamed session-window-changed window-linked window-unlinked';

export const SESSION_HOOKS: readonly string[] = [
  ...AFTER.split(' ').map((name) => `after-${name}`),
  ...OF_SESSIONS.split(' '),
];
export const WINDOW_HOOKS: readonly string[] =
  'pane-died pane-exited pane-focus-in pane-focus-out pane-mode-changed pane-set-clipboard pane-title-changed window-layout-changed window-pane-changed window-renamed window-resized'.split(
    ' ',
  );
const HOOKS: readonly string[] = [...SESSION_HOOKS, ...WINDOW_HOOKS];

export function isHook(name: string): boolean {
  return HOOKS.includes(name);
}

export function scopeOf(name: string): Scope {
  return OPTIONS.get(name)?.scope ?? (WINDOW_HOOKS.includes(name) ? 'p' : 'g');
}

export function isList(name: string): boolean {
  return OPTIONS.get(name)?.kind === 'a' || isHook(name);
}

/** @param now the value until now @throws Refusal */
export function checkedValue(name: string, given: string | undefined, now: string): string {
  const kind = OPTIONS.get(name)?.kind ?? 't';
  if (kind === 'f' && (given ?? '') === '') return now === 'on' ? 'off' : 'on';
  if (kind.startsWith('c') && given === undefined) return toggled(kind, now);
  if (given === undefined) throw new Refusal('empty value');
  if (name === 'default-shell' && !isShell(given)) throw new Refusal(`not a suitable shell: ${given}`);
  if (name === 'default-size' && !wildcard('[0-9]*x[0-9]*').test(given))
    throw new Refusal(`value is invalid: ${given}`);
  const check = CHECKS[kind[0] ?? 't'];
  return check === undefined ? given : check(given, kind.slice(1), name);
}

function isShell(path: string): boolean {
  try {
    if (path.startsWith('/') && !/^(tmux|t4a)$/.test(basename(path))) accessSync(path, constants.X_OK);
    else return false;
    return true;
  } catch {
    return false; // ENOENT, EACCES.
  }
}

function toggled(kind: string, now: string): string {
  const [first = '', second = ''] = kind.slice(1).split(',');
  if (now === first) return second;
  return now === second ? first : now;
}

const CHECKS: Readonly<Record<string, (given: string, more: string, name: string) => string>> = {
  f(given) {
    if (['1', 'on', 'yes'].includes(given.toLowerCase())) return 'on';
    if (['0', 'off', 'no'].includes(given.toLowerCase())) return 'off';
    throw new Refusal(`bad value: ${given}`);
  },
  n(given, range) {
    const [least = 0, most = 0] = range.split('-').map(Number);
    return String(optionNumber(given, least, most));
  },
  c(given, choices) {
    const all = choices.split(',');
    if (all.includes(given)) return given;
    throw new Refusal(`unknown value: ${given}`);
  },
  o(given) {
    if (colourIn(given) === undefined) throw new Refusal(`bad colour: ${given}`);
    return given;
  },
  y(given) {
    if (!given.includes('#{') && !given.split(/[ ,]+/).every(isStylePart)) throw new Refusal(`invalid style: ${given}`);
    return given;
  },
  k(given) {
    const isKey = /^(None|([CMS]-)*(.|F\d+|[A-Z][A-Za-z]+))$/su.test(given);
    if (!isKey) throw new Refusal(`bad key: ${given}`);
    return given;
  },
};

/** As strtonum says it. @throws Refusal */
export function optionNumber(given: string, least: number, most: number): number {
  const value = Number(given);
  if (!/^\s*[-+]?\d+$/.test(given)) throw new Refusal(`value is invalid: ${given}`);
  if (value < least) throw new Refusal(`value is too small: ${given}`);
  if (value > most) throw new Refusal(`value is too large: ${given}`);
  return value;
}

const ATTRIBUTE =
  /^(?:bright|bold|dim|underscore|blink|reverse|hidden|italics|acs|strikethrough|double-underscore|curly-underscore|dotted-underscore|dashed-underscore|overline)$/i;
const STYLE_WORD =
  /^(?:|none|default|(?:no)?ignore|(?:push|pop)-default|no(?:align|list|range)|align=(?:left|centre|right|absolute-centre)|list=(?:on|focus|left-marker|right-marker)|range=(?:left|right|(?!(?:left|right)\|)[^|]+(?:\|\d+)?))$/i;

function isStylePart(part: string): boolean {
  const colour = /^(?:fg|bg|fill)=(.*)$/i.exec(part);
  if (colour !== null) return colourIn(colour[1] ?? '') !== undefined;
  const attributes = part.replace(/^no/i, '').split('|');
  return STYLE_WORD.test(part) || attributes.every((word) => ATTRIBUTE.test(word));
}

/** Items of a list option, as `set` splits its value. */
export function itemsOf(name: string, value: string): string[] {
  if (isHook(name) || name === 'status-format') return [value];
  const separator =
    name === 'command-alias' || name === 'terminal-overrides' || name === 'terminal-features' ? /,/ : /[ ,]/;
  return value.split(separator).filter((item) => item !== '');
}

/** A value as a command line can take it again (args_escape of tmux). */
export function escapedValue(text: string): string {
  if (text === '') return "''";
  const quote = /[ #';${}%]/.test(text) ? '"' : /[ "]/.test(text) ? "'" : '';
  if (text.length === 1 && text !== ' ' && (quote !== '' || text === '~')) return `\\${text}`;
  const inner = quote === '"' ? visible(text).replaceAll('"', String.raw`\"`) : visible(text);
  const isHome = quote !== "'" && inner.startsWith('~');
  return quote + (isHome ? '\\' : '') + inner + quote;
}
