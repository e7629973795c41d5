/** What is searched for: text or a regular expression, in time that grows with the length of what is searched. */
import type { RE2JS } from 're2js';
import { re2 } from '../events/re2.js';
import { T4aError, quote } from '../protocol/errors.js';

export interface Pattern {
  /** Whether the line holds a match: cheaper than finding it. */
  test(line: string): boolean;
  /** False only when no line of the text, each ended by a line feed, holds a match. */
  mayMatchIn(lines: string): boolean;
  /** All matches, from left to right, without empty ones; at most `most`. */
  matches(line: string, most: number): { start: number; end: number }[];
}

export interface PatternOptions {
  readonly text: string;
  readonly fixed: boolean;
  readonly ignoreCase: boolean;
  /** Of the request, for errors. */
  readonly field: string;
}

/** Instructions of a compiled pattern: matching takes time in proportion to them. */
const MAX_PROGRAM_SIZE = 2000;

/** @throws T4aError bad_regex */
export function compilePattern(options: PatternOptions): Pattern {
  return options.fixed && !options.ignoreCase ? fixedPattern(options.text) : regexPattern(options);
}

function fixedPattern(text: string): Pattern {
  return {
    test: (line) => line.includes(text),
    mayMatchIn: (lines) => lines.includes(text),
    matches(line, most) {
      const found: { start: number; end: number }[] = [];
      for (let at = line.indexOf(text); at !== -1 && found.length < most; at = line.indexOf(text, at + text.length)) {
        found.push({ start: at, end: at + text.length });
      }
      return found;
    },
  };
}

function regexPattern(options: PatternOptions): Pattern {
  const regex = compile(options, 0);
  const ofLines = isOfLines(options.text) ? compile(options, re2().MULTILINE) : undefined;
  return {
    test: (line) => regex.test(line),
    mayMatchIn: (lines) => ofLines?.test(lines) ?? true,
    matches(line, most) {
      const found: { start: number; end: number }[] = [];
      const matcher = regex.matcher(line);
      while (found.length < most && matcher.find()) {
        if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() });
      }
      return found;
    },
  };
}

/**
 * Whether what matches a line also matches it among others, given that `^` and `$` stand for the ends of lines there. Not
 * so for the ends of the whole text, nor where a flag within the pattern takes that meaning back.
 */
function isOfLines(pattern: string): boolean {
  return !/\\[AzZ]|\(\?[a-zA-Z-]*[:)]/u.test(pattern.replaceAll(/\\[^AzZ]|\(\?:/gu, ''));
}

function compile({ text, fixed, ignoreCase, field }: PatternOptions, flags: number): RE2JS {
  const refuse = (why: string): T4aError =>
    new T4aError('bad_regex', `"${field}" is ${quote(text)}: ${why}.`, {
      field,
      hint: 'RE2 syntax: no look-around, no back-references. https://github.com/google/re2/wiki/Syntax',
    });
  let regex: RE2JS;
  try {
    const { CASE_INSENSITIVE } = re2();
    regex = re2().compile(fixed ? re2().quote(text) : text, flags | (ignoreCase ? CASE_INSENSITIVE : 0));
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (regex.programSize() > MAX_PROGRAM_SIZE) throw refuse('too large when its repetitions are written out');
  return regex;
}

/** Exactly one of a text and a regular expression. @throws T4aError invalid_field, bad_regex */
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
