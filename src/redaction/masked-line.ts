/** A line of a program's output: its text without sequences, and where each part of that stands in what the program wrote. */
import { codePointWidth } from '../vt/xterm/graphemes.js';
import type { Span } from '../search/regex.js';
import { MASK } from './redactor.js';

/** What stands in the place of a part of the raw text. */
export interface MaskEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Segment {
  /** In the line. */
  readonly at: number;
  readonly length: number;
  readonly raw: number;
  readonly rawLength: number;
  /** A sequence that stands for characters. */
  readonly isSequence: boolean;
  readonly col: number;
}

// oxlint-disable-next-line no-control-regex
const CSI = /^(?:\x1b\[|\x9b)/;
const TAB_WIDTH = 8;
/** Of a character that is repeated (REP). */
const MAX_REPEATED = 1000;

/** Sequences that move the cursor, or what is shown: the text does not go on there. */
const MOVES = new Set('ABCDEFGHIZ`adefjkrsuLMPST@');
const OTHER_SCREEN = /^\?(?:.*;)?(?:47|1047|1049)(?:;|$)/;
const ESCAPES_THAT_MOVE = new Set('DEMc');

export class MaskedLine {
  readonly #cols: number;
  readonly #segments: Segment[] = [];
  /** Of a cursor that was saved in this line. */
  #savedCol: number | undefined;
  text = '';
  /** Where the cursor stands; whole rows are not taken off. */
  col: number;

  constructor(cols: number, col: number) {
    this.#cols = cols;
    this.col = col;
  }

  /** The next character begins a row, and the text goes on there. */
  get #isFull(): boolean {
    return this.col > 0 && this.col % this.#cols === 0;
  }

  add(text: string, raw: number): void {
    this.#push(text, { raw, rawLength: text.length, isSequence: false });
    this.col = columnAfter(text, this.col, this.#cols);
  }

  #push(text: string, from: Pick<Segment, 'raw' | 'rawLength' | 'isSequence'>): void {
    this.#segments.push({ at: this.text.length, length: text.length, col: this.col, ...from });
    this.text += text;
  }

  /** @returns whether the line ends with this control character or sequence */
  take(control: string, raw: number): boolean {
    if (control.endsWith('\n')) return this.#takeLineFeed(control);
    if (control === '\r') return this.#takeReturn();
    if (control === '\t') this.add(control, raw);
    if (control.length === 1 && !'\x1b\x9b'.includes(control)) {
      if (control === '\b') this.col = Math.max(0, this.col - 1);
      return '\b\v\f\x84\x85\x8d'.includes(control);
    }
    if (CSI.test(control)) return this.#takeCsi(control.replace(CSI, ''), control, raw);
    if (control === '\x1b7') this.#savedCol = this.col;
    if (control === '\x1b8') return this.#savedCol !== this.col;
    return ESCAPES_THAT_MOVE.has(control.slice(1));
  }

  /** Edits that mask these places of the text. */
  edits(spans: readonly Span[]): MaskEdit[] {
    return spans.flatMap(({ start, end }) =>
      this.#segments
        .filter(({ at, length }) => at < end && at + length > start)
        .map((segment) => {
          const from = Math.max(start, segment.at) - segment.at;
          const to = Math.min(end, segment.at + segment.length) - segment.at;
          if (segment.isSequence) return this.#editOfWhole(segment);
          const col = columnAfter(this.text.slice(segment.at, segment.at + from), segment.col, this.#cols);
          const text = this.text.slice(segment.at + from, segment.at + to);
          const mask = MASK.repeat(columnAfter(text, col, this.#cols) - col);
          return { start: segment.raw + from, end: segment.raw + to, text: mask };
        }),
    );
  }

  /** Behind the last character of the text. */
  get rawEnd(): number {
    const last = this.#segments.at(-1);
    return last === undefined ? 0 : last.raw + last.rawLength;
  }

  /** Where a character of the text stands in what the program wrote, and its column. */
  placeOf(index: number): { readonly raw: number; readonly col: number } {
    const segment = this.#segments.findLast(({ at }) => at <= index);
    if (segment === undefined) return { raw: 0, col: this.col };
    const within = segment.isSequence ? 0 : index - segment.at;
    const before = this.text.slice(segment.at, segment.at + within);
    return { raw: segment.raw + within, col: columnAfter(before, segment.col, this.#cols) };
  }

  #editOfWhole({ raw, rawLength, length }: Segment): MaskEdit {
    return { start: raw, end: raw + rawLength, text: MASK.repeat(length) };
  }

  #takeLineFeed(control: string): boolean {
    const goesOn = this.#isFull;
    if (goesOn || control.startsWith('\r')) this.col = 0;
    return !goesOn;
  }

  /** Readline writes a blank behind a full row, and returns before it. */
  #takeReturn(): boolean {
    const last = this.#segments.at(-1);
    const isWrap = this.col > this.#cols && this.col % this.#cols === 1 && this.text.endsWith(' ');
    const isJoined = this.#isFull || (isWrap && last !== undefined);
    if (isWrap && last !== undefined) {
      this.text = this.text.slice(0, -1);
      this.#segments.splice(-1, 1, { ...last, length: last.length - 1, rawLength: last.rawLength - 1 });
    }
    this.col = 0;
    return !isJoined;
  }

  #takeCsi(body: string, control: string, raw: number): boolean {
    const final = body.slice(-1);
    const params = body.slice(0, -1);
    const [first = '', second = ''] = params.split(';');
    if (final === 'b' && this.text !== '') {
      const length = Math.min(MAX_REPEATED, Number(first) || 1);
      this.#push(this.text.slice(-1).repeat(length), { raw, rawLength: control.length, isSequence: true });
      this.col += length;
      return false;
    }
    if (final === 'h' || final === 'l') return OTHER_SCREEN.test(params);
    if (!MOVES.has(final)) return false;
    // To where the cursor stands.
    if ((final === 'G' || final === '`') && (Number(first) || 1) - 1 === this.col) return false;
    if (final === 's' && params === '') {
      this.#savedCol = this.col;
      return false;
    }
    if (final === 'u' && params === '') return this.#savedCol !== this.col;
    const isBelow = (final === 'H' || final === 'f') && (Number(second) || 1) === 1 && this.#isFull;
    if (final === 'H' || final === 'f') this.col = (Number(second) || 1) - 1;
    if (final === 'G' || final === '`') this.col = (Number(first) || 1) - 1;
    if (final === 'C') this.col += Number(first) || 1;
    if (final === 'E' || final === 'F') this.col = 0;
    return !isBelow;
  }
}

/** A wide character that has no room at the end of a row begins the next one. */
export function columnAfter(text: string, from: number, cols: number): number {
  if (PLAIN.test(text)) return from + text.length;
  let col = from;
  for (const character of text) {
    if (character === '\t') col += TAB_WIDTH - (col % TAB_WIDTH);
    else {
      const width = codePointWidth(character.codePointAt(0) ?? 0);
      if (width === 2 && col % cols === cols - 1) col++;
      col += width;
    }
  }
  return col;
}

const PLAIN = /^[\x20-\x7e]*$/;
