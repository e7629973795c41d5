/** A search pattern: text or a regular expression. Neither can block the daemon, whatever the pattern and the text. */
import { Regex, type MatchSpan } from './regex.js';
import { indexOfText } from './text-work.js';
import type { Work } from './work.js';
import { T4aError } from '../protocol/errors.js';

export interface Pattern {
  /** Whether the line holds a match: cheaper than finding it. */
  test(line: string): Work<boolean>;
  /**
   * Skips lines without a match in a text of lines, each ended by a line feed. Returns a place such that no line
   * between `from`, the start of a line, and the line of that place holds a match; -1 if no later line does.
   */
  passOver(lines: string, from: number): Work<number>;
  /** Passes all matches to `take`, from left to right and without empty ones, until it returns false. */
  matches(line: string, take: (match: MatchSpan) => boolean): Work<void>;
}

export interface PatternOptions {
  readonly text: string;
  readonly fixed: boolean;
  readonly ignoreCase: boolean;
  /** Field of the request, for errors. */
  readonly field: string;
}

/** @throws T4aError bad_regex */
export function compilePattern(options: PatternOptions): Pattern {
  return options.fixed && !options.ignoreCase ? new FixedPattern(options.text) : new RegexPattern(options);
}

class FixedPattern implements Pattern {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  *test(line: string): Work<boolean> {
    return (yield* indexOfText(line, this.#text, 0)) !== -1;
  }

  passOver(lines: string, from: number): Work<number> {
    return indexOfText(lines, this.#text, from);
  }

  *matches(line: string, take: (match: MatchSpan) => boolean): Work<void> {
    const text = this.#text;
    let start = yield* indexOfText(line, text, 0);
    while (start !== -1 && take({ start, end: start + text.length })) {
      yield text.length;
      start = yield* indexOfText(line, text, start + text.length);
    }
  }
}

class RegexPattern implements Pattern {
  readonly #options: PatternOptions;
  readonly #regex: Regex;
  /** The pattern for many lines at once, if there is one; compiled on first use. */
  #ofLines: Regex | undefined;

  constructor(options: PatternOptions) {
    this.#options = options;
    this.#regex = new Regex(options);
  }

  test(line: string): Work<boolean> {
    return this.#regex.test(line);
  }

  *passOver(lines: string, from: number): Work<number> {
    if (!isOfLines(this.#options.text)) return from;
    this.#ofLines ??= new Regex({ ...this.#options, multiline: true });
    return yield* this.#ofLines.passOver(lines, from);
  }

  matches(line: string, take: (match: MatchSpan) => boolean): Work<void> {
    return this.#regex.matches(line, (match) => match.end === match.start || take(match));
  }
}

/**
 * Whether a match in a single line is also found when many lines are searched at once, with `^` and `$` at line ends.
 * Not so for anchors of the whole text, nor if a flag within the pattern changes that meaning.
 */
function isOfLines(pattern: string): boolean {
  return !/\\[AzZ]|\(\?[a-zA-Z-]*[:)]/u.test(pattern.replaceAll(/\\[^AzZ]|\(\?:/gu, ''));
}

/** Requires exactly one of a text and a regular expression. @throws T4aError invalid_field, bad_regex */
export function compileSearch(
  names: { readonly text: string; readonly regex: string },
  given: { readonly text: string | undefined; readonly regex: string | undefined },
  ignoreCase: boolean,
): Pattern {
  if ((given.text === undefined) === (given.regex === undefined)) {
    throw new T4aError('invalid_field', `Exactly one of "${names.text}" and "${names.regex}" is needed.`, {
      field: names.text,
      hint: `For example "${names.text}": "OK".`,
    });
  }
  return given.text === undefined
    ? compilePattern({ text: given.regex ?? '', fixed: false, ignoreCase, field: names.regex })
    : compilePattern({ text: given.text, fixed: true, ignoreCase, field: names.text });
}
