/**
 * The lines that were typed into a terminal lately, and whether a match on its screen is only one of them. It knows input by its
 * bytes alone: what a line editor makes of arrow keys and completion is not followed.
 */
import type { Clock } from '../../base/clock.js';
import { Emitter } from '../../base/emitter.js';
import type { Disposable } from '../../base/lifetime.js';
import { logicalLine } from '../../vt/rows/logical-line.js';
import { cursorLine, lineWith } from '../../search/cursor-line.js';
import { logicalRows, type ScannedScreen } from '../../search/scanned-lines.js';
import {
  begunBefore,
  type Copy,
  copiesIn,
  lastCharacter,
  type Reader,
  type Settled,
  type TypedLine,
  type TypedVerdict,
  verdictBehind,
  verdictOf,
} from './typed-line.js';

/** Lines kept, and characters of each: of a longer line the beginning. */
const MAX_LINES = 32;
const MAX_LINE_LENGTH = 4096;
/** Bound of one write; the last lines of a longer one are kept. */
const MAX_INPUT_BYTES = 65_536;
/** Lines of the screen that are looked through for copies of a typed line. */
const MAX_LOOKED_THROUGH = 2000;
/** A line editor that is about to take over has shown a sign of it by then. */
const SIGN_WITHIN_MS = 1000;
/** Text and Enter of one request are 150 ms apart. */
const DRAWN_WITHIN_MS = 100;

// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gs;
// oxlint-disable-next-line no-control-regex
const PIECE = /[^\x00-\x1f\x7f]+|[\x00-\x1f\x7f]/g;
const ERASES: ReadonlySet<string> = new Set(['\x7f', '\b']);
const ENTERS: ReadonlySet<string> = new Set(['\r', '\n']);
const REDRAWS = '\x0c';

export interface TypedTextOptions {
  readonly screen: ScannedScreen;
  readonly clock: Clock;
  /** The program that is known to read now. */
  readonly reader: () => Reader | undefined;
  /** Watches for signs of a line editor; returns whether there is one. */
  readonly watchEditor: () => Disposable & { isSeen(): Promise<boolean> };
}

/** Whether a text meets a condition. */
export type IsMet = (text: string) => boolean;

export interface TypedPart extends Copy {
  readonly verdict: TypedVerdict;
}

interface Line {
  readonly number: number;
  readonly text: string;
}

export class TypedText implements Disposable {
  /** Event of a decision: what was undecided may be decided now. */
  readonly onDecided = new Emitter<void>();
  readonly #options: TypedTextOptions;
  readonly #decoder = new TextDecoder();
  #lines: readonly TypedLine[] = [];
  #batch = 0;
  #lastTypedMs = 0;
  #editor: ReturnType<TypedTextOptions['watchEditor']> | undefined;
  #timer: Disposable | undefined;

  constructor(options: TypedTextOptions) {
    this.#options = options;
  }

  /** Call it before the input is written. A secret is not kept. */
  onInput(bytes: Uint8Array, isSecret: boolean): void {
    let reader = this.#options.reader();
    const last = this.#lines.at(-1);
    const nowMs = this.#options.clock.now();
    // What no echo shows is kept nowhere. On the alternate screen there is no line editor: what is drawn is what input has done.
    if (isSecret || reader?.secrecy === 'hidden' || this.#options.screen.snapshot().altScreen) {
      if (last !== undefined) last.isOpen = false;
      return;
    }
    let open = last?.isOpen === true ? last : undefined;
    const text = this.#decoder.decode(bytes.subarray(-MAX_INPUT_BYTES), { stream: true });
    for (const [piece] of text.replaceAll(SEQUENCE, '').matchAll(PIECE)) {
      if (ERASES.has(piece)) {
        if (open !== undefined) open.text = open.text.slice(0, -1);
      } else if (piece === REDRAWS) {
        if (open !== undefined) Object.assign(open, { number: this.#topLine(), before: '' });
      } else if (piece >= ' ') {
        if (open === undefined) open = this.#begin(piece, reader);
        else open.text = (open.text + piece).slice(0, MAX_LINE_LENGTH);
        this.#lastTypedMs = nowMs;
      } else {
        if (open !== undefined) open.isOpen = false;
        if (ENTERS.has(piece)) {
          // What was not there a moment later may be on its way.
          if (open !== undefined && open === last && nowMs - this.#lastTypedMs >= DRAWN_WITHIN_MS) this.#look(open);
          reader = undefined;
        }
        open = undefined;
      }
    }
    this.#followUndecided();
  }

  /** The program reads anew. */
  onReader({ kind }: Reader): void {
    this.#settle(kind);
    this.#batch++;
  }

  /** The program has ended. */
  onEnd(): void {
    for (const line of this.#lines) line.isOpen = false;
    this.#settle('none');
    this.dispose();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#editor?.dispose();
    this.#timer = this.#editor = undefined;
  }

  /** Whether a line was typed that meets this. */
  some(isMet: IsMet): boolean {
    return this.#lines.some(({ text }) => isMet(text));
  }

  /** The typed line that this part of a line of the screen is in, or overlaps, if it is one that meets the condition. */
  partAt(
    line: Line,
    { start, end }: { readonly start: number; readonly end: number },
    isMet: IsMet,
  ): TypedPart | undefined {
    let found: TypedPart | undefined;
    const at = cursorLine(this.#options.screen);
    if (this.#options.screen.snapshot().altScreen) return undefined;
    for (const typed of this.#lines.toReversed()) {
      if (!isMet(typed.text)) continue;
      if (this.#isRedrawnAbove(typed, at.number)) Object.assign(typed, { number: this.#topLine(), before: '' });
      for (const { copy, verdict } of this.#verdicts(typed, line, at)) {
        if (copy.start >= end || copy.end <= start) continue;
        if (verdict === 'typed') return { ...copy, verdict };
        if (found === undefined || found.verdict === 'doubtful') found = { ...copy, verdict };
      }
    }
    return found;
  }

  /** The line without typed lines that meet the condition, which blanks replace. */
  without(line: Line, isMet: IsMet): string {
    let { text } = line;
    for (let at = 0; this.some(isMet);) {
      const part = this.partAt({ ...line, text }, { start: at, end: text.length }, isMet);
      if (part === undefined || part.verdict === 'doubtful' || part.end <= at) break;
      text = text.slice(0, part.start) + ' '.repeat(part.end - part.start) + text.slice(part.end);
      at = part.end;
    }
    return text;
  }

  *#verdicts(
    typed: TypedLine,
    line: Line,
    at: ReturnType<typeof cursorLine>,
  ): IterableIterator<{ copy: Copy; verdict: TypedVerdict }> {
    const group =
      typed.reader === undefined
        ? this.#lines.filter((one) => one.text === typed.text && one.batch === typed.batch && !one.reader)
        : [typed];
    const first = group.reduce((a, b) => (b.number < a.number ? b : a));
    if (line.number < first.number) return;
    const copies = copiesIn(first, line.number, line.text);
    const mayBeDrawn = typed.settled === undefined || typed.settled === 'none';
    const begun = mayBeDrawn && line.number === at.number ? begunBefore(typed, at.before) : undefined;
    if (copies.length === 0 && begun === undefined) return;
    let index = this.#copiesAbove(first, line.number);
    for (const copy of copies) {
      const verdict = verdictOf(typed, group, copy, index++, line.text);
      if (verdict !== undefined) yield { copy, verdict };
    }
    const draws = typed.reader === undefined ? 2 * group.length : 1;
    if (begun === undefined || index >= draws) return;
    const verdict = typed.settled === undefined ? 'undecided' : verdictBehind(at.before.slice(0, begun.start));
    yield { copy: begun, verdict };
  }

  #copiesAbove(typed: TypedLine, end: number): number {
    const { screen } = this.#options;
    // The echo has left the scrollback.
    let copies = typed.number < screen.firstLineNumber ? 1 : 0;
    let looked = 0;
    for (const { number, rows } of logicalRows(screen, typed.number)) {
      if (number >= end || ++looked > MAX_LOOKED_THROUGH) break;
      if (number >= typed.number) copies += occurrences(logicalLine(rows).text, typed.text);
    }
    return copies;
  }

  #begin(text: string, reader: Reader | undefined): TypedLine {
    const { screen } = this.#options;
    const { number, before } = cursorLine(screen);
    const line: TypedLine = {
      text: text.slice(0, MAX_LINE_LENGTH),
      number,
      before,
      reader,
      batch: this.#batch,
      isOpen: true,
      isSeen: undefined,
      settled: undefined,
      promptEnd: undefined,
    };
    this.#lines = [...this.#lines.slice(-(MAX_LINES - 1)), line];
    return line;
  }

  /** Looks at the line in which it is drawn before Enter. */
  #look(typed: TypedLine): void {
    const { screen } = this.#options;
    typed.isSeen = false;
    let looked = 0;
    for (const { number, rows } of logicalRows(screen, Math.min(typed.number, cursorLine(screen).number))) {
      if (++looked > MAX_LOOKED_THROUGH) return;
      if (copiesIn(typed, number, logicalLine(rows).text).length === 0) continue;
      typed.isSeen = true;
      if (number !== typed.number) Object.assign(typed, { number, before: '' });
      return;
    }
  }

  /** The screen was cleared since: what was drawn at its place is gone. */
  #isRedrawnAbove({ number, isSeen, text }: TypedLine, cursorNumber: number): boolean {
    const { screen } = this.#options;
    if (number <= this.#topLine()) return false;
    if (cursorNumber < number) return true;
    return isSeen === true && lineWith(screen, number)?.text.includes(text) === false;
  }

  #topLine(): number {
    const { screen } = this.#options;
    return screen.firstLineNumber + screen.scrollbackLines;
  }

  get #undecided(): TypedLine[] {
    return this.#lines.filter(({ settled, isOpen }) => (settled === undefined || settled === 'none') && !isOpen);
  }

  #settle(settled: Settled): void {
    const undecided = this.#undecided;
    const promptEnd = settled === 'raw' && undecided.length > 0 ? this.#promptEnd() : undefined;
    for (const line of undecided) Object.assign(line, { settled, promptEnd });
    this.#followUndecided();
    if (undecided.length > 0) this.onDecided.emit();
  }

  #promptEnd(): string | undefined {
    const { before } = cursorLine(this.#options.screen);
    const open = this.#lines.find(({ isOpen }) => isOpen)?.text ?? '';
    return lastCharacter(open !== '' && before.endsWith(open) ? before.slice(0, -open.length) : before);
  }

  /** A line that somebody was reading has no further copy by an editor. */
  #followUndecided(): void {
    const undecided = this.#lines.filter(({ settled, reader }) => settled === undefined && reader === undefined);
    this.#timer?.dispose();
    this.#timer = undefined;
    if (undecided.length === 0) return this.dispose();
    this.#editor ??= this.#options.watchEditor();
    if (undecided.every(({ isOpen }) => isOpen)) return;
    this.#timer = this.#options.clock.after(SIGN_WITHIN_MS, () => {
      this.#timer = undefined;
      void this.#giveUp();
    });
  }

  async #giveUp(): Promise<void> {
    const editor = this.#editor;
    const isSeen = await editor?.isSeen();
    // Unless more was typed, or all was decided, meanwhile.
    if (isSeen === false && this.#timer === undefined && this.#editor === editor) this.#settle('none');
  }
}

/** Also within words: what the kernel echoes may stand beside output. */
function occurrences(text: string, typed: string): number {
  return typed === '' ? 0 : text.split(typed).length - 1;
}
