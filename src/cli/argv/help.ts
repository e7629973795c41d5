/** Help, made from the generated table: the same text on the terminal and in docs/cli.md. */
import { GROUPS } from '../../protocol/groups.js';
import { commandSyntax } from './command-table.js';
import { GLOBAL_FLAGS } from './commands.generated.js';
import type { Invocation } from './invocation.js';
import type { CommandSyntax, FlagSyntax, PositionalSyntax } from './syntax.js';
import { meaningOf, VTR_WORDS } from './vtr-words.js';

/** Longer lines are hard to read, on a wide terminal too. */
const MAX_WIDTH = 100;

/** A column of descriptions narrower than this breaks at nearly every word. */
const MIN_COLUMN = 20;

/** @param columns of the terminal; undefined if the output is none: each summary is then one line */
export function overviewHelp(
  commands: readonly CommandSyntax[],
  globalFlags: readonly FlagSyntax[],
  columns?: number,
): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const indent = width + 4;
  const summaryWidth = columns === undefined ? Infinity : Math.max(MIN_COLUMN, widthOf(columns) - indent);
  const line = ({ name, summary }: CommandSyntax): string =>
    `  ${name.padEnd(width)}  ${wrap(summary, summaryWidth, indent)}\n`;
  return [
    'Usage: t4a <command> [arguments] [flags]\n\n',
    paragraph(
      'Terminals in a daemon, for language models to watch and use. The first command starts the daemon.',
      columns,
    ),
    ...Object.entries(GROUPS).flatMap(([group, { title, example }]) => [
      `\n${title}:\n`,
      ...commands.filter((command) => command.group === group).map(line),
      `  ${' '.repeat(width)}  Example: t4a ${example}\n`,
    ]),
    vtrWords(),
    '\nFlags of every command:\n',
    flagTable(globalFlags, columns),
    '\n',
    paragraph(EXIT_STATUSES, columns),
    '\n',
    paragraph(
      'A terminal is named by its id (t1, or the name given at create) or by "@", the one used last. The default is $T4A_TERMINAL, else "@". "t4a <command> --help" explains a command.',
      columns,
    ),
  ].join('');
}

const EXIT_STATUSES =
  'Exit status: 0 done, 1 nothing found, or an error, 2 usage, 3 --fail matched, 4 the terminal or its program has ended, 5 done, and the look after it failed, 6 a command ended with an unknown status, 123 run: the command waits for input, 124 deadline, 125 error of t4a beside the status of a command, 126 run: not executable, 127 run: no such program, 128+n ended by signal n. run, --done and --exit exit with the status of the command.';

/** Help of a command in the table of this program: that of the common commands has none of these texts. */
export function helpOf({ command: { name }, standsFor }: Invocation, columns?: number): string {
  const command = commandSyntax(name);
  if (command === undefined) throw new Error(`no command ${name}`);
  const text = commandHelp(command, GLOBAL_FLAGS, columns);
  return standsFor === undefined ? text : `${standsFor}\n\n${text}`;
}

/** Each word of vtr in one line. */
function vtrWords(): string {
  const words = VTR_WORDS.map(meaningOf);
  const width = Math.max(...words.map(({ written }) => written.length));
  const lines = words.map(({ written, means }) => `  ${written.padEnd(width)}  ${means}\n`);
  return `\nWords of vtr that are understood as well:\n${lines.join('')}`;
}

/** @param columns of the terminal; undefined if the output is none */
export function commandHelp(command: CommandSyntax, globalFlags: readonly FlagSyntax[], columns?: number): string {
  // A flag of the command's own takes the place of one of all commands.
  const globals = globalFlags.filter(({ flag }) => !command.flags.some((own) => own.flag === flag));
  return [
    `Usage: t4a ${synopsis(command)}\n\n`,
    paragraph(command.summary, columns),
    command.notes === undefined ? '' : `\n${paragraph(command.notes, columns)}`,
    command.flags.length === 0 ? '' : `\nFlags:\n${flagTable(command.flags, columns)}`,
    globals.length === 0 ? '' : `\nFlags of every command:\n${flagTable(globals, columns)}`,
    '\nExamples:\n',
    ...command.examples.map((example) => `  t4a ${example}\n`),
  ].join('');
}

export function synopsis(command: CommandSyntax): string {
  const flags = command.flags.length === 0 ? [] : ['[flags]'];
  return [command.name, ...flags, ...command.positionals.map(placeholderOf)].join(' ');
}

function placeholderOf(positional: PositionalSyntax): string {
  const { rest, label: name, field } = positional;
  const label = rest !== true ? name : field === 'id' ? `${name}...` : `-- ${name}...`;
  const optional = positional.optional === true || positional.field === 'id';
  if (optional) return `[${label}]`;
  return `<${label}>`;
}

export function flagTable(flags: readonly FlagSyntax[], columns?: number): string {
  const left = flags.map((flag) => `  ${flagSynopsis(flag)}`);
  const indent = Math.max(...left.map((text) => text.length)) + 2;
  const width = Math.max(MIN_COLUMN, widthOf(columns) - indent);
  return flags
    .map((flag, i) => (left[i] ?? '').padEnd(indent) + wrap(flagDescription(flag), width, indent) + '\n')
    .join('');
}

function flagSynopsis(flag: FlagSyntax): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  if (flag.type === 'boolean') return `${short}--${flag.default === true ? 'no-' : ''}${flag.flag}`;
  return `${short}--${flag.flag} ${flag.placeholder ?? placeholderByType(flag)}`;
}

function placeholderByType(flag: FlagSyntax): string {
  if (flag.flag.endsWith('-ms')) return 'ms';
  if (flag.flag.endsWith('-ms')) return 'time';
  if (flag.type === 'integer' || flag.type === 'number') return 'n';
  if (flag.type === 'name') return 'name|number';
  if (flag.type === 'json') return 'json';
  if (flag.values !== undefined && flag.type === 'string') return flag.values.join('|');
  return flag.type === 'list' ? 'a,b,…' : 'text';
}

export function flagDescription(flag: FlagSyntax): string {
  const { values } = flag;
  const isOn = flag.type === 'boolean' && flag.default === true;
  const description = isOn ? (flag.off ?? `Turn off: ${flag.description}`) : flag.description;
  const facts = [
    values === undefined || flag.type !== 'list' ? undefined : `one or more of ${values.join(', ')}`,
    boundsOf(flag),
    defaultOf(flag),
  ].filter((fact) => fact !== undefined);
  return [description, facts.length === 0 ? '' : `(${facts.join('; ')})`].filter((part) => part !== '').join(' ');
}

/** A bound of 0 or 1 below goes without saying, and so does the longest time. */
function boundsOf({ flag, minimum = 0, maximum }: FlagSyntax): string | undefined {
  if (flag.endsWith('-ms') && minimum <= 1) return undefined;
  if (maximum === undefined) return minimum <= 1 ? undefined : `at least ${minimum}`;
  return minimum <= 1 ? `at most ${maximum}` : `${minimum} to ${maximum}`;
}

/** Default to be named. One that is off, none or empty goes without saying. */
function defaultOf({ type, default: value }: FlagSyntax): string | undefined {
  const isSilent = value === undefined || type === 'boolean' || (Array.isArray(value) && value.length === 0);
  return isSilent ? undefined : `default ${JSON.stringify(value).replaceAll('"', '')}`;
}

const paragraph = (text: string, columns: number | undefined): string => `${wrap(text, widthOf(columns), 0)}\n`;

const widthOf = (columns = MAX_WIDTH): number => Math.min(columns, MAX_WIDTH);

/** Breaks at spaces; lines after the first begin with `indent` spaces. */
function wrap(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}
