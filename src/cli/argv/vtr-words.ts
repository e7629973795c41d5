/**
 * The words of vtr's command line, each with the line of t4a that it stands for. A word in capitals is an argument. Where
 * t4a has the word itself, the line counts only with exactly these arguments, which the command of t4a does not take.
 */
import type { FlagSyntax } from './syntax.js';

export interface VtrWord {
  readonly written: string;
  readonly means: string;
  /** Flags of vtr, by their name, and the flag of t4a with that meaning. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** `send`, `grep`, `kill`, `resize`, `attach` and `version` are words of both, with the same arguments. */
export const VTR_WORDS: readonly VtrWord[] = [
  { written: 'ls', means: 'list --all --long' },
  { written: 'spawn NAME', means: 'create --name=NAME', flags: { cmd: 'command' } },
  { written: 'rm NAME', means: 'kill NAME' },
  { written: 'screen NAME', means: 'text NAME' },
  { written: 'info NAME', means: 'status NAME' },
  { written: 'key NAME KEY', means: 'press NAME KEY' },
  { written: 'raw NAME HEX', means: 'send NAME HEX --hex' },
  { written: 'wait NAME PATTERN', means: 'wait NAME --regex=PATTERN --fresh' },
  { written: 'idle NAME', means: 'wait NAME --idle=5s' },
  { written: 'web', means: 'web', flags: { coordinator: 'socket' } },
  { written: 'serve', means: 'grpc' },
  { written: 'config ls', means: 'hosts list' },
  { written: 'config add PATH', means: 'hosts add PATH' },
  { written: 'config rm PATH', means: 'hosts rm PATH' },
  { written: 'config resolve', means: 'hosts resolve' },
  { written: 'hosts ls', means: 'hosts list' },
];

export function wordsOf(name: string): readonly VtrWord[] {
  return VTR_WORDS.filter(({ written }) => written.split(' ')[0] === name);
}

/** Name without its arguments. */
export function wordName({ written }: VtrWord): string {
  return written
    .split(' ')
    .filter((word) => !isArgument(word))
    .join(' ');
}

/** The command of t4a. */
export function commandOf({ means }: VtrWord): string {
  return means.split(' ')[0] ?? '';
}

/** Meaning as help, hints and docs/grpc.md have it. */
export function meaningOf({ written, means, flags = {} }: VtrWord): {
  readonly written: string;
  readonly means: string;
} {
  const same = Object.entries(flags).map(([theirs, ours]) => `--${theirs}: --${ours}`);
  return { written, means: `${means.replaceAll('=', ' ')}${same.length === 0 ? '' : ` (${same.join(', ')})`}` };
}

/** Vtr's spellings of flags of that command. */
export function flagsOf({ flags = {} }: VtrWord, own: readonly FlagSyntax[]): FlagSyntax[] {
  return Object.entries(flags).flatMap(([theirs, ours]) => {
    const { short: _short, ...flag } = own.find((one) => one.flag === ours) ?? {};
    return 'field' in flag ? [{ ...(flag as FlagSyntax), flag: theirs }] : [];
  });
}

/**
 * Whether arguments after the word are vtr's.
 * @param isOwn t4a has a command of that name, whose line it is in doubt: a second word, as in `config ls`, leaves none
 */
export function fits({ written }: VtrWord, given: readonly string[], isOwn: boolean): boolean {
  const wanted = written.split(' ').slice(1);
  const fixed = wanted.filter((word) => !isArgument(word));
  if (fixed.some((word, i) => given[i] !== word)) return false;
  return !isOwn || fixed.length > 0 || wanted.length === given.length;
}

/** The first argument that is absent. */
export function missingOf({ written }: VtrWord, given: readonly string[]): string | undefined {
  return written.split(' ').slice(1)[given.length];
}

export interface OwnLine {
  /** `isDefault`: the word's own value, which a given one replaces. */
  readonly flags: readonly { readonly name: string; readonly value: string | undefined; readonly isDefault: boolean }[];
  readonly positionals: readonly string[];
}

/** The line of t4a with these arguments; those that vtr's word does not have come last. */
export function ownLine({ written, means }: VtrWord, given: readonly string[]): OwnLine {
  const wanted = written.split(' ').slice(1);
  const valueOf = (word: string): string => {
    const at = isArgument(word) ? wanted.indexOf(word) : -1;
    return at === -1 ? word : (given[at] ?? word);
  };
  const words = means.split(' ').slice(1);
  const flags = words
    .filter((word) => word.startsWith('--'))
    .map((word) => {
      const [name = '', value] = word.slice(2).split('=');
      if (value === undefined) return { name, value, isDefault: false };
      return { name, value: valueOf(value), isDefault: !isArgument(value) };
    });
  const positionals = words.filter((word) => !word.startsWith('--')).map(valueOf);
  return { flags, positionals: [...positionals, ...given.slice(wanted.length)] };
}

function isArgument(word: string): boolean {
  return /^[A-Z]+$/.test(word);
}
