/** The lines that were typed for a shell and that it is not known to have read. Bounded. Pure. */

/** Lines typed ahead that are kept, and the length of each in code units. */
const MAX_LINES = 256;
const MAX_LINE_LENGTH = 4096;
/** Too long, or submitted before the shell was announced: not searched for. */
export const UNKNOWN_LINE = '\x00';

export interface TypedLine {
  readonly text: string;
  readonly atMs: number;
  /** An answer to a query may stand before the text: its program may not have read it. */
  readonly isAnswered?: boolean;
}

export interface FrozenTypedLines {
  readonly lines: readonly (Omit<TypedLine, 'atMs'> & { readonly agoMs: number })[];
  readonly partial: string;
  readonly isOverlong: boolean;
  readonly isAnswered?: boolean;
}

export class TypedLines {
  readonly #now: () => number;
  /** Submitted. */
  #lines: TypedLine[] = [];
  #partial = '';
  #isOverlong = false;
  #isAnswered = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** To be restored in another process, whose clock differs: times are ages. */
  freeze(): FrozenTypedLines {
    const lines = this.#lines.map(({ atMs, ...line }) => ({ ...line, agoMs: this.#now() - atMs }));
    return { lines, partial: this.#partial, isOverlong: this.#isOverlong, isAnswered: this.#isAnswered };
  }

  restore({ lines, partial, isOverlong, isAnswered = false }: FrozenTypedLines): void {
    this.#lines = lines.map(({ agoMs, ...line }) => ({ ...line, atMs: this.#now() - agoMs }));
    this.#partial = partial;
    this.#isOverlong = isOverlong;
    this.#isAnswered = isAnswered;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Of a line that is not submitted yet, something was typed. */
  get hasPartial(): boolean {
    return this.#partial !== '';
  }

  at(index: number): string | undefined {
    return this.#lines[index]?.text;
  }

  /** @param input in Latin-1, byte by byte @param onInterrupt Ctrl+C was typed */
  onInput(input: string, onInterrupt: () => void): void {
    // oxlint-disable-next-line no-control-regex
    for (const part of input.replaceAll('\x1b[201~', '').split(/(\x1b\[200~|\r\n?|\n|\x03)/)) {
      if (part === '\x1b[200~') continue;
      if (part === '\x03') onInterrupt();
      else if (/^[\r\n]/.test(part)) this.#submit();
      else this.#type(part);
    }
  }

  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** The line that is typed now may have an answer to a query in it, which its program has not read. */
  answered(): void {
    this.#isAnswered = true;
  }

  dropPartial(): void {
    this.#isAnswered = false;
    this.#partial = '';
    this.#isOverlong = false;
  }

  /** Keeps so many lines. */
  keep(count: number): void {
    this.#lines.length = Math.min(this.#lines.length, count);
  }

  /** At least so many lines have been submitted, some of them unseen. */
  fill(count: number): void {
    while (this.#lines.length < count) this.#lines.push({ text: UNKNOWN_LINE, atMs: this.#now() });
  }

  /** None of them is known any more. */
  forgetTexts(): void {
    this.#lines = this.#lines.map(({ atMs }) => ({ text: UNKNOWN_LINE, atMs }));
  }

  /** Up to the first line that is as asked for, if there is one. */
  skipTo(isWanted: (text: string) => boolean): void {
    const at = this.#lines.findIndex(({ text }) => isWanted(text));
    if (at > 0) this.#lines.splice(0, at);
  }

  take(count: number): readonly TypedLine[] {
    return this.#lines.splice(0, count);
  }

  #type(text: string): void {
    if (this.#partial.length + text.length > MAX_LINE_LENGTH) this.#isOverlong = true;
    else this.#partial += text;
  }

  #submit(): void {
    const text = this.#isOverlong ? UNKNOWN_LINE : Buffer.from(this.#partial, 'latin1').toString('utf8');
    const isAnswered = this.#isAnswered ? { isAnswered: true } : {};
    if (this.#lines.length < MAX_LINES) this.#lines.push({ text, atMs: this.#now(), ...isAnswered });
    this.dropPartial();
  }
}
