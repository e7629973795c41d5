/**
 * Patterns of formats: those of fnmatch (`*`, `?`, `[a-z]`, `[!a]`, and `\` before what stands for itself), and extended regular
 * expressions of POSIX, of which the longest match counts. All take time in proportion to the text.
 */
import type { RE2JS } from 're2js';
import { re2 } from '../search/re2.js';

const SPECIAL = /[$()*+.?[\\\]^{|}]/g;

export function wildcard(pattern: string, ignoresCase = false): { test(text: string): boolean } {
  let source = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '*') source += '.*';
    else if (character === '?') source += '.';
    else if (character === '\\' && at + 1 < pattern.length) source += quoted(pattern[(at += 1)] ?? '');
    else if (character === '[') {
      const set = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(pattern.slice(at));
      if (set === null) source += '\\[';
      else {
        source += `[${set[1] === undefined ? '' : '^'}${(set[2] ?? '').replaceAll(/[\\[\]^]/g, '\\$&')}]`;
        at += set[0].length - 1;
      }
    } else source += quoted(character);
  }
  return expression(`^(?:${source})$`, ignoresCase) ?? { test: () => false };
}

/** @returns undefined if it is no pattern */
export function expression(source: string, ignoresCase = false): RE2JS | undefined {
  const { CASE_INSENSITIVE, DOTALL, LONGEST_MATCH } = re2();
  try {
    return re2().compile(source, DOTALL | LONGEST_MATCH | (ignoresCase ? CASE_INSENSITIVE : 0));
  } catch {
    return undefined; // RE2JSSyntaxException
  }
}

/** A text that is longer is not replaced further. */
const MOST_LENGTH = 1024 * 1024;

/** Text after `s/pattern/replacement/` of a format, at all places. `\1` stands for a group. */
export function substituted(text: string, source: string, replacement: string, ignoresCase: boolean): string {
  const matcher = expression(source, ignoresCase)?.matcher(text);
  if (matcher === undefined || text === '') return text;
  let [out, from, last, wasEmpty] = ['', 0, 0, false];
  while (out.length < MOST_LENGTH && from <= text.length) {
    if (!matcher.find(from)) return out + text.slice(from);
    const [start, end] = [matcher.start(), matcher.end()];
    out += text.slice(last, start);
    // As regsub of tmux does it: an empty match where the one before ended is passed over once.
    const isReplaced = wasEmpty || start !== last || start !== end;
    if (isReplaced)
      out += replacement.replaceAll(/\\(\d)/g, (_, digit: string) =>
        Number(digit) <= matcher.groupCount() ? (matcher.group(Number(digit)) ?? '') : '',
      );
    last = end;
    from = isReplaced ? end : end + 1;
    wasEmpty = !isReplaced;
    if (source.startsWith('^')) return out + text.slice(from);
  }
  return out;
}

function quoted(character: string): string {
  return character.replaceAll(SPECIAL, '\\$&');
}
