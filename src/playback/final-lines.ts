/**
 * The lines that a program's output leaves on a screen, printed as soon as they are final: above the viewport nothing
 * changes a line any more. Within it, lines above the cursor are printed after a while in which nothing changed them, unless the
 * program moves upwards: then it may come back to any of them. A line that was printed and has changed since is printed again.
 *
 * The alternate screen is left out, as it is when the program has ended.
 */
import { PrintedScreen } from '../vt/printed-screen.js';
import { simpleText } from './simple-output.js';

const LF = 0x0a;
const TAB = 0x09;

export interface ScreenSize {
  readonly cols: number;
  readonly rows: number;
}

/** Bytes of one piece: each may be a line feed, whose line has to be read before the scrollback loses it. */
const PIECE_BYTES = 4096;

const LEAVE_ALTERNATE_SCREEN = Buffer.from('\x1b[?1049l');

/** Sequences that move the cursor upwards, or lines: CUU, CPL, CUP, HVP, VPA, IL, DL, SU, SD, scroll regions, RI, DECRC. */
// oxlint-disable-next-line no-control-regex
const UPWARDS = /\x1b(?:\[[\d;]*[AFHfdLMSTru]|[M8])/;
// oxlint-disable-next-line no-control-regex
const CLEAR = /\x1b\[H(?:\x1b\[[0123]?J)+|(?:\x1b\[[23]J)+\x1b\[H/;
/** A sequence may begin in one piece and end in the next. */
const MOST_SEQUENCE = 32;

export class FinalLines {
  readonly #screen: PrintedScreen;
  readonly #print: (text: string) => void;
  /** Number of the first line that is not printed for good. */
  #next = 0;
  /** Lines of the viewport that are printed, as they stood then. */
  readonly #printed = new Map<number, string>();
  /** Lines of the viewport as they stood at the last look. */
  #seen = new Map<number, string>();
  /** Lines with tabs, and how the screen showed them, by the number of their first row. */
  readonly #tabbed = new Map<number, { readonly shown: string; readonly text: string }>();
  #movesUp = false;
  #isCleared = false;
  /** End of the last piece. */
  #end = '';
  /** The line under way as it came, and where it began if that is the beginning of a row. */
  #begun: Uint8Array = new Uint8Array(0);
  #begunAt: number | undefined = 0;
  #out = '';

  /** @param print takes lines with their LF, and parts of a line */
  constructor(size: ScreenSize, print: (text: string) => void) {
    this.#screen = new PrintedScreen(size, PIECE_BYTES + 1);
    this.#screen.onReset = () => {
      this.#printAbove();
      // All lines get other numbers: those of the screen are erased.
      this.#next = this.#screen.firstLineNumber + this.#screen.totalLines;
      this.#forget();
    };
    this.#print = print;
  }

  /** Output before: `printed` is printed, `held` is not. Both are simple: see simple-output.ts. */
  begin(printed: Uint8Array, held: Uint8Array): void {
    this.#screen.apply(printed);
    const { line } = this.#screen.cursor;
    const { top } = this;
    for (let number = top; number < line; number++) this.#printed.set(number, this.#rowText(number));
    this.#next = top;
    this.#begunAt = line;
    this.write(held);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#writePiece(bytes.subarray(at, at + PIECE_BYTES));
    this.#flush();
  }

  /** Prints lines above the cursor that have not changed since the look before. @returns whether some are left */
  look(): boolean {
    if (this.#movesUp || this.#screen.altScreen) return false;
    const end = this.#headOf(this.#screen.cursor.line);
    const seen = new Map<number, string>();
    let isLeft = false;
    for (let number = this.#next; number < end; number = this.#endOf(number)) {
      const text = this.#lineText(number);
      seen.set(number, text);
      if (this.#isPrinted(number)) continue;
      // In their order.
      isLeft ||= this.#seen.get(number) !== text;
      if (!isLeft) this.#printLine(number);
    }
    this.#seen = seen;
    this.#flush();
    return isLeft;
  }

  end(): void {
    // Elsewhere it would also restore a saved cursor.
    if (this.#screen.altScreen) this.#screen.apply(LEAVE_ALTERNATE_SCREEN);
    this.#printAbove();
    const { line: cursor, isWithin } = this.#screen.cursor;
    let last = this.#screen.firstLineNumber + this.#screen.totalLines - 1;
    while (last > cursor && this.#rowText(last) === '') last--;
    for (let number = this.#next; number <= last;) {
      if (number === cursor && number === last) {
        if (isWithin || this.#rowText(number) !== '') this.#out += this.#rowText(number);
        break;
      }
      number = this.#printLine(number);
    }
    this.#flush();
    this.#screen.dispose();
  }

  /** Number of the top line of the viewport. */
  get top(): number {
    return this.#screen.firstLineNumber + this.#screen.normalScrollbackLines;
  }

  #writePiece(piece: Uint8Array): void {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString('latin1');
    this.#noteMoves(text);
    if (!this.#begun.includes(TAB) && !text.includes('\t')) this.#applyPart(piece);
    else {
      for (let at = 0; at < piece.length;) {
        const lineFeed = piece.indexOf(LF, at);
        const end = lineFeed === -1 ? piece.length : lineFeed + 1;
        this.#applyPart(piece.subarray(at, end));
        at = end;
      }
    }
  }

  #noteMoves(text: string): void {
    if (this.#movesUp) return;
    const whole = this.#end + text;
    // A screen that is cleared once begins anew; one that is cleared again and again is drawn.
    const rest = this.#isCleared ? whole : whole.replace(CLEAR, '');
    const isCleared = rest !== whole;
    this.#isCleared ||= isCleared;
    this.#movesUp = UPWARDS.test(rest);
    this.#end = isCleared ? '' : text.slice(-MOST_SEQUENCE);
  }

  /** A grid has no tabs: a line that is printed at one go is kept as it was. */
  #applyPart(bytes: Uint8Array): void {
    const screen = this.#screen;
    screen.apply(bytes);
    const lineFeed = bytes.lastIndexOf(LF);
    if (lineFeed === -1) {
      this.#begun = this.#begun.length > PIECE_BYTES ? this.#begun : Buffer.concat([this.#begun, bytes]);
    } else {
      const line = this.#begunAt;
      const isOne = line !== undefined && !screen.altScreen && screen.cursor.line === this.#endOf(line);
      if (isOne && (this.#begun.includes(TAB) || bytes.includes(TAB))) {
        const text = simpleText(Buffer.concat([this.#begun, bytes]).toString('utf8'));
        if (text !== undefined) this.#tabbed.set(line, { shown: this.#lineText(line), text });
      }
      this.#begun = bytes.slice(lineFeed + 1);
      const { line: cursor, isWithin } = screen.cursor;
      this.#begunAt = isWithin === this.#begun.length > 0 && !screen.altScreen ? this.#headOf(cursor) : undefined;
    }
    this.#printAbove();
  }

  /** The lines that have left the viewport. */
  #printAbove(): void {
    // Its lines cannot be read now, and none is added.
    if (this.#screen.altScreen) return;
    const { top } = this;
    if (this.#next >= top) return;
    this.#next = Math.max(this.#next, this.#screen.firstLineNumber);
    while (this.#next < top) {
      const number = this.#next;
      // It is printed as a whole, or its tabs are lost.
      if (this.#tabbed.has(number) && this.#endOf(number) > top) break;
      this.#next = this.#printLine(number, top);
      for (let row = number; row < this.#next; row++) {
        this.#printed.delete(row);
        this.#seen.delete(row);
        this.#tabbed.delete(row);
      }
    }
  }

  /** @returns the number of the row after it, or `limit` where it goes on there */
  #printLine(number: number, limit = Number.POSITIVE_INFINITY): number {
    const end = Math.min(limit, this.#endOf(number));
    if (this.#isPrinted(number)) return end;
    const tabbed = this.#tabbed.get(number);
    const isTabbed = tabbed !== undefined && end === this.#endOf(number) && tabbed.shown === this.#lineText(number);
    if (isTabbed) this.#out += tabbed.text;
    for (let row = number; row < end; row++) {
      const text = this.#rowText(row);
      if (!isTabbed) this.#out += this.#continues(row + 1) ? text : `${text}\n`;
      if (row >= this.top) this.#printed.set(row, text);
    }
    return end;
  }

  /** A line that was printed, and then erased, is not printed as a blank one. */
  #isPrinted(number: number): boolean {
    if (!this.#printed.has(number)) return false;
    const end = this.#endOf(number);
    for (let row = number; row < end; row++) {
      const text = this.#rowText(row);
      if (text !== '' && this.#printed.get(row) !== text) return false;
    }
    return true;
  }

  #lineText(number: number): string {
    let text = '';
    for (let row = number; row < this.#endOf(number); row++) text += this.#rowText(row);
    return text;
  }

  #rowText(number: number): string {
    const trim = !this.#continues(number + 1);
    return this.#screen.lineText(number - this.#screen.firstLineNumber, { trim }) ?? '';
  }

  #continues(number: number): boolean {
    return this.#screen.continuesLine(number - this.#screen.firstLineNumber);
  }

  #headOf(number: number): number {
    let head = number;
    while (head > this.#screen.firstLineNumber && this.#continues(head)) head--;
    return head;
  }

  #endOf(number: number): number {
    let end = number + 1;
    while (this.#continues(end)) end++;
    return end;
  }

  #forget(): void {
    this.#begunAt = undefined;
    this.#printed.clear();
    this.#seen.clear();
    this.#tabbed.clear();
  }

  #flush(): void {
    if (this.#out !== '') this.#print(this.#out);
    this.#out = '';
  }
}
