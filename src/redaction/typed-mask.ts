/** Masks secrets in what is typed, in whatever pieces it comes. A line is held back until its Enter: half a secret is not let out. */
import type { MatchSpan } from '../search/regex.js';
import { HeldPieces } from './held-pieces.js';
import { type LineSecrets, MASK, merged, type SecretFinder } from './redactor.js';
import { MAX_SEARCHED_LENGTH, MAX_SECRET_LENGTH } from './stream-mask.js';
import { erases, type TypedCell, TypedLine } from './typed-line.js';

export class TypedMask<Tag> {
  readonly #redactor: SecretFinder;
  readonly #secrets: LineSecrets;
  readonly #pieces: HeldPieces<Tag>;
  /** The beginning of a key, whose rest has not come. */
  #pending = '';
  #line = new TypedLine();
  /** The last key has. */
  #erases = false;
  #count = 0;

  /** @param release gets all pieces in their order, each once */
  constructor(redactor: SecretFinder, release: (text: string, tag: Tag) => void) {
    this.#redactor = redactor;
    this.#secrets = redactor.lines();
    this.#pieces = new HeldPieces(release);
  }

  /** Secrets that were masked so far. */
  get count(): number {
    return this.#count;
  }

  write(text: string, tag: Tag): void {
    const input = this.#pending + text;
    let at = this.#pieces.end - this.#pending.length;
    this.#pieces.push(text, tag);
    this.#pending = BEGUN.exec(input)?.[0] ?? '';
    for (const [key] of input.slice(0, input.length - this.#pending.length).matchAll(KEY)) {
      this.#take(key, at);
      at += key.length;
    }
    if (this.#line.typed.length === 0) this.#pieces.release(at);
    else if (this.#line.typed.length > MAX_SEARCHED_LENGTH) this.#letBeginning();
  }

  /** Releases all. The program goes on: the last word may be half a secret, and is masked. */
  flush(): void {
    this.#search(true);
    this.#pieces.release(this.#pieces.end - this.#pending.length);
  }

  /** Releases all. @param isCut the last word may be half a secret, and is masked */
  end(isCut = false): void {
    this.#search(isCut);
    this.#line = new TypedLine();
    this.#pending = '';
    this.#pieces.release(this.#pieces.end);
  }

  #take(key: string, at: number): void {
    if (ENDS_LINE.test(key)) {
      this.#search(false);
      this.#line = new TypedLine();
      this.#pieces.release(at + key.length);
      return;
    }
    const hasErased = this.#erases;
    this.#erases = erases(key);
    // What was whole before is a secret, whatever takes its place.
    if (this.#erases && !hasErased) this.#search(false, true);
    if (CONTROL.test(key)) this.#line.edit(key);
    else this.#line.insert(key === '\t' ? ' ' : key, at);
  }

  /** Lets the beginning of a line go that does not end. */
  #letBeginning(): void {
    this.#search(false, true);
    const place = this.#line.typed.at(-MAX_SECRET_LENGTH)?.at ?? 0;
    this.#line.forget(place);
    this.#pieces.release(place);
  }

  #search(isCut: boolean, isPart = isCut): void {
    const { edited, typed } = this.#line;
    const [text, order] = [textOf(edited), textOf(typed)];
    const spansIn = (words: string): readonly MatchSpan[] => this.#redactor.spansIn(words);
    const half = (words: string): MatchSpan[] => {
      const word = isCut ? LAST_WORD.exec(words) : null;
      return word === null ? [] : [{ start: word.index, end: word.index + word[0].length }];
    };
    const isOfKey = this.#secrets.isOpen;
    const found = (words: string): readonly MatchSpan[] =>
      isOfKey ? [{ start: 0, end: words.length }] : spansIn(words);
    // A line counts once among those of a key.
    const spans = isPart ? found(text) : this.#secrets.next(text);
    this.#mask(edited, merged([...spans, ...half(text)]));
    if (order !== text) this.#mask(typed, merged([...found(order), ...half(order)]));
  }

  /** @param spans in order */
  #mask(cells: readonly TypedCell[], spans: readonly MatchSpan[]): void {
    let next = 0;
    let at = 0;
    let isNew = true;
    for (const cell of cells) {
      const after = at + cell.text.length;
      for (; (spans[next]?.end ?? Infinity) <= at; next++) isNew = true;
      if (after > (spans[next]?.start ?? Infinity)) {
        if (cell.isMasked) isNew = false;
        else this.#maskCell(cell);
        if (isNew) this.#count++;
        isNew = false;
      }
      at = after;
    }
  }

  #maskCell(cell: TypedCell): void {
    cell.isMasked = true;
    this.#pieces.edit(cell.at, cell.at + cell.text.length, MASK);
    for (const { at, length } of cell.marks) this.#pieces.edit(at, at + length, '');
  }
}

function textOf(cells: readonly TypedCell[]): string {
  return cells.map(({ text }) => text).join('');
}

/* oxlint-disable no-control-regex */
/** Sequences of keys, else characters. Escape by itself is a key, too. */
const KEY = /\x1b\[[0-?]*[ -/]*[@-~]|\x1bO[A-Za-z]|[^]/gu;
const BEGUN = /(?:\x1b(?:\[[0-?]*[ -/]*|O)?|[\ud800-\udbff])$/;
const CONTROL = /^(?!\t)[\x00-\x1f\x7f]/;
/** Ctrl+C leaves the line. */
const ENDS_LINE = /^[\r\n\x03]$/;
const LAST_WORD = /\S{4,}$/;
/* oxlint-enable no-control-regex */
