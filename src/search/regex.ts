/**
 * A regular expression (RE2 syntax) that cannot block the daemon. A search takes the size of the pattern times the
 * length of the text, so long ones pause regularly. Short texts, nearly all, are left to RE2JS.
 */
import type { RE2JS } from 're2js';
import { T4aError, quote } from '../protocol/errors.js';
import { re2 } from './re2.js';
import { internalsOf, type Prefilter, type RawRegex } from './regex-internals.js';
import { firstEndInPieces, testInPieces } from './regex-states.js';
import { matchesInPieces, type MatchSpan } from './regex-threads.js';
import { indexOfText } from './text-work.js';
import { STEPS_A_PIECE, type Work } from './work.js';
import { writtenSize } from './written-size.js';

export type { MatchSpan };

export interface RegexSource {
  readonly text: string;
  /** The pattern is literal text. */
  readonly fixed?: boolean;
  readonly ignoreCase?: boolean;
  /** `^` and `$` match at line ends. */
  readonly multiline?: boolean;
  /** Field of the request, for errors. */
  readonly field: string;
}

/** Instructions of a compiled pattern: matching takes time in proportion to them. */
const MAX_PROGRAM_SIZE = 2000;
/**
 * Larger patterns are not compiled. Far more than the other bound, since common parts of alternatives are compiled
 * once.
 */
const MAX_WRITTEN_SIZE = 10 * MAX_PROGRAM_SIZE;
/** Bound of pattern size times text length for a search in one go: 1 to 2 ms with the worst patterns. */
const MAX_STEPS_AT_ONCE = 2 * STEPS_A_PIECE;
/**
 * Sets of states sort characters into classes; with more ranges than this, preparing that takes more than a
 * millisecond.
 */
const MAX_RANGES_FOR_SETS = 2000;

export class Regex {
  readonly #regex: RE2JS;
  readonly #raw: RawRegex;
  readonly #size: number;
  readonly #usesSets: boolean;

  /** @throws T4aError bad_regex */
  constructor(source: RegexSource) {
    this.#regex = compile(source);
    this.#raw = internalsOf(this.#regex);
    this.#size = this.#regex.programSize();
    const ranges = this.#raw.prog.inst.reduce((sum, { runes }) => sum + runes.length / 2, 0);
    this.#usesSets = ranges <= MAX_RANGES_FOR_SETS;
  }

  /** Texts of which every match contains at least one; undefined if none is known that is worth looking for. */
  get requiredTexts(): readonly string[] | undefined {
    return requiredTexts(this.#raw.prefilter);
  }

  /** Upper bound of the steps of a search in a text of this length. */
  stepsFor(length: number): number {
    return this.#size * length;
  }

  *test(text: string): Work<boolean> {
    if (this.#isShort(text)) return this.#usesSets ? this.#regex.test(text) : this.#regex.matcher(text).find();
    if (!(yield* mayHold(this.#raw.prefilter, text))) return false;
    const found = this.#usesSets ? yield* testInPieces(this.#raw, text) : undefined;
    return found ?? (yield* this.#findsAny(text));
  }

  /**
   * Skips ahead: no match after `from`, a line's start, ends before the returned place; `from` itself if nothing is
   * known.
   * @returns -1 if there is no match
   */
  *passOver(text: string, from: number): Work<number> {
    if (!this.#usesSets) return from;
    // Once for a text: a text that is missing from all of it is missing from its rest.
    if (from === 0 && !(yield* mayHold(this.#raw.prefilter, text))) return -1;
    return (yield* firstEndInPieces(this.#raw, text, from)) ?? from;
  }

  /**
   * All matches from left to right, empty ones included, until `take` returns false. Each begins at the earliest at the
   * end of the previous one, or a character later if that was empty.
   */
  *matches(text: string, take: (match: MatchSpan) => boolean): Work<void> {
    if (this.#isShort(text)) yield* this.#matchesAtOnce(text, take);
    else if (yield* mayHold(this.#raw.prefilter, text)) yield* matchesInPieces(this.#raw, text, take);
  }

  /** Finds each match in one go; there may be many matches. */
  *#matchesAtOnce(text: string, take: (match: MatchSpan) => boolean): Work<void> {
    const matcher = this.#regex.matcher(text);
    let steps = 0;
    while (matcher.find() && take({ start: matcher.start(), end: matcher.end() })) {
      steps += this.#size * text.length;
      if (steps < STEPS_A_PIECE) continue;
      yield steps;
      steps = 0;
    }
  }

  *#findsAny(text: string): Work<boolean> {
    let found = false;
    yield* matchesInPieces(this.#raw, text, () => {
      found = true;
      return false;
    });
    return found;
  }

  #isShort(text: string): boolean {
    return this.stepsFor(text.length) <= MAX_STEPS_AT_ONCE;
  }
}

/** Returns false only if a text that every match contains is missing. */
function* mayHold(filter: Prefilter | null, text: string): Work<boolean> {
  switch (filter?.type) {
    case 1:
      return (yield* indexOfText(text, filter.str, 0)) !== -1;
    case 2:
      for (const sub of filter.subs) if (!(yield* mayHold(sub, text))) return false;
      return true;
    case 3:
      if (filter.subs.length > MAX_ALTERNATIVES) return true;
      for (const sub of filter.subs) if (yield* mayHold(sub, text)) return true;
      return false;
    default:
      return true;
  }
}

function shortest(texts: readonly string[]): number {
  return Math.min(...texts.map(({ length }) => length));
}

function requiredTexts(filter: Prefilter | null): readonly string[] | undefined {
  switch (filter?.type) {
    case 1:
      return filter.str === '' ? undefined : [filter.str];
    case 2: {
      const all = filter.subs.map(requiredTexts).filter((texts) => texts !== undefined);
      return all.toSorted((a, b) => shortest(b) - shortest(a))[0];
    }
    case 3: {
      const all = filter.subs.map(requiredTexts);
      return all.length > MAX_ALTERNATIVES || all.includes(undefined) ? undefined : all.flatMap((texts) => texts ?? []);
    }
    default:
      return undefined;
  }
}

/** Most alternatives of the filter. With more it takes longer than the search. */
const MAX_ALTERNATIVES = 8;

function compile({ text, fixed, ignoreCase, multiline, field }: RegexSource): RE2JS {
  const refuse = (why: string): T4aError =>
    new T4aError('bad_regex', `"${field}" is ${quote(text)}: ${why}.`, {
      field,
      hint: 'RE2 syntax: no look-around, no back-references. https://github.com/google/re2/wiki/Syntax',
    });
  const tooLarge = 'too large when its repetitions are written out';
  if (fixed !== true && writtenSize(text) > MAX_WRITTEN_SIZE) throw refuse(tooLarge);
  const { CASE_INSENSITIVE, MULTILINE } = re2();
  const flags = (ignoreCase === true ? CASE_INSENSITIVE : 0) | (multiline === true ? MULTILINE : 0);
  let regex: RE2JS;
  try {
    regex = re2().compile(fixed === true ? re2().quote(text) : text, flags);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (regex.programSize() > MAX_PROGRAM_SIZE) throw refuse(tooLarge);
  return regex;
}
