/**
 * The line discipline of a terminal (termios(3)). Node has no call for it, so `stty` reads it, which takes some
 * milliseconds (see stty.ts).
 */
import { parseSttyFlags } from '../../events/awaiting-input.js';
import type { TerminalFlags } from '../../events/secrecy.js';
import type { Stty } from './stty.js';

export interface Termios {
  /**
   * canonical: the kernel edits lines. cbreak: keys arrive one by one, and Ctrl+C is still a signal. raw: it is not.
   */
  readonly mode: 'canonical' | 'cbreak' | 'raw';
  /** Every flag that stty names, for example `echo`, `icrnl`. */
  readonly flags: Readonly<Record<string, boolean>>;
  /** Control characters; null if unset. */
  readonly characters: Readonly<Record<string, { readonly text: string; readonly byte: number } | null>>;
  /** For reads in cbreak and raw mode. */
  readonly min?: number;
  readonly time?: number;
  readonly speed?: number;
  /** The four flag words in hexadecimal, if stty prints them. */
  readonly hex?: FlagWords;
}

export interface FlagWords {
  readonly iflag: string;
  readonly oflag: string;
  readonly cflag: string;
  readonly lflag: string;
}

/** @param device path of the slave side @returns undefined if the device or stty is missing */
export async function readTermios(stty: Stty, device: string): Promise<Termios | undefined> {
  const [all, saved] = await Promise.all([stty.ask('-a', device), stty.ask('-g', device)]);
  return all === undefined ? undefined : parseTermios(all, saved ?? '');
}

/** ECHO and ICANON alone, with one question. Undefined if the terminal is gone. */
export async function readTerminalFlags(stty: Stty, device: string): Promise<TerminalFlags | undefined> {
  const all = await stty.ask('-a', device);
  return all === undefined ? undefined : parseSttyFlags(all);
}

/** @param all output of `stty -a` @param saved output of `stty -g` */
export function parseTermios(all: string, saved: string): Termios {
  const settings = all.matchAll(/([a-z]+\d?) = ([^;\n]+);/gu);
  const values = new Map(Array.from(settings, ([, name = '', value = '']) => [name, value.trim()]));
  const rest = all
    .replaceAll(/[a-z]+\d? = [^;\n]+;/gu, ' ')
    .replaceAll(/\b(?:speed|rows|columns|line)\b[^;\n]*;?/gu, ' ');
  const words = rest.split(/\s+/u).filter((word) => /^-?[a-z]+\d*$/u.test(word));
  const flags = Object.fromEntries(words.map((word) => (word.startsWith('-') ? [word.slice(1), false] : [word, true])));
  const characters = [...values].filter(([name]) => !COUNTS.includes(name));
  return {
    mode: flags['icanon'] === true ? 'canonical' : flags['isig'] === true ? 'cbreak' : 'raw',
    flags,
    characters: Object.fromEntries(characters.map(([name, value]) => [name, controlCharacter(value)])),
    ...count('min', values.get('min')),
    ...count('time', values.get('time')),
    ...count('speed', /speed (\d+)/u.exec(all)?.[1]),
    ...flagWords(saved),
  };
}

/** Settings that are not control characters. */
const COUNTS = ['min', 'time', 'line'];

function count<Name extends string>(name: Name, text = ''): { [Key in Name]?: number } {
  return /^\d+$/u.test(text) ? ({ [name]: Number(text) } as { [Key in Name]?: number }) : {};
}

/** `^C`, `^?`, `M-^A`, `<undef>`, or the character itself. */
function controlCharacter(text: string): { text: string; byte: number } | null {
  const match = /^(M-)?(\^?)(.)$/u.exec(text);
  if (match === null) return null;
  const [, meta, caret, character = ''] = match;
  const code = character.charCodeAt(0);
  const plain = caret === '' ? code : character === '?' ? 0x7f : code & 0x1f;
  return { text, byte: plain | (meta === undefined ? 0 : 0x80) };
}

/** GNU's form: four words, then the control characters, separated by colons. */
function flagWords(saved: string): { hex?: FlagWords } {
  const words = saved.trim();
  const [iflag, oflag, cflag, lflag] = words.split(':');
  if (!/^[\da-f]+(?::[\da-f]+){4,}$/u.test(words)) return {};
  return { hex: { iflag: `0x${iflag}`, oflag: `0x${oflag}`, cflag: `0x${cflag}`, lflag: `0x${lflag}` } };
}
