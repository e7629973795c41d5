/** Flags and arguments of a verb, read by its line of usage. */
import { escapedValue, Refusal } from './options.js';
import { USAGE } from './usage.js';
import { type Block, type Command, parseCommands } from './words.js';

export interface Verb {
  readonly name: string;
  readonly alias: string;
  readonly usage: string;
  /** Flags with a value. */
  readonly valued: string;
  readonly switches: string;
  readonly least: number;
  readonly most: number;
}

/** Bounds that a line of usage does not say. */
const COUNTS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  ...counts(0, Infinity, 'new-session new-window split-window respawn-pane respawn-window send-keys display-popup'),
  ...counts(1, Infinity, 'bind-key source-file display-menu'),
  ...counts(0, 1, 'unbind-key set-buffer show-hooks'),
  ...counts(1, 1, 'wait-for'),
  ...counts(1, 2, 'set-environment'),
  ...counts(2, 3, 'if-shell'),
};

function counts(least: number, most: number, verbs: string): Record<string, [least: number, most: number]> {
  return Object.fromEntries(verbs.split(' ').map((name) => [name, [least, most]]));
}

/** A switch that tmux takes and does not show. */
const HIDDEN_SWITCHES: Readonly<Record<string, string>> = { 'select-pane': 'g', 'wait-for': 'LSU' };

/** Flags with a value that tmux takes and does not show. */
const HIDDEN: Readonly<Record<string, string>> = {
  'split-window': 'p',
  'join-pane': 'p',
  'move-pane': 'p',
  'select-pane': 'P',
};

export const VERBS: readonly Verb[] = USAGE.map((line) => {
  const [, name = '', alias = '', usage = ''] = /^(\S+)(?: \((\S+)\))? ?(.*)$/.exec(line) ?? [];
  const rest = usage
    .replaceAll(/\[-[A-Za-z0-9|-]+( [^\]]+)?\]/g, '')
    .trim()
    .split(' ')
    .filter((word) => word !== '' && word !== '...');
  const valued = [...usage.matchAll(/\[-([A-Za-z]) [^\]]+\]/g)].map((match) => match[1] ?? '').join('');
  const switches = [...usage.matchAll(/\[-([A-Za-z0-9]+)\]/g)].map((match) => match[1] ?? '').join('');
  const hidden = HIDDEN[name] ?? '';
  const least = rest.filter((word) => !word.startsWith('[')).length;
  const [min = least, max = rest.length] = COUNTS[name] ?? [];
  const locks = HIDDEN_SWITCHES[name] ?? '';
  return { name, alias, usage, valued: valued + hidden, switches: switches + locks, least: min, most: max };
});

/** @throws Refusal */
export function verbNamed(given: string): Verb {
  const exact = VERBS.find(({ name, alias }) => name === given || (alias !== '' && alias === given));
  if (exact !== undefined) return exact;
  const all = VERBS.filter(({ name }) => name.startsWith(given));
  const [verb] = all;
  if (verb === undefined) throw new Refusal(`unknown command: ${given}`);
  if (all.length > 1) {
    throw new Refusal(`ambiguous command: ${given}, could be: ${all.map(({ name }) => name).join(', ')}`);
  }
  return verb;
}

type Flags = ReadonlyMap<string, readonly (string | undefined)[]>;

export class Arguments {
  readonly verb: Verb;
  readonly rest: readonly string[];
  /** Words of the call that were commands between braces, in their order. */
  readonly blocks: readonly Block[];
  readonly #flags: Flags;

  constructor({ verb, rest, blocks }: Pick<Arguments, 'verb' | 'rest' | 'blocks'>, flags: Flags) {
    this.verb = verb;
    this.rest = rest;
    this.blocks = blocks;
    this.#flags = flags;
  }

  has(flag: string): boolean {
    return this.#flags.has(flag);
  }

  /** Text of the call as tmux shows it: switches, flags with their values, and words. */
  get shown(): string[] {
    const flags = [...this.#flags].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const switches = flags
      .map(([flag, values]) => (values[0] === undefined ? flag.repeat(values.length) : ''))
      .join('');
    const valued = flags.flatMap(([flag]) => this.all(flag).flatMap((value) => [`-${flag}`, escapedValue(value)]));
    const blocks = [...this.blocks];
    const words = this.rest.map((word) => {
      const isBlock = blocks[0]?.text.trim() === word;
      return isBlock ? `{ ${textInFull(blocks.shift()?.text ?? '')} }` : escapedValue(word);
    });
    return [...(switches === '' ? [] : [`-${switches}`]), ...valued, ...words];
  }

  /** Variables of formats for the commands of its hook. */
  get variables(): Record<string, string> {
    const words = this.rest.map((word, at): [string, string] => [`hook_argument_${at}`, word]);
    const flags = [...this.#flags].flatMap(([flag, values]): [string, string][] => {
      const given = values.filter((value) => value !== undefined);
      return [
        [`hook_flag_${flag}`, given.at(-1) ?? '1'],
        ...given.map((value, at): [string, string] => [`hook_flag_${flag}_${at}`, value]),
      ];
    });
    return { hook_arguments: this.shown.join(' '), ...Object.fromEntries([...words, ...flags]) };
  }

  count(flag: string): number {
    return this.#flags.get(flag)?.length ?? 0;
  }

  /** The last one counts. */
  get(flag: string): string | undefined {
    return this.#flags.get(flag)?.at(-1);
  }

  all(flag: string): string[] {
    return (this.#flags.get(flag) ?? []).filter((value) => value !== undefined);
  }
}

/** @throws Refusal */
export function parseArguments(words: readonly string[], blocks: readonly Block[] = []): Arguments {
  const verb = verbNamed(words[0] ?? '');
  const flags = new Map<string, (string | undefined)[]>();
  const refuse = (why: string): never => {
    throw new Refusal(`command ${verb.name}: ${why}`);
  };
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('-') || word === '-') break;
    if (word === '--') {
      at += 1;
      break;
    }
    for (let place = 1; place < word.length; place += 1) {
      const flag = word[place] ?? '';
      const isValued = verb.valued.includes(flag);
      if (!isValued && !verb.switches.includes(flag)) {
        if (flag === '?') throw new Refusal(`usage: ${verb.name} ${verb.usage}`);
        refuse(/[A-Za-z0-9]/.test(flag) ? `unknown flag -${flag}` : `invalid flag -${flag}`);
      }
      const values = flags.get(flag) ?? [];
      flags.set(flag, values);
      if (!isValued) {
        values.push(undefined);
        continue;
      }
      const value = place + 1 < word.length ? word.slice(place + 1) : words[(at += 1)];
      values.push(value);
      break;
    }
  }
  const rest = words.slice(Math.min(at, words.length));
  if (rest.length < verb.least) refuse(`too few arguments (need at least ${verb.least})`);
  if (rest.length > verb.most) refuse(`too many arguments (need at most ${verb.most})`);
  return new Arguments({ verb, rest, blocks }, flags);
}

/** A command as tmux shows it: with the name of its verb in full. @throws Refusal */
export function inFull({ words, blocks }: Pick<Command, 'words' | 'blocks'>): string {
  const args = parseArguments(words, blocks);
  return [args.verb.name, ...args.shown].join(' ');
}

/** A text of commands, on one line. @throws Refusal */
export function textInFull(text: string): string {
  return parseCommands(text, () => undefined)
    .map(inFull)
    .join(' ; ');
}
