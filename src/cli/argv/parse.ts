/** From argv to an invocation: which command, with which fields of its request, by the generated table. */
import { nearestWords } from '../../base/nearest.js';
import { T4aError, quote } from '../../protocol/errors.js';
import { COMMAND_LINE_NAMES, commandSyntax } from './command-table.js';
import { GLOBAL_FLAGS } from './commands.generated.js';
import { EXPECTED_DURATION, milliseconds } from './duration.js';
import type { Invocation } from './invocation.js';
import { OTHER_NAMES } from './other-names.js';
import { assignPositionals } from './positionals.js';
import type { CommandSyntax, FlagSyntax } from './syntax.js';
import { type OptionSyntax, type Token, tokensOf } from './tokens.js';
import { readValue } from './values.js';
import {
  commandOf,
  fits,
  flagsOf,
  meaningOf,
  missingOf,
  wordName,
  ownLine,
  type VtrWord,
  wordsOf,
} from './vtr-words.js';

/** @returns undefined if no command is named @throws T4aError `usage` */
export function parseCommandLine(argv: readonly string[]): Invocation | undefined {
  const { name, args } = splitCommand(argv);
  if (name === undefined) return undefined;
  const command = commandSyntax(name);
  for (const word of wordsOf(name)) {
    const invocation = readVtrWord(word, args, command);
    if (invocation !== undefined) return invocation;
  }
  if (command === undefined) throw unknownCommand(name);
  return readArguments(command, args);
}

/** The command that a name means, by itself or as a word of vtr. */
export function commandNamed(name: string): CommandSyntax | undefined {
  const [word] = wordsOf(name);
  return commandSyntax(name) ?? (word === undefined ? undefined : commandSyntax(commandOf(word)));
}

/** @param own t4a's command of the same name @returns undefined if the line is one of that command */
function readVtrWord(word: VtrWord, args: readonly string[], own: CommandSyntax | undefined): Invocation | undefined {
  const command = commandSyntax(commandOf(word));
  // The program of the common commands knows no others.
  if (command === undefined) return undefined;
  const flags = [...command.flags, ...flagsOf(word, command.flags), ...GLOBAL_FLAGS];
  const known = own === undefined || own === command ? flags : [...flags, ...own.flags];
  const { flagTokens, positionals: given } = tokenize(false, known, args);
  if (!fits(word, given, own !== undefined)) return undefined;
  const { written, means } = meaningOf(word);
  const standsFor = word.written === word.means ? undefined : `"${written}" of vtr is "t4a ${means}" here.`;
  const invocation: Invocation = {
    command,
    params: {},
    options: {},
    ...(standsFor === undefined ? {} : { standsFor }),
  };
  const { flags: preset, positionals } = ownLine(word, given);
  const isHelp = flagTokens.some(({ name }) => name === 'help');
  try {
    for (const { name, value, isDefault } of preset) {
      if (isDefault && flagTokens.some((token) => isSameFlag(token.name, name, flags))) continue;
      setFlag(invocation, { rawName: `--${name}`, name, value, inlineValue: true }, flags);
    }
    for (const token of flagTokens) setFlag(invocation, token, flags);
    if (isHelp) return invocation;
    const missing = missingOf(word, given);
    if (missing !== undefined) throw new T4aError('usage', `"${wordName(word)}" needs ${missing}.`);
    assignPositionals(invocation, positionals);
  } catch (error) {
    if (!(error instanceof T4aError)) throw error;
    const { code, message, details } = withHint(error, command);
    throw new T4aError(code, message, { ...details, hint: [standsFor, details.hint].filter(Boolean).join(' ') });
  }
  return invocation;
}

/** Global flags given where no command was named: `t4a --help`. */
export function parseGlobalFlags(argv: readonly string[]): Record<string, unknown> {
  return readArguments(NO_COMMAND, argv).options;
}

const NO_COMMAND: CommandSyntax = {
  name: '',
  summary: '',
  group: 'plumbing',
  positionals: [],
  flags: [],
  examples: [],
};

function readArguments(command: CommandSyntax, args: readonly string[]): Invocation {
  const flags = [...command.flags, ...GLOBAL_FLAGS];
  const { flagTokens, positionals, wordsBeforeDashes } = tokenize(takesProgram(command), flags, args);
  const invocation: Invocation = { command, params: {}, options: {}, wordsBeforeDashes };
  try {
    for (const token of flagTokens) setFlag(invocation, token, flags);
    if (invocation.options['help'] !== true) assignPositionals(invocation, positionals);
  } catch (error) {
    throw error instanceof T4aError ? withHint(error, command) : error;
  }
  return invocation;
}

/** Where nothing better is known, the command's help is the next step. */
function withHint({ code, message, details }: T4aError, command: CommandSyntax): T4aError {
  return new T4aError(code, message, { hint: ['t4a', command.name, '--help'].filter(Boolean).join(' '), ...details });
}

/** The first argument that is no global flag is the command; global flags may stand before it. */
export function splitCommand(argv: readonly string[]): { name: string | undefined; args: readonly string[] } {
  const [name] = argv;
  if (name !== undefined && !name.startsWith('-')) return { name, args: argv.slice(1) };
  const first = parseTokens(argv, GLOBAL_FLAGS).find((token) => token.kind === 'positional');
  if (first === undefined) return { name: undefined, args: argv };
  return { name: first.value, args: argv.toSpliced(first.index, 1) };
}

/**
 * A command whose own arguments t4a does not read.
 * @returns its words, and what stands before its name; undefined for another command
 */
export function splitAt(
  name: string,
  argv: readonly string[],
): { readonly before: readonly string[]; readonly words: readonly string[] } | undefined {
  const first = parseTokens(argv, GLOBAL_FLAGS).find((token) => token.kind === 'positional');
  if (first?.value !== name) return undefined;
  return { before: argv.slice(0, first.index), words: argv.slice(first.index + 1) };
}

interface FlagToken {
  /** As typed: `--cols`, `-o`. */
  readonly rawName: string;
  readonly name: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean;
}

/** Flags end at the first argument: what follows belongs to the program that is to be started. */
function takesProgram(command: CommandSyntax): boolean {
  return command.startsProgram === true && command.positionals[0]?.rest === true;
}

/** @param takesRest flags end at the first argument */
function tokenize(
  takesRest: boolean,
  flags: readonly FlagSyntax[],
  args: readonly string[],
): { flagTokens: FlagToken[]; positionals: string[]; wordsBeforeDashes?: number | undefined } {
  const flagTokens: FlagToken[] = [];
  const positionals: string[] = [];
  let wordsBeforeDashes: number | undefined;
  for (const token of parseTokens(args, flags)) {
    if (token.kind === 'option') {
      const { rawName, name, value, inlineValue = false } = token;
      flagTokens.push({ rawName, name, value, inlineValue });
    } else if (takesRest) {
      const start = token.kind === 'option-terminator' ? token.index + 1 : token.index;
      return { flagTokens, positionals: args.slice(start) };
    } else if (token.kind === 'positional') {
      positionals.push(token.value);
    } else {
      wordsBeforeDashes = positionals.length;
    }
  }
  return { flagTokens, positionals, wordsBeforeDashes };
}

export function parseTokens(args: readonly string[], flags: readonly FlagSyntax[]): Token[] {
  const long = new Map<string, OptionSyntax>();
  const short = new Map<string, OptionSyntax>();
  for (const flag of flags) {
    const takesValue = flag.type !== 'boolean';
    for (const name of spellings(flag)) long.set(name, { name, takesValue });
    if (flag.short !== undefined) short.set(flag.short, { name: flag.flag, takesValue });
  }
  return tokensOf(args, long, short);
}

/** A time's unit may be left out: `--timeout` for `--timeout-ms`. A label is set by a flag each. */
export function spellings(flag: FlagSyntax): string[] {
  if (flag.field === 'labels') return [flag.flag, 'labels'];
  return flag.flag.endsWith('-ms') ? [flag.flag, flag.flag.slice(0, -'-ms'.length)] : [flag.flag];
}

function isSameFlag(given: string, name: string, flags: readonly FlagSyntax[]): boolean {
  return flags.some((flag) => spellings(flag).includes(given) && spellings(flag).includes(name));
}

function setFlag(invocation: Invocation, token: FlagToken, flags: readonly FlagSyntax[]): void {
  const byName = (name: string): FlagSyntax | undefined => flags.find((flag) => spellings(flag).includes(name));
  const positive = byName(token.name);
  const negated = token.name.startsWith('no-') ? byName(token.name.slice('no-'.length)) : undefined;
  const flag = positive ?? (negated?.type === 'boolean' ? negated : undefined);
  if (flag === undefined) throw unknownFlag(invocation.command, token.rawName, flags);
  const target = flag.local === true ? invocation.options : invocation.params;
  const value = flagValue(flag, token, positive !== undefined);
  if (isSecondsPerhaps(flag, token, value)) {
    (invocation.notes ??= []).push(
      `${token.rawName} ${token.value} is ${token.value} ms; for seconds: ${token.rawName} ${token.value}s`,
    );
  }
  const before = target[flag.field];
  const collects = flag.repeatable === true || flag.type === 'list';
  if (!collects && flag.type !== 'boolean' && before !== undefined && before !== value) {
    throw new T4aError('usage', `${token.rawName} is there twice, with two values: only one counts.`);
  }
  target[flag.field] = collects ? [...(Array.isArray(before) ? before : []), ...[value].flat()] : value;
}

/** A deadline of less than a second, without its unit. */
function isSecondsPerhaps(flag: FlagSyntax, token: FlagToken, value: unknown): boolean {
  const isBare = flag.flag === 'timeout-ms' && token.name === 'timeout' && /^\d+$/.test(token.value ?? '');
  return isBare && typeof value === 'number' && value > 0 && value < 1000;
}

function flagValue(flag: FlagSyntax, token: FlagToken, positive: boolean): unknown {
  if (flag.type === 'boolean' && token.value === undefined) return positive;
  if (token.value === undefined) throw new T4aError('usage', `${token.rawName} needs a value.`);
  // No flag begins with a digit: a number, or a moment such as -5s.
  if (!token.inlineValue && /^-\D/.test(token.value)) {
    const hint = `If that is the value: ${token.rawName.startsWith('--') ? `${token.rawName}=` : token.rawName}${token.value}`;
    throw new T4aError('usage', `${token.rawName} needs a value, and ${quote(token.value)} looks like a flag.`, {
      hint,
    });
  }
  return flag.flag.endsWith('-ms')
    ? readDuration(token.value, token.rawName)
    : readValue(flag, token.value, token.rawName);
}

function readDuration(text: string, label: string): number {
  const ms = milliseconds(text);
  if (ms === undefined) throw new T4aError('usage', `${label} is ${quote(text)}: expected ${EXPECTED_DURATION}.`);
  return ms;
}

function unknownCommand(name: string): T4aError {
  const closest = OTHER_NAMES[name] ?? nearestWords(name, COMMAND_LINE_NAMES)[0];
  return new T4aError('usage', `There is no command ${quote(name)}.`, {
    hint: closest === undefined ? 't4a help' : `Did you mean "t4a ${closest}"?`,
    ...(closest === undefined ? {} : { closest }),
  });
}

function unknownFlag(command: CommandSyntax, rawName: string, flags: readonly FlagSyntax[]): T4aError {
  const owner = command.name === '' ? 't4a' : `"${command.name}"`;
  const dashed = flags.flatMap(spellings).map((spelling) => `--${spelling}`);
  // The condition of the wire has another word here.
  const isInput = /^--awaiting[-_]input$/.test(rawName) && dashed.includes('--input');
  const closest = isInput ? '--input' : nearestWords(rawName, dashed)[0];
  const takesDash = command.positionals.some((positional) => positional.rest === true || positional.field === 'input');
  const hints = [
    ...(closest === undefined ? [] : [`Did you mean "${closest}"?`]),
    ...(takesDash ? ['What is no flag of t4a comes after "--".'] : []),
  ];
  return new T4aError('usage', `${owner} has no flag ${quote(rawName)}.`, {
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
    ...(closest === undefined ? {} : { closest }),
  });
}
