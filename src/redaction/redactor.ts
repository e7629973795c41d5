/**
 * Finds secrets in texts: by patterns of the owner, by the values of variables, and by the forms of well-known keys. A text is a line, with
 * all rows that it wraps over. It takes a time in proportion to the text, whatever the patterns.
 */
import type { MatchSpan } from '../search/regex.js';
import { compilePattern, type Pattern } from '../search/pattern.js';
import { Regex } from '../search/regex.js';
import { finish } from '../search/work.js';
import { KNOWN_SECRETS, MAX_PRIVATE_KEY_LINES, PRIVATE_KEY_BEGIN, PRIVATE_KEY_END } from './known-secrets.js';

export interface RedactSettings {
  readonly patterns: readonly string[];
  /** Names; `*` stands for any letters. */
  readonly variables: readonly string[];
  readonly known: boolean;
}

export type Variables = Readonly<Record<string, string | undefined>>;

/** Shorter values stand in all kinds of words: everything would be masked, and show where they are. */
export const MIN_VALUE_LENGTH = 4;

export const MASK = '*';

/** Finder of secrets in lines. */
export type SecretFinder = Pick<Redactor, 'spansIn' | 'lines' | 'firstIn' | 'mask'>;

export class Redactor {
  readonly #patterns: readonly Pattern[];
  /** Texts of which a text with a match contains at least one. Undefined: there is a pattern without such a text. */
  readonly #hints: RegExp | undefined;
  /** The same of output without its sequences. */
  readonly #rawHints: RegExp | undefined;
  readonly #known: boolean;

  /** @throws T4aError bad_regex */
  constructor({ patterns, variables, known }: RedactSettings, environments: readonly Variables[]) {
    const sources = [...patterns, ...(known ? KNOWN_SECRETS : [])];
    const values = valuesOf(variables, environments);
    const regexes = sources.map((text) => ({ text, fixed: false, ignoreCase: false, field: 'redact.patterns' }));
    this.#patterns = [
      ...values.map((text) => compilePattern({ text, fixed: true, ignoreCase: false, field: 'redact.variables' })),
      ...regexes.map(compilePattern),
    ];
    const required = regexes.map((source) => new Regex(source).requiredTexts);
    if (!required.includes(undefined)) {
      const whole = [...values, ...required.flatMap((texts) => texts ?? []), ...(known ? [PRIVATE_KEY] : [])];
      const hints = whole.map((text) => text.slice(0, MAX_HINT_LENGTH));
      this.#hints = new RegExp(anyOf(hints));
      this.#rawHints = new RegExp(anyOf(hints.map((text) => text.replaceAll(MOVES_NOTHING, ''))));
    }
    this.#known = known;
  }

  get isOff(): boolean {
    return this.#patterns.length === 0;
  }

  /** False only if no line of the text has a secret. */
  mayHold(text: string): boolean {
    return (this.#hints?.test(text) ?? true) || (isThin(text) && this.mayHold(withoutThin(text)));
  }

  /**
   * Place of the first secret in output with its sequences, of which none has begun before it; the length of the output if it has
   * none.
   */
  firstIn(output: string): number {
    if (this.#rawHints === undefined) return 0;
    const bare = output.replaceAll(MOVES_NOTHING, '').search(this.#rawHints);
    const places = [
      bare === -1 ? -1 : placeBehind(output, bare),
      output.search(NOT_PLAIN),
      ASCII.test(output) ? -1 : output.search(THIN_OUTPUT),
    ];
    return Math.min(output.length, ...places.filter((place) => place !== -1));
  }

  /** Secrets of one line, from left to right; neighbours and overlapping ones are one. Characters of no width cut none. */
  spansIn(line: string): readonly MatchSpan[] {
    const spans = this.#spansIn(line);
    if (!isThin(line)) return spans;
    const parts = Array.from(line.matchAll(NOT_THIN), ({ 0: text, index }) => ({ index, length: text.length }));
    const places = parts.flatMap(({ index, length }) => Array.from({ length }, (_, at) => index + at));
    const within = this.#spansIn(withoutThin(line)).map(({ start, end }) => ({
      start: places[start] ?? 0,
      end: (places[end - 1] ?? 0) + 1,
    }));
    return merged([...spans, ...within]);
  }

  #spansIn(line: string): readonly MatchSpan[] {
    if (line === '' || !this.mayHold(line)) return [];
    const found: MatchSpan[] = [];
    for (const pattern of this.#patterns) {
      // Most lines have no match, which is found out faster than where one is.
      if (!finish(pattern.test(line))) continue;
      finish(pattern.matches(line, (span) => found.push({ start: span.start, end: span.end }) > 0));
    }
    return merged(found);
  }

  /** Lines in their order, with what the ones before say about them. */
  lines(): LineSecrets {
    return this.linesOf(this);
  }

  /** The same, searched by another one. */
  linesOf(finder: Pick<SecretFinder, 'spansIn'>): LineSecrets {
    return new LineSecrets(finder, this.#known);
  }

  mask(text: string): MaskedText {
    return maskLines(text, this.lines());
  }
}

export interface MaskedText {
  readonly text: string;
  /** Secrets. */
  readonly count: number;
}

/** Several lines. @returns the text with {@link MASK} for each character of a secret */
export function maskLines(text: string, lines: LineSecrets): MaskedText {
  let count = 0;
  const masked = text.split('\n').map((line) => {
    const spans = lines.next(line);
    count += spans.length;
    return withMasks(line, spans);
  });
  return { text: count === 0 ? text : masked.join('\n'), count };
}

/** Keys over several lines. */
export class LineSecrets {
  readonly #finder: Pick<SecretFinder, 'spansIn'>;
  readonly #known: boolean;
  /** Lines that may still be of a key. */
  #left = 0;

  constructor(finder: Pick<SecretFinder, 'spansIn'>, known: boolean) {
    this.#finder = finder;
    this.#known = known;
  }

  /** Within a key. */
  get isOpen(): boolean {
    return this.#left > 0;
  }

  next(line: string): readonly MatchSpan[] {
    if (this.#left > 0) {
      this.#left--;
      const end = PRIVATE_KEY_END.exec(line);
      if (end !== null) this.#left = 0;
      const length = end?.index ?? line.length;
      return length === 0 ? [] : [{ start: 0, end: length }];
    }
    const spans = this.#finder.spansIn(line);
    if (this.#known && PRIVATE_KEY_BEGIN.test(line) && !PRIVATE_KEY_END.test(line)) this.#left = MAX_PRIVATE_KEY_LINES;
    return spans;
  }
}

/** The beginning of a long text is as good as the whole. */
const MAX_HINT_LENGTH = 32;

const PRIVATE_KEY = 'PRIVATE KEY';

/** Sequences and controls that may stand between two characters: they move nothing or much, or end rows. */
// oxlint-disable-next-line no-control-regex
const MOVES_NOTHING = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[ -/]*[0-Z\\\x60-jl-~]|[\x00-\x1a\x1c-\x1f\x7f]/g;
/** Strings, which may hold secrets and stand within one, and a character that is repeated. */
// oxlint-disable-next-line no-control-regex
const NOT_PLAIN = /\x1b[\]PX^_k]|\x1b\[\d*b|[\x80-\x9f]/;

/** Characters of no width: marks, joiners and other signs of format, and controls. */
const THIN = /(?!\t)[\p{Cf}\p{Mn}\p{Me}\p{Cc}]/gu;
const THIN_OUTPUT = /[\p{Cf}\p{Mn}\p{Me}]/u;
const NOT_THIN = /[^\p{Cf}\p{Mn}\p{Me}\p{Cc}]+|\t/gu;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\t\r\n\x1b\x20-\x7e]*$/;

function isThin(text: string): boolean {
  return !ASCII.test(text) && text.search(THIN) !== -1;
}

function withoutThin(text: string): string {
  return text.replaceAll(THIN, '');
}

function withMasks(line: string, spans: readonly MatchSpan[]): string {
  let text = '';
  let at = 0;
  for (const { start, end } of spans) {
    text += line.slice(at, start) + MASK.repeat(end - start);
    at = end;
  }
  return text + line.slice(at);
}

export function merged(spans: readonly MatchSpan[]): MatchSpan[] {
  const all: { start: number; end: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else all.push({ ...span });
  }
  return all;
}

/** Each line of a value for itself, since a line is searched at a time. */
function valuesOf(names: readonly string[], environments: readonly Variables[]): string[] {
  if (names.length === 0) return [];
  const meant = namesPattern(names);
  const values = environments.flatMap((environment) =>
    Object.entries(environment).flatMap(([name, value = '']) => (meant.test(name) ? value.split(/[\r\n]+/) : [])),
  );
  return [...new Set(values)].filter((value) => value.length >= MIN_VALUE_LENGTH);
}

/** `*` stands for any letters. */
export function namesPattern(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map((name) => name.split('*').map(escaped).join('.*')).join('|')})$`, 's');
}

/** A pattern of any of the texts, in which common beginnings stand once. */
function anyOf(texts: readonly string[]): string {
  if (texts.includes('')) return '';
  const all = Array.from(new Set(texts.map(([first = '']) => first)), (first) => {
    const rests = texts.filter((text) => text.startsWith(first)).map((text) => text.slice(first.length));
    return escaped(first) + anyOf(rests);
  });
  return `(?:${all.join('|')})`;
}

/** The place in the output of a character that stands at `bare` without sequences. */
function placeBehind(output: string, bare: number): number {
  let place = bare;
  for (const { index, 0: sequence } of output.matchAll(MOVES_NOTHING)) {
    if (index > place) break;
    place += sequence.length;
  }
  return place;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
