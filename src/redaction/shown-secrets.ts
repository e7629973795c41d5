/**
 * Finds secrets in parts of what a screen shows: a match, a half of a line, a line of a key. What is secret is found on the screen, where it
 * stands whole, and searched for by its text; also its beginning at the end of a line, and its end at the beginning of one.
 */
import type { MatchSpan } from '../search/regex.js';
import {
  type LineSecrets,
  maskLines,
  type MaskedText,
  merged,
  MIN_VALUE_LENGTH,
  type Redactor,
  type SecretFinder,
} from './redactor.js';

export class ShownSecrets implements SecretFinder {
  readonly #redactor: Redactor;
  readonly #shown: readonly string[];

  /** @param shown secrets of the screen */
  constructor(redactor: Redactor, shown: readonly string[]) {
    this.#redactor = redactor;
    const texts = shown.map((text) => text.trim()).filter((text) => text.length >= MIN_VALUE_LENGTH);
    this.#shown = [...new Set(texts)];
  }

  firstIn(output: string): number {
    return this.#shown.length > 0 || output.search(MARK) !== -1 ? 0 : this.#redactor.firstIn(output);
  }

  lines(): LineSecrets {
    return this.#redactor.linesOf(this);
  }

  mask(text: string): MaskedText {
    return maskLines(text, this.lines());
  }

  /** Marks of a selection cut no secret. */
  spansIn(line: string): readonly MatchSpan[] {
    if (line.search(MARK) === -1) return this.#spansIn(line);
    const places = Array.from(line.matchAll(NO_MARK), ({ index }) => index);
    const spans = this.#spansIn(line.replaceAll(MARK, ''));
    // One for each part that a mark ends.
    return merged(
      spans.flatMap(({ start, end }) => places.slice(start, end).map((at) => ({ start: at, end: at + 1 }))),
    );
  }

  #spansIn(line: string): readonly MatchSpan[] {
    const spans = [...this.#redactor.spansIn(line)];
    const begun = line.length - line.trimStart().length;
    const ended = line.trimEnd().length;
    for (const secret of this.#shown) {
      for (let at = line.indexOf(secret); at !== -1; at = line.indexOf(secret, at + secret.length))
        spans.push({ start: at, end: at + secret.length });
      spans.push(...partsIn(line, secret, { start: begun, end: ended }));
    }
    return merged(spans);
  }
}

/** The whole text within the secret; else the secret's end at its beginning, and its beginning at its end. */
function partsIn(line: string, secret: string, { start, end }: MatchSpan): MatchSpan[] {
  const text = line.slice(start, end);
  if (text.length < MIN_VALUE_LENGTH) return [];
  if (secret.includes(text)) return [{ start, end }];
  const spans: MatchSpan[] = [];
  const longest = Math.min(text.length, secret.length) - 1;
  const tail = lengthOf(longest, (length) => text.startsWith(secret.slice(-length)));
  const head = lengthOf(longest, (length) => text.endsWith(secret.slice(0, length)));
  if (tail > 0) spans.push({ start, end: start + tail });
  if (head > 0) spans.push({ start: end - head, end });
  return spans;
}

/** The longest that is so, or 0. */
function lengthOf(longest: number, isSo: (length: number) => boolean): number {
  for (let length = longest; length >= MIN_VALUE_LENGTH; length--) if (isSo(length)) return length;
  return 0;
}

const MARK = /[\u27e6\u27e7]/g;
const NO_MARK = /[^\u27e6\u27e7]/g;
