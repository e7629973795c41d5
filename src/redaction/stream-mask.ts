/**
 * Masks secrets in the output of a program, in whatever pieces it comes. What is plain is let through; all else is drawn on a screen, whose
 * lines are searched: so a secret may be cut by sequences and by the ends of full rows, and may be drawn in any order. Control strings (titles,
 * links) are searched for themselves. Each character of a secret becomes {@link MASK}, once for each of its columns, so that what follows
 * stands where it stood.
 *
 * A line is held back until its end has come: half a secret is not let out. Behind a movement to another row, so is a bounded length of text.
 */
import { secretsOfString } from './control-string.js';
import type { MatchSpan } from '../search/regex.js';
import type { DrawnCell } from './drawn-row.js';
import { DrawnScreen } from './drawn-screen.js';
import { HeldPieces } from './held-pieces.js';
import { type TokenKind, tokenAt } from './output-token.js';
import { closingLines, isPlainTail, plainLength } from './plain-lines.js';
import { type LineSecrets, MASK, merged, type SecretFinder } from './redactor.js';

/** Characters of a line that does not end which are searched at once. */
export const MAX_SEARCHED_LENGTH = 8192;
/** The longest secret that is found wherever a longer line is cut. */
export const MAX_SECRET_LENGTH = 2048;
/** Longer control strings are left out: the terminal takes none of them either. */
const MAX_STRING_LENGTH = 64 * 1024;

/** Characters of output that moves to other rows which are held back: what is drawn in another order becomes whole in them. */
export const MAX_DRAWN_LENGTH = 8192;
/** Bound of what is held, with all of its sequences. */
const MAX_HELD_LENGTH = 4 * 1024 * 1024;
const DEFAULT_ROWS = 24;
/** Length of output that is looked at first. After a line that is not plain, at most so much is looked at again. */
const MIN_PLAIN_LENGTH = 512;

/** Between two tokens. */
interface Mark {
  readonly at: number;
  /** Characters of text before it. */
  readonly printed: number;
}

export interface StreamMaskOptions {
  readonly rows?: number | undefined;
  /** Default: {@link MAX_DRAWN_LENGTH}. */
  readonly drawnLength?: number | undefined;
}

export class StreamMask<Tag> {
  readonly #redactor: SecretFinder;
  readonly #secrets: LineSecrets;
  readonly #pieces: HeldPieces<Tag>;
  readonly #screen: DrawnScreen;
  readonly #drawnLength: number;
  /** All places are counted from the beginning of the stream. */
  /** Output before this place may be let go of. */
  #safe = 0;
  #parsed = 0;
  #pending = '';
  #printed = 0;
  #marks: Mark[] = [];
  #count = 0;
  /** Behind the last line that has ended. */
  #line: Mark = { at: 0, printed: 0 };
  /** Characters before the last movement to another row. */
  #movedAt = -Infinity;
  #forgotten = 0;
  /** Within a control string that is left out. */
  #skips = false;
  /** Lines that the screen has not drawn yet: they have nothing to mask. */
  #plain = '';

  /** @param release gets all pieces in their order, each once */
  constructor(
    redactor: SecretFinder,
    cols: number,
    release: (text: string, tag: Tag) => void,
    { rows = DEFAULT_ROWS, drawnLength = MAX_DRAWN_LENGTH }: StreamMaskOptions = {},
  ) {
    this.#redactor = redactor;
    this.#secrets = redactor.lines();
    this.#pieces = new HeldPieces(release);
    this.#drawnLength = drawnLength;
    this.#screen = new DrawnScreen(cols, rows, (cells) => this.#searchCells(cells, (text) => this.#spansIn(text)));
  }

  /** Secrets that were masked so far. */
  get count(): number {
    return this.#count;
  }

  write(text: string, tag: Tag): void {
    this.#pieces.push(text, tag);
    this.#pending += text;
    if (text === '') {
      if (this.#pieces.start === this.#parsed && this.#pending === '') this.#let(this.#pieces.start);
      return;
    }
    this.#parseLines();
    if (this.#safe > this.#pieces.start) this.#let(this.#safe);
  }

  /** Lays out what is held anew, and ends it here. */
  resize(cols: number, rows = this.#screen.size.rows): void {
    this.end();
    this.#screen.resize(cols, rows);
  }

  /** Releases all but a sequence whose end has not come. The program goes on: the last word may be half a secret, and is masked. */
  flush(): void {
    this.#parse(false);
    this.#finishLine(true);
    this.#screen.rows.searchChanged();
    if (this.#parsed > this.#pieces.start) this.#let(this.#parsed);
    this.#line = { at: this.#parsed, printed: this.#printed };
  }

  /** Releases all. Further output begins a line. @param isCut the program goes on: the last word may be half a secret, and is masked */
  end(isCut = false): void {
    this.#parse(true);
    this.#finishLine(isCut);
    this.#screen.rows.searchChanged();
    this.#skips = false;
    this.#let(this.#pieces.end);
    this.#line = { at: this.#pieces.end, printed: this.#printed };
  }

  /** Plain lines are passed over. A line that is not is drawn alone, unless the program draws in another order. */
  #parseLines(): void {
    for (;;) {
      this.#passPlainLines();
      if (this.#isPlain && isPlainTail(this.#pending)) return;
      const line = this.#hasMoved ? 0 : this.#pending.indexOf('\n') + 1;
      const before = this.#parsed;
      this.#parse(false, line === 0 ? Infinity : line);
      this.#findSafe();
      if (line === 0 || this.#parsed === before || this.#pending === '') return;
    }
  }

  /** Plain lines end surely where they seem to, are drawn in their order, and have no secret. */
  #passPlainLines(): void {
    let passed = 0;
    let most = MIN_PLAIN_LENGTH;
    while (this.#isPlain) {
      const end = Math.max(passed + most, this.#pending.indexOf('\n', passed) + 1);
      const length = plainLength(this.#pending.slice(passed, end), this.#screen.size.cols, this.#redactor);
      if (length === 0) break;
      passed += length;
      most = length < most / 2 ? MIN_PLAIN_LENGTH : Math.min(2 * most, MAX_SEARCHED_LENGTH);
    }
    if (passed > 0)
      this.#pass(passed, closingLines(this.#plain + this.#pending.slice(0, passed), this.#screen.size.rows + 1));
    this.#passPlainRows();
  }

  /** Passes whole rows without a secret of a line that does not end. What follows begins a row, too. */
  #passPlainRows(): void {
    const { cols, rows } = this.#screen.size;
    const text = this.#isPlain ? (PLAIN_TEXT.exec(this.#pending)?.[0] ?? '') : '';
    if (text.length <= MAX_SEARCHED_LENGTH) return;
    const clear = (this.#redactor.spansIn(text)[0]?.start ?? text.length) - MAX_SECRET_LENGTH;
    const passed = clear - (clear % cols);
    if (passed <= 0) return;
    const all = this.#plain + text.slice(0, passed);
    const shown = all.slice(-cols * (rows + 1));
    this.#pass(passed, shown.includes('\n') ? all : shown);
  }

  /** @param plain what the screen shows of it */
  #pass(length: number, plain: string): void {
    this.#plain = plain;
    this.#pending = this.#pending.slice(length);
    this.#parsed += length;
    this.#safe = this.#parsed;
    this.#line = { at: this.#parsed, printed: this.#printed };
  }

  /** A line begins, and nothing before it is held back. */
  get #isPlain(): boolean {
    return this.#safe === this.#parsed && this.#screen.isAtStart && !this.#skips && !this.#secrets.isOpen;
  }

  /** The program has moved to another row a short time ago. */
  get #hasMoved(): boolean {
    return this.#printed - this.#movedAt < this.#drawnLength;
  }

  /** @param least characters that are drawn, with the rest of the token at their end */
  #parse(isEnd: boolean, least = Infinity): void {
    if (this.#pending === '') return;
    if (this.#plain !== '') {
      const before = this.#plain;
      this.#plain = '';
      this.#draw(before, { place: -1, isEnd: true, least: Infinity });
    }
    const length = this.#draw(this.#pending, { place: this.#parsed, isEnd, least });
    this.#pending = this.#pending.slice(length);
    this.#parsed += length;
  }

  /** @param place of the text; -1 if it is released @returns how much of it was drawn */
  #draw(raw: string, { place, isEnd, least }: { place: number; isEnd: boolean; least: number }): number {
    let at = 0;
    while (at < Math.min(raw.length, least)) {
      if (this.#skips) {
        at = this.#skip(raw, at, place);
        this.#line = { at: place + at, printed: this.#printed };
        if (at === raw.length) break;
      }
      const token = tokenAt(raw, at, isEnd);
      if (token === undefined) {
        if (raw.length - at <= MAX_STRING_LENGTH && !isEnd) break;
        // A string whose end has not come.
        this.#skips = true;
        continue;
      }
      const { kind, text } = token;
      if (place < 0) this.#drawAgain(kind, text);
      else this.#take(kind, text, place + at);
      at += text.length;
    }
    return at;
  }

  #drawAgain(kind: TokenKind, text: string): void {
    if (kind === 'text') this.#screen.print(text, -1);
    else if (kind === 'control') this.#screen.control(text, -1);
  }

  #take(kind: TokenKind, text: string, at: number): void {
    const after = at + text.length;
    if (kind === 'string') this.#maskString(text, at);
    else if (kind === 'text') {
      this.#screen.print(text, at);
      this.#printed += text.length;
    } else {
      const isLine = LINE_FEED.test(text);
      const line = isLine || this.#secrets.isOpen ? this.#screen.line() : [];
      const effect = this.#screen.control(text, at);
      if (effect !== undefined && line.length > 0)
        this.#screen.rows.searchLine(line, (cells) => this.#searchCells(cells, (words) => this.#secrets.next(words)));
      if (effect === 'move') this.#movedAt = this.#printed;
      if (effect !== undefined) this.#line = { at: after, printed: this.#printed };
    }
    this.#marks.push({ at: after, printed: this.#printed });
  }

  #findSafe(): void {
    let safe = this.#line.at;
    if (this.#hasMoved) safe = Math.min(safe, this.#behind(this.#drawnLength));
    if (this.#printed - this.#line.printed > MAX_SEARCHED_LENGTH) {
      safe = Math.max(safe, this.#behind(MAX_SECRET_LENGTH));
      this.#line = { at: safe, printed: this.#printed - MAX_SECRET_LENGTH };
    }
    if (this.#parsed - this.#pieces.start > MAX_HELD_LENGTH) safe = this.#parsed;
    if (safe <= this.#safe) return;
    this.#screen.rows.searchChanged();
    this.#safe = safe;
  }

  /** The last place before so much text. */
  #behind(length: number): number {
    return this.#marks.findLast(({ printed }) => printed <= this.#printed - length)?.at ?? 0;
  }

  /** Behind the string that is left out. */
  #skip(raw: string, at: number, place: number): number {
    STRING_END.lastIndex = at;
    const over = STRING_END.exec(raw);
    const end = over === null ? raw.length : over.index + over[0].length;
    this.#pieces.edit(place + at, place + end, '');
    this.#skips = over === null;
    return end;
  }

  #finishLine(isCut: boolean): void {
    const spansIn = (text: string): readonly MatchSpan[] => {
      const word = isCut && !this.#screen.isBehindBlank ? LAST_WORD.exec(text) : null;
      const half = word === null ? [] : [{ start: word.index, end: word.index + word[0].length }];
      return merged([...this.#secrets.next(text), ...half]);
    };
    this.#screen.rows.searchLine(this.#screen.line(), (cells) => this.#searchCells(cells, spansIn));
  }

  /** All of what is within a private key. */
  #spansIn(text: string): readonly MatchSpan[] {
    return this.#secrets.isOpen && text !== '' ? [{ start: 0, end: text.length }] : this.#redactor.spansIn(text);
  }

  #searchCells(cells: readonly DrawnCell[], spansIn: (text: string) => readonly MatchSpan[]): void {
    const used = cells.slice(0, cells.findLastIndex(({ text }) => text !== ' ' && text !== '') + 1);
    const text = used.map((cell) => cell.text).join('');
    // A word may begin beside masks that began at none of the letters there.
    const shown = used.map((cell) => (cell.isMasked ? MASK.repeat(cell.text.length) : cell.text)).join('');
    const spans = shown === text ? spansIn(text) : merged([...spansIn(text), ...this.#spansIn(shown)]);
    if (spans.length === 0) return;
    let next = 0;
    let at = 0;
    let isNew = true;
    for (const cell of used) {
      const after = at + cell.text.length;
      while ((spans[next]?.end ?? Infinity) <= at) {
        next++;
        isNew = true;
      }
      const span = spans[next];
      if (span === undefined) break;
      if (after > at && after > span.start) {
        if (cell.isMasked) isNew = false;
        if (this.#maskCell(cell) && isNew) {
          this.#count++;
          isNew = false;
        }
      }
      at = after;
    }
  }

  /** Masks a cell with what it was drawn over, if that was the same. @returns whether it was not masked before */
  #maskCell(masked: DrawnCell): boolean {
    if (masked.isMasked || masked.at < 0) return false;
    for (let cell: DrawnCell | undefined = masked; cell !== undefined; cell = cell.older) {
      if (cell.text !== masked.text || cell.at < 0 || cell.isMasked) continue;
      cell.isMasked = true;
      this.#pieces.edit(cell.at, cell.at + cell.length, MASK.repeat(cell.cols));
      for (const { at, length } of cell.marks ?? []) this.#pieces.edit(at, at + length, '');
    }
    return true;
  }

  #maskString(text: string, at: number): void {
    const { edits, count } = secretsOfString(text, this.#redactor);
    for (const { start, end, text: masked } of edits) this.#pieces.edit(at + start, at + end, masked);
    this.#count += count;
  }

  /** Lets go of what stands before `end`. */
  #let(end: number): void {
    this.#safe = end;
    this.#pieces.release(end);
    this.#marks = this.#marks.filter((mark) => mark.at > end);
    if (end - this.#forgotten < MAX_SEARCHED_LENGTH) return;
    this.#forgotten = end;
    this.#screen.rows.forget(end);
  }
}

/** Output that is there as a whole. */
export function maskedOutput(
  redactor: SecretFinder,
  cols: number,
  output: string,
  options?: StreamMaskOptions,
): { readonly text: string; readonly count: number } {
  let text = '';
  const mask = new StreamMask<undefined>(redactor, cols, (piece) => (text += piece), options);
  mask.write(output, undefined);
  mask.end();
  return { text, count: mask.count };
}

/* oxlint-disable no-control-regex */
const PLAIN_TEXT = /^[\x20-\x7e]*/;
const LINE_FEED = /[\n\v\f\x84\x85]|\x1b[DE]$/;
const STRING_END = /\x07|\x1b\\|\x9c|[\x18\x1a]/g;
const LAST_WORD = /\S{4,}$/;

/* oxlint-enable no-control-regex */
