/** Patterns of fnmatch: `*`, `?`, `[a-z]`, `[!a]`, and `\` before what stands for itself. Matched in linear time. */
import { RE2JS } from 're2js';

export function wildcard(pattern: string, ignoresCase = false): { test(text: string): boolean } {
  let source = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '*') source += '.*';
    else if (character === '?') source += '.';
    else if (character === '\\' && at + 1 < pattern.length) source += RE2JS.quote(pattern[(at += 1)] ?? '');
    else if (character === '[') {
      const set = /^\[(!|\^)?(\]?[^\]]*)\]/.exec(pattern.slice(at));
      if (set === null) {
        source += '\\[';
      } else {
        source += `[${set[1] === undefined ? '' : '^'}${(set[2] ?? '').replaceAll(/[\\[\]^]/g, '\\$&')}]`;
        at += set[0].length - 1;
      }
    } else source += RE2JS.quote(character);
  }
  return expression(`^(?:${source})$`, ignoresCase) ?? { test: () => false };
}

/** @returns undefined if it is no pattern */
export function expression(source: string, ignoresCase = false): { test(text: string): boolean } | undefined {
  try {
    const compiled = RE2JS.compile(source, RE2JS.DOTALL | (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0));
    return { test: (text) => compiled.matcher(text).find() };
  } catch {
    return undefined;
  }
}

/** As `s/pattern/replacement/` of a format, all places. `\1` stands for a group. */
export function substituted(text: string, source: string, replacement: string, ignoresCase: boolean): string {
  try {
    const compiled = RE2JS.compile(source, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    const matcher = compiled.matcher(text);
    let [out, from] = ['', 0];
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (end === start) break;
      const group = (_: string, digit: string): string =>
        digit === '0' || Number(digit) <= matcher.groupCount() ? (matcher.group(Number(digit)) ?? '') : '';
      out += text.slice(from, start) + replacement.replaceAll(/\\(\d)/g, group);
      from = end;
      if (source.startsWith('^')) break;
    }
    return out + text.slice(from);
  } catch {
    return text;
  }
}
