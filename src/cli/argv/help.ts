/** Help, made from the generated table: the same text on the terminal and in docs/cli.md. */
import type { CommandSyntax, FlagSyntax, PositionalSyntax } from './syntax.js';

const WIDTH = 100;

export function overviewHelp(commands: readonly CommandSyntax[], globalFlags: readonly FlagSyntax[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    'Usage: t4a <command> [arguments] [flags]\n\n',
    'Terminals in a daemon, for language models to watch and work with. The first command starts the daemon.\n\n',
    'Commands:\n',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`),
    '\nFlags of every command:\n',
    flagTable(globalFlags),
    '\n',
    paragraph(
      'A terminal is named by its id (t1, or the name given at create) or by "@", the one used last. Left out it is $T4A_TERMINAL, else "@". "t4a <command> --help" explains a command.',
    ),
  ].join('');
}

export function commandHelp(command: CommandSyntax, globalFlags: readonly FlagSyntax[]): string {
  return [
    `Usage: t4a ${synopsis(command)}\n\n`,
    paragraph(command.summary),
    command.notes === undefined ? '' : `\n${paragraph(command.notes)}`,
    command.flags.length === 0 ? '' : `\nFlags:\n${flagTable(command.flags)}`,
    globalFlags.length === 0 ? '' : `\nFlags of every command:\n${flagTable(globalFlags)}`,
    '\nExamples:\n',
    ...command.examples.map((example) => `  t4a ${example}\n`),
  ].join('');
}

export function synopsis(command: CommandSyntax): string {
  const flags = command.flags.length === 0 ? [] : ['[flags]'];
  return [command.name, ...flags, ...command.positionals.map(placeholderOf)].join(' ');
}

function placeholderOf(positional: PositionalSyntax): string {
  const label = positional.rest === true ? `-- ${positional.label}...` : positional.label;
  const optional = positional.optional === true || positional.field === 'id';
  if (optional) return `[${label}]`;
  return `<${label}>`;
}

export function flagTable(flags: readonly FlagSyntax[]): string {
  const left = flags.map((flag) => `  ${flagSynopsis(flag)}`);
  const indent = Math.max(...left.map((text) => text.length)) + 2;
  return flags
    .map((flag, i) => (left[i] ?? '').padEnd(indent) + wrap(flagDescription(flag), WIDTH - indent, indent) + '\n')
    .join('');
}

function flagSynopsis(flag: FlagSyntax): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  if (flag.type === 'boolean') return `${short}--${flag.default === true ? 'no-' : ''}${flag.flag}`;
  return `${short}--${flag.flag} ${flag.placeholder ?? placeholderByType(flag)}`;
}

function placeholderByType(flag: FlagSyntax): string {
  if (flag.flag.endsWith('-ms')) return 'ms';
  if (flag.type === 'integer' || flag.type === 'number') return 'n';
  if (flag.type === 'name') return 'name|number';
  if (flag.type === 'json') return 'json';
  if (flag.values !== undefined && flag.type === 'string') return flag.values.join('|');
  return flag.type === 'list' ? 'a,b,…' : 'text';
}

export function flagDescription(flag: FlagSyntax): string {
  const description =
    flag.type === 'boolean' && flag.default === true ? `Turn off: ${flag.description}` : flag.description;
  const { minimum, maximum, values } = flag;
  const bounds = minimum === undefined || maximum === undefined ? undefined : `${minimum} to ${maximum}`;
  const facts = [
    values === undefined || flag.type !== 'list' ? undefined : `one or more of ${values.join(', ')}`,
    bounds ?? (minimum === undefined ? undefined : `at least ${minimum}`),
    flag.default === undefined || flag.type === 'boolean'
      ? undefined
      : `default ${JSON.stringify(flag.default).replaceAll('"', '')}`,
  ].filter((fact) => fact !== undefined);
  return [description, facts.length === 0 ? '' : `(${facts.join('; ')})`].filter((part) => part !== '').join(' ');
}

const paragraph = (text: string): string => `${wrap(text, WIDTH, 0)}\n`;

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
