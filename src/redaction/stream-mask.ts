/**
 * Masks secrets in the output of a program, in whatever pieces it comes. A secret may be cut by sequences that move nothing, and by the end
 * of a row that is full, as the terminal or the program wraps it; control strings (titles, links) are searched for themselves. Each
 * character of a secret becomes {@link MASK}, once for each of its columns, so that what follows stands where it stood.
 *
 * A line is held back until its end has come, or a movement of the cursor: half a secret is not let out. What a program draws in another
 * order than that of its text is not seen here.
 */
import type { Span } from '../search/regex.js';
import { columnAfter, type MaskEdit, MaskedLine } from './masked-line.js';
import { type LineSecrets, MASK, merged, type SecretFinder } from './redactor.js';

/** Of a line that does not end; what is searched at once. */
export const MAX_SEARCHED_LENGTH = 8192;
/** The longest secret that is found wherever a longer line is cut. */
export const MAX_SECRET_LENGTH = 2048;
/** Longer control strings are left out: the terminal takes none of them either. */
const MAX_STRING_LENGTH = 64 * 1024;

interface Held<Tag> {
  readonly text: string;
  readonly tag: Tag;
}

export class StreamMask<Tag> {
  readonly #redactor: SecretFinder;
  readonly #secrets: LineSecrets;
  readonly #release: (text: string, tag: Tag) => void;
  #cols: number;
  /** Column in which what is held begins. */
  #col = 0;
  #held: Held<Tag>[] = [];
  #length = 0;
  #count = 0;
  /** Within a control string that is left out. */
  #skips = false;
  #isCut = false;

  /** @param release gets all pieces in their order, each once */
  constructor(redactor: SecretFinder, cols: number, release: (text: string, tag: Tag) => void) {
    this.#redactor = redactor;
    this.#secrets = redactor.lines();
    this.#cols = cols;
    this.#release = release;
  }

  /** Secrets that were masked so far. */
  get count(): number {
    return this.#count;
  }

  write(text: string, tag: Tag): void {
    this.#held.push({ text, tag });
    this.#length += text.length;
    if (this.#skips || this.#length > MAX_SEARCHED_LENGTH || MAY_END_LINE.test(text)) this.#search(false);
  }

  /** What is held is laid out anew, and ends here. */
  resize(cols: number): void {
    this.end();
    this.#cols = cols;
  }

  /** Releases all. Further output begins a line. @param isCut the program goes on: the last word may be half a secret, and is masked */
  end(isCut = false): void {
    this.#isCut = isCut;
    this.#search(true);
    this.#isCut = false;
    this.#col = 0;
    this.#skips = false;
  }

  #search(isEnd: boolean): void {
    const raw = this.#held.length === 1 ? (this.#held[0]?.text ?? '') : this.#held.map(({ text }) => text).join('');
    const plain = isEnd || this.#skips || this.#secrets.isOpen ? 0 : this.#plainEnd(raw);
    if (plain > 0 && !this.#redactor.mayHoldRaw(plain === raw.length ? raw : raw.slice(0, plain))) {
      this.#let(plain, []);
      this.#col = 0;
      return;
    }
    this.#searchLines(raw, isEnd);
  }

  /** After the last line if it surely ends there. */
  #plainEnd(raw: string): number {
    const end = raw.lastIndexOf('\r\n');
    if (end === -1) return 0;
    const start = raw.lastIndexOf('\n', end - 1) + 1;
    const written = raw.slice(start, end);
    if (MOVES.test(written)) return 0;
    const line = written.replaceAll(STYLES, '');
    const col = columnAfter(line, start === 0 ? this.#col : 0, this.#cols);
    return col > 0 && col % this.#cols === 0 ? 0 : end + 2;
  }

  #searchLines(raw: string, isEnd: boolean): void {
    const edits: MaskEdit[] = [];
    const strings: { at: number; count: number }[] = [];
    let line = new MaskedLine(this.#cols, this.#col);
    let end = 0;
    const finish = (at: number, isCut = false): void => {
      const word = isCut ? LAST_WORD.exec(line.text) : null;
      const half = word === null ? [] : [{ start: word.index, end: line.text.length }];
      this.#mask(line, merged([...this.#secrets.next(line.text), ...half]), edits);
      end = at;
      this.#col = line.col;
      line = new MaskedLine(this.#cols, this.#col);
    };
    let at = 0;
    while (at < raw.length) {
      if (this.#skips) at = this.#skip(raw, at, edits);
      const token = tokenAt(raw, at, isEnd);
      if (token === undefined) {
        if (raw.length - at <= MAX_STRING_LENGTH && !isEnd) break;
        if (at === raw.length) break;
        // A string whose end has not come.
        finish(at);
        this.#skips = true;
        continue;
      }
      const { kind, text } = token;
      if (kind === 'string') strings.push({ at, count: this.#maskString(text, at, edits) });
      if (kind === 'text') line.add(text, at);
      else if (kind === 'control' && line.take(text, at)) finish(at + text.length);
      at += text.length;
      if (line.text.length < MAX_SEARCHED_LENGTH) continue;
      at = this.#cut(line, edits);
      end = at;
      line = new MaskedLine(this.#cols, this.#col);
    }
    if (isEnd) finish(raw.length, this.#isCut);
    else if (this.#skips) end = raw.length;
    for (const { at: place, count } of strings) if (place < end) this.#count += count;
    this.#let(end, edits);
  }

  /** Behind the string that is left out. */
  #skip(raw: string, at: number, edits: MaskEdit[]): number {
    STRING_END.lastIndex = at;
    const over = STRING_END.exec(raw);
    const end = over === null ? raw.length : over.index + over[0].length;
    edits.push({ start: at, end, text: '' });
    this.#skips = over === null;
    return end;
  }

  /** A line that is too long: its beginning goes out, and its end may be that of a secret. @returns where the rest begins */
  #cut(line: MaskedLine, edits: MaskEdit[]): number {
    const { length } = line.text;
    const spans = this.#secrets.isOpen ? [{ start: 0, end: length }] : this.#redactor.spansIn(line.text);
    const wanted = length - MAX_SECRET_LENGTH;
    const across = spans.find(({ start, end }) => start < wanted && end > wanted);
    let cut = wanted;
    // What is longer than any secret is masked as far as it has come.
    if (across !== undefined) cut = across.start === 0 ? across.end : across.start;
    this.#mask(
      line,
      spans.filter(({ end }) => end <= cut),
      edits,
    );
    if (isLowSurrogate(line.text.charCodeAt(cut))) cut--;
    const { raw, col } = cut === length ? { raw: line.rawEnd, col: line.col } : line.placeOf(cut);
    this.#col = col;
    return raw;
  }

  #mask(line: MaskedLine, spans: readonly Span[], edits: MaskEdit[]): void {
    if (spans.length === 0) return;
    this.#count += spans.length;
    edits.push(...line.edits(spans));
  }

  /** @returns how many secrets there were; the line may be searched again */
  #maskString(text: string, at: number, edits: MaskEdit[]): number {
    const clipboard = CLIPBOARD.exec(text);
    if (clipboard?.[1] !== undefined && clipboard[2] !== undefined) {
      const masked = this.#redactor.mask(Buffer.from(clipboard[2], 'base64').toString('utf8'));
      const start = at + clipboard[1].length;
      const end = start + clipboard[2].length;
      if (masked.count > 0) edits.push({ start, end, text: Buffer.from(masked.text).toString('base64') });
      return masked.count;
    }
    const [introducer = ''] = INTRODUCER.exec(text) ?? [];
    const [command = ''] = COMMAND.exec(text) ?? [];
    const body = text.slice(introducer.length, text.search(TERMINATOR));
    // A letter before it may be a command, or a part of it.
    const spans = merged(
      [0, Math.max(0, command.length - introducer.length)].flatMap((from) =>
        this.#redactor.spansIn(body.slice(from)).map(({ start, end }) => ({ start: start + from, end: end + from })),
      ),
    );
    for (const { start, end } of spans) {
      const from = at + introducer.length;
      edits.push({ start: from + start, end: from + end, text: MASK.repeat(end - start) });
    }
    return spans.length;
  }

  /** Lets go of what stands before `end`. */
  #let(end: number, edits: MaskEdit[]): void {
    const sorted = edits.toSorted((a, b) => a.start - b.start);
    let next = 0;
    let at = 0;
    const kept: Held<Tag>[] = [];
    for (const held of this.#held) {
      const stop = at + held.text.length;
      let text = '';
      let from = at;
      while (from < Math.min(stop, end)) {
        while ((sorted[next]?.end ?? Infinity) <= from) next++;
        const edit = sorted[next];
        if (edit === undefined || edit.start >= Math.min(stop, end)) {
          text += held.text.slice(from - at, Math.min(stop, end) - at);
          break;
        }
        if (edit.start >= from) text += held.text.slice(from - at, edit.start - at) + edit.text;
        from = Math.min(edit.end, stop);
      }
      if (stop <= end) this.#release(text, held.tag);
      else if (at >= end) kept.push(held);
      else {
        if (text !== '') this.#release(text, held.tag);
        kept.push({ text: held.text.slice(end - at), tag: held.tag });
      }
      at = stop;
    }
    this.#held = kept;
    this.#length = at - Math.min(at, end);
  }
}

/** Output that is there as a whole. */
export function maskedOutput(
  redactor: SecretFinder,
  cols: number,
  output: string,
): { readonly text: string; readonly count: number } {
  let text = '';
  const mask = new StreamMask<undefined>(redactor, cols, (piece) => (text += piece));
  mask.write(output, undefined);
  mask.end();
  return { text, count: mask.count };
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/* oxlint-disable no-control-regex */
const MAY_END_LINE = /[\n\r\b\v\f\x1b\x80-\x9f]/;
const STYLES = /\x1b\[[0-?]*[mK]|[\x00-\x1f\x7f]/g;
/** What else the column depends on. */
const MOVES = /[\b\t\v\f\r\x80-\x9f]|\x1b(?!\[[0-?]*[mK])/;
const STRING_END = /\x07|\x1b\\|\x9c|[\x18\x1a]/g;
const INTRODUCER = /^(?:\x1b.|[\x80-\x9f])/s;
/** Of a device control string, and of a title in its old form. */
const COMMAND = /^(?:(?:\x1bP|\x90)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[lLI])/;
const TERMINATOR = /(?:\x07|\x1b\\|\x9c|[\x18\x1a])?$/;
const LAST_WORD = /\S{4,}$/;
const CLIPBOARD = /^((?:\x1b\]|\x9d)52;[^;]*;)([A-Za-z0-9+/=]+)/;

type Kind = 'text' | 'string' | 'control';

/** In whole: text, a control string with its end, a control character or a sequence; line feeds with the returns before them. */
const TOKENS: readonly (readonly [Kind, RegExp])[] = [
  ['text', /[^\x00-\x1f\x7f-\x9f]{1,1024}/uy],
  ['string', /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x18\x1a\x9c]*(?:\x07|\x1b\\|[\x18\x1a\x9c])/y],
  ['control', /\r*\n|\r(?=[^\r\n])|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b(?![[\]PX^_])[ -/]*[0-~]/y],
  ['control', /[\x00-\x0c\x0e-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]/y],
];
/** Within a string it is none of its end. */
const BROKEN_STRING = /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x18\x1a\x9c]*(?=\x1b[^\\])/y;
/** Neither begins nor is anything that is known. */
const BROKEN_SEQUENCE = /(?:\x1b\[|\x9b)[0-?]*[ -/]*(?=[^ -~])|\x1b[ -/]*(?=[^ -~])/y;
const RETURN = /\r/y;
/* oxlint-enable no-control-regex */

/** Undefined where the end of what begins there has not come. */
function tokenAt(raw: string, at: number, isEnd: boolean): { readonly kind: Kind; readonly text: string } | undefined {
  const all = [...TOKENS, ['string', BROKEN_STRING] as const, ['control', BROKEN_SEQUENCE] as const];
  for (const [kind, regex] of isEnd ? [...all, ['control', RETURN] as const] : all) {
    regex.lastIndex = at;
    const text = regex.exec(raw)?.[0];
    if (text !== undefined && text !== '') return { kind, text };
  }
  return undefined;
}
