/** Command lines as tmux reads them: words of a text, and commands of an argument list. */
import { readFileSync } from 'node:fs';
import { Refusal } from './options.js';

export interface Block {
  readonly text: string;
  readonly line: number;
}

export interface Command {
  readonly words: readonly string[];
  /** Line of a text on which it stands. */
  readonly line: number;
  /** Words that were commands between braces. */
  readonly blocks: readonly Block[];
}

/** A word that ends with `;` ends its command; `\;` is a `;`. */
export function commandsOf(argv: readonly string[]): Command[] {
  const commands: string[][] = [[]];
  for (const word of argv) {
    if (!word.endsWith(';')) {
      commands.at(-1)?.push(word);
    } else if (word.endsWith('\\;')) {
      commands.at(-1)?.push(`${word.slice(0, -2)};`);
    } else {
      if (word.length > 1) commands.at(-1)?.push(word.slice(0, -1));
      commands.push([]);
    }
  }
  return commands.filter(({ length }) => length > 0).map((words) => ({ words, line: 1, blocks: [] }));
}

interface ReadingEvents {
  /** Handler of the line that is read, before it fails. */
  readonly onLine: (line: number) => void;
  /** A variable before a command, or on a line of its own. */
  readonly assign: (name: string, value: string, isHidden: boolean) => void;
}

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;

const MOST_BYTES = 10 * 1024 * 1024;

interface Reading {
  readonly text: string;
  at: number;
  line: number;
  blocks: Block[];
  readonly variable: (name: string) => string | undefined;
}

/**
 * A text of commands, as of `source-file`. The end of the text ends quotes, too.
 * @throws Refusal for braces that have no other half
 */
export function parseCommands(
  text: string,
  variable: (name: string) => string | undefined,
  { onLine = () => {}, assign = () => {} }: Partial<ReadingEvents> = {},
): Command[] {
  if (text.length > MOST_BYTES) throw new Refusal('file too large');
  const reading: Reading = { text, at: 0, line: 1, blocks: [], variable };
  const commands: Command[] = [];
  let words: string[] = [];
  let line = 1;
  let isHidden = false;
  let isOpen = false;
  const end = (): void => {
    if (words.length > 0) commands.push({ words, line, blocks: reading.blocks });
    words = [];
    reading.blocks = [];
  };
  const word = (): string => {
    try {
      return readWord(reading);
    } finally {
      onLine(reading.line);
    }
  };
  while (reading.at < text.length) {
    const character = text[reading.at] ?? '';
    if (character === '\n' || character === ';') {
      if (character === ';' && !isOpen) throw new Refusal('syntax error');
      isOpen = character === ';';
      end();
      reading.at += 1;
      if (character === '\n') reading.line += 1;
    } else if (/\s/.test(character)) {
      reading.at += 1;
    } else if (character === '\\' && text[reading.at + 1] === '\n') {
      reading.at += 2;
      reading.line += 1;
    } else if (character === '#' && (words.length === 0 || /\s/.test(text[reading.at - 1] ?? ' '))) {
      while (reading.at < text.length && text[reading.at] !== '\n') reading.at += 1;
    } else {
      if (words.length === 0) ({ line } = reading);
      isOpen = true;
      const one = word();
      const [, name, value = ''] = words.length === 0 ? (ASSIGNMENT.exec(one) ?? []) : [];
      if (name !== undefined) assign(name, value, isHidden);
      else if (words.length > 0 || one !== '%hidden') words.push(one);
      isHidden = one === '%hidden' && words.length === 0;
    }
  }
  end();
  return commands;
}

function readWord(reading: Reading): string {
  const { text } = reading;
  if (text[reading.at] === '{') return readBraces(reading);
  if (text[reading.at] === '}') throw new Refusal('syntax error');
  let word = '';
  while (reading.at < text.length) {
    const character = text[reading.at] ?? '';
    if (/[\s;]/.test(character)) break;
    reading.at += 1;
    if (character === "'") word += readUntil(reading, "'");
    else if (character === '"') word += readDouble(reading);
    else if (character === '\\') word += readEscape(reading);
    else if (character === '$') word += readVariable(reading);
    else if (character === '~' && word === '') word += home(reading);
    else word += character;
  }
  return word;
}

function readUntil(reading: Reading, quote: string): string {
  const found = reading.text.indexOf(quote, reading.at);
  const end = found === -1 ? reading.text.length : found;
  const inner = reading.text.slice(reading.at, end);
  reading.line += inner.split('\n').length - 1;
  reading.at = end + 1;
  return inner;
}

function home(reading: Reading): string {
  const [name = ''] = /^[^\s/"';]*/.exec(reading.text.slice(reading.at, reading.at + 256)) ?? [];
  reading.at += name.length;
  const found = name === '' ? (reading.variable('HOME') ?? '~') : homeOf(name);
  if (found === undefined) throw new Refusal('syntax error');
  return found;
}

function homeOf(user: string): string | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${user}:`));
  return line?.split(':')[5];
}

function readDouble(reading: Reading): string {
  let word = '';
  if (reading.text[reading.at] === '~') {
    reading.at += 1;
    word = home(reading);
  }
  for (;;) {
    const character = reading.text[reading.at];
    reading.at += 1;
    if (character === undefined || character === '"') return word;
    if (character === '\n') reading.line += 1;
    if (character === '\\') word += readEscape(reading);
    else if (character === '$') word += readVariable(reading);
    else word += character;
  }
}

/** Letters behind a backslash, and the characters that they mean. */
const [LETTERS, MEANT] = ['abefsvrnt', '\x07\b\x1b\f \v\r\n\t'];

function readEscape(reading: Reading): string {
  const rest = reading.text.slice(reading.at, reading.at + 9);
  const octal = /^[0-3][0-7]{2}/.exec(rest)?.[0];
  if (octal !== undefined) {
    reading.at += 3;
    return String.fromCharCode(Number.parseInt(octal, 8));
  }
  const unicode = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
  if (unicode !== null) {
    reading.at += unicode[0].length;
    const point = Number.parseInt(unicode[1] ?? unicode[2] ?? '', 16);
    if (point > 0x10ffff) throw new Refusal('invalid \\U argument');
    return String.fromCodePoint(point);
  }
  const [character = ''] = rest;
  if (/[uU]/.test(character)) throw new Refusal(`invalid \\${character} argument`);
  if (/[0-7]/.test(character)) throw new Refusal('invalid octal escape');
  reading.at += 1;
  if (character === '\n') {
    reading.line += 1;
    return '';
  }
  return character === '' ? '' : (MEANT[LETTERS.indexOf(character)] ?? character);
}

function readVariable(reading: Reading): string {
  const match = /^(?:\{(\w*)\}|([A-Za-z_]\w*))/.exec(reading.text.slice(reading.at, reading.at + 256));
  if (match === null && reading.text[reading.at] === '{') throw new Refusal('invalid environment variable');
  if (match === null) return '$';
  reading.at += match[0].length;
  return reading.variable(match[1] ?? match[2] ?? '') ?? '';
}

/** The text between braces, which may nest. */
function readBraces(reading: Reading): string {
  const start = reading.at + 1;
  const { line } = reading;
  let depth = 0;
  for (; reading.at < reading.text.length; reading.at += 1) {
    const character = reading.text[reading.at];
    if (character === '\n') reading.line += 1;
    if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) {
      reading.at += 1;
      const text = reading.text.slice(start, reading.at - 1);
      reading.blocks.push({ text, line });
      return text.trim();
    } else if (character === "'" || character === '"') {
      const end = reading.text.indexOf(character, reading.at + 1);
      if (end !== -1) reading.at = end;
    }
  }
  throw new Refusal('syntax error');
}
