/**
 * A pattern of a rule: RE2 syntax, so its time is linear. Smaller than patterns of requests: every line of output meets all
 * patterns of all rules, without a pause within one of them.
 */
import type { Matcher, RE2JS } from 're2js';
import { re2 } from '../search/re2.js';
import { writtenSize } from '../search/written-size.js';

export type Captures = Readonly<Record<string, string>>;

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  /** Named groups that took part. */
  readonly captures: Captures;
}

/** Instructions: times {@link MAX_LINE_LENGTH} some 20 ms for the worst pattern on the worst line. */
const MAX_PROGRAM_SIZE = 500;
const MAX_WRITTEN_SIZE = 10 * MAX_PROGRAM_SIZE;

/** Characters of a line that rules see. */
export const MAX_LINE_LENGTH = 1000;

/** Matches of one pattern in one text. */
const MAX_MATCHES = 100;

export class Pattern {
  readonly source: string;
  readonly names: readonly string[];
  readonly #regex: RE2JS;

  /** @throws Error whose message says what is wrong with the source */
  constructor(source: string) {
    this.source = source;
    if (writtenSize(source) > MAX_WRITTEN_SIZE) throw new Error(TOO_LARGE);
    this.#regex = re2().compile(source);
    if (this.#regex.programSize() > MAX_PROGRAM_SIZE) throw new Error(TOO_LARGE);
    this.names = Object.keys(this.#regex.namedGroups());
  }

  /** Upper bound of the steps of a search in a text of this length. */
  stepsFor(length: number): number {
    return this.#regex.programSize() * length;
  }

  test(text: string): boolean {
    return this.#regex.test(text);
  }

  match(text: string): PatternMatch | undefined {
    // The test is several times as fast, and most lines do not match.
    if (!this.#regex.test(text)) return undefined;
    const matcher = this.#regex.matcher(text);
    return matcher.find() ? this.#taken(matcher) : undefined;
  }

  /** Matches from left to right, empty ones left out. */
  matches(text: string): PatternMatch[] {
    const matcher = this.#regex.matcher(text);
    const found: PatternMatch[] = [];
    while (found.length < MAX_MATCHES && matcher.find()) {
      if (matcher.end() > matcher.start()) found.push(this.#taken(matcher));
    }
    return found;
  }

  #taken(matcher: Matcher): PatternMatch {
    const captures: Record<string, string> = {};
    for (const name of this.names) {
      const value = matcher.group(name);
      if (value !== null) captures[name] = value;
    }
    return { start: matcher.start(), end: matcher.end(), captures };
  }
}

const TOO_LARGE = `the pattern is too large when its repetitions are written out (at most ${MAX_PROGRAM_SIZE} instructions)`;
