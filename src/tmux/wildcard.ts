/**
 * Patterns of formats: those of fnmatch (`*`, `?`, `[a-z]`, `[!a]`, and `\` before what stands for itself), and extended regular
 * expressions of POSIX. A pattern that takes too long matches nothing.
 */
import { createContext, Script } from 'node:vm';

/** A pattern that goes back and forth without end is given up then. */
const MATCH_MS = 100;

/** Names of POSIX within brackets, for characters of ASCII. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9',
  alpha: 'a-zA-Z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '!-\\/:-@\\[-`{-~',
  space: '\\s',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

interface Context {
  pattern: RegExp;
  text: string;
}

let context: (Context & object) | undefined;
const TEST = new Script('pattern.test(text)');
const MATCHES = new Script('[...text.matchAll(pattern)]');

export function wildcard(pattern: string, ignoresCase = false): { test(text: string): boolean } {
  let source = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '*') source += '.*';
    else if (character === '?') source += '.';
    else if (character === '\\' && at + 1 < pattern.length) source += quoted(pattern[(at += 1)] ?? '');
    else if (character === '[') {
      const set = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(pattern.slice(at));
      if (set === null) {
        source += '\\[';
      } else {
        source += `[${set[1] === undefined ? '' : '^'}${(set[2] ?? '').replaceAll(/[\\[\]^]/g, '\\$&')}]`;
        at += set[0].length - 1;
      }
    } else source += quoted(character);
  }
  return expression(`^(?:${source})$`, ignoresCase) ?? { test: () => false };
}

/** @returns undefined if it is no pattern */
export function expression(source: string, ignoresCase = false): { test(text: string): boolean } | undefined {
  const pattern = compiled(source, `s${ignoresCase ? 'i' : ''}`);
  return pattern && { test: (text) => within(TEST, pattern, text) === true };
}

/** As `s/pattern/replacement/` of a format, all places. `\1` stands for a group. */
export function substituted(text: string, source: string, replacement: string, ignoresCase: boolean): string {
  const pattern = compiled(source, `g${ignoresCase ? 'i' : ''}`);
  const matches = pattern && (within(MATCHES, pattern, text) as readonly RegExpMatchArray[] | undefined);
  let [out, from] = ['', 0];
  for (const match of matches ?? []) {
    if (match[0] === '') break;
    const start = match.index ?? 0;
    out +=
      text.slice(from, start) + replacement.replaceAll(/\\(\d)/g, (_, digit: string) => match[Number(digit)] ?? '');
    from = start + match[0].length;
    if (source.startsWith('^')) break;
  }
  return out + text.slice(from);
}

function quoted(character: string): string {
  return character.replaceAll(SPECIAL, '\\$&');
}

function compiled(source: string, flags: string): RegExp | undefined {
  const translated = source.replaceAll(/\[:(\w+):\]/g, (all, name: string) => CLASSES[name] ?? all);
  try {
    return new RegExp(translated, flags);
  } catch {
    return undefined; // SyntaxError: it is no pattern.
  }
}

/** @returns undefined if it takes too long */
function within(script: Script, pattern: RegExp, text: string): unknown {
  context ??= createContext({ pattern, text }) as Context & object;
  Object.assign(context, { pattern, text });
  try {
    return script.runInContext(context, { timeout: MATCH_MS });
  } catch {
    return undefined; // ERR_SCRIPT_EXECUTION_TIMEOUT.
  }
}
