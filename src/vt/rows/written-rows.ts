/**
 * Which rows a program writes above the last mark of its shell: what is erased, written after a move upwards, moved within
 * a scroll region, or on the other screen. Rows below the mark that are written in their order need no report.
 *
 * A row counts as written once the cursor has left the place where it was put: by text, or by a line feed.
 */
import type { Emulator } from '../xterm/emulator.js';
import { watchRowMoves } from '../xterm/row-moves.js';
import { FIRST_ALTERNATE, type RowChange } from '../snapshot.js';
import type { LineNumbers } from './line-numbers.js';

interface Landing {
  readonly x: number;
  readonly line: number;
}

/** State from which a screen that is thawed goes on. */
export interface FrozenWrittenRows {
  readonly known: number;
  /** Absent: nothing is erased. */
  readonly erasedFrom?: number;
  readonly landing?: Landing | undefined;
  readonly reached: number;
}

export class WrittenRows {
  readonly #emulator: Emulator;
  readonly #numbers: LineNumbers;
  readonly #report: (change: RowChange) => void;
  /** First line whose writing needs no report; undefined until the first mark. */
  #known: number | undefined;
  /** All lines from here on are of the last command. */
  #erasedFrom = Number.POSITIVE_INFINITY;
  #landing: Landing | undefined;
  /** After the lowest line from which the cursor has moved since the last mark. */
  #reached = 0;
  /** Nothing is reported as written since all was erased: what a shift moves out would be nothing's. */
  #isBlank = false;
  #isAlternate = false;
  #normal: object;

  constructor(emulator: Emulator, numbers: LineNumbers, report: (change: RowChange) => void) {
    this.#emulator = emulator;
    this.#numbers = numbers;
    this.#report = report;
    this.#normal = emulator.normalBuffer;
    // Registered after that of the numbers, which are those of the new screen by now.
    emulator.terminal.buffer.onBufferChange(() => this.#onScreen());
  }

  /** A mark has come. It may be printed by a program, so what is written next is reported once more if it stands above the one before. */
  mark(): void {
    if (this.#known === undefined) this.#watch();
    this.#leave();
    this.#reached = 0;
    const place = this.#cursor();
    const isAbove = this.#known !== undefined && place.line < this.#known;
    this.#erasedFrom = Number.POSITIVE_INFINITY;
    this.#known = place.line;
    this.#landing = isAbove ? place : undefined;
  }

  /** Undefined before the first mark. */
  freeze(): FrozenWrittenRows | undefined {
    if (this.#known === undefined) return undefined;
    const erased = Number.isFinite(this.#erasedFrom) ? { erasedFrom: this.#erasedFrom } : {};
    return { known: this.#known, ...erased, landing: this.#landing, reached: this.#reached };
  }

  /** To be called once the screen has its lines. */
  restore({ known, erasedFrom = Number.POSITIVE_INFINITY, landing, reached }: FrozenWrittenRows): void {
    this.#watch();
    this.#known = known;
    this.#erasedFrom = erasedFrom;
    this.#landing = landing;
    this.#reached = reached;
  }

  /** Reports what is written so far. */
  flush(): void {
    this.#leave();
    this.#land();
  }

  /** To be called before a reset. */
  beforeReset(): void {
    if (this.#known !== undefined) this.#leave();
  }

  /** To be called before lines are numbered anew; the returned function afterwards. */
  follow(): () => void {
    this.flush();
    const known = this.#known;
    // The other screen is not laid out anew.
    if (known === undefined || this.#emulator.altScreen) return () => {};
    const isBelow = known > this.#numbers.shownNumberOf(this.#emulator.terminal.rows - 1);
    const isErased = this.#erasedFrom !== Number.POSITIVE_INFINITY;
    const [anchor, erased] = [this.#numbers.anchor(known), this.#numbers.anchor(isErased ? this.#erasedFrom : known)];
    return () => {
      const bottom = this.#numbers.shownNumberOf(this.#emulator.terminal.rows);
      this.#known = isBelow ? bottom : (anchor.line ?? this.#cursor().line);
      if (isErased) this.#erasedFrom = erased.line ?? this.#numbers.shownNumberOf(0);
      anchor.dispose();
      erased.dispose();
      this.#landing = undefined;
      this.#land();
    };
  }

  #watch(): void {
    watchRowMoves(this.#emulator.internals, {
      leaving: () => this.#leave(),
      landed: () => this.#land(),
      erased: (row) => this.#erase(this.#numbers.shownNumberOf(row)),
      shifted: (top, bottom, count, blank) => {
        if (this.#isBlank) {
          this.#leave();
          this.#land();
        }
        const [first, last] = [this.#numbers.shownNumberOf(top), this.#numbers.shownNumberOf(bottom)];
        if (this.#known !== undefined && this.#known > first && this.#known <= last) {
          this.#known = Math.min(Math.max(this.#known - count, first), last);
        }
        this.#report({ change: 'shifted', top: first, bottom: last, count, blank });
      },
    });
  }

  #leave({ x, line } = this.#cursor()): void {
    const landing = this.#landing;
    this.#reached = Math.max(this.#reached, x > 0 ? line + 1 : line);
    if (landing === undefined) return;
    this.#landing = undefined;
    if (line === landing.line && x === landing.x) return;
    // After an erasure all below is the program's.
    if (landing.line >= this.#erasedFrom) this.#known = landing.line;
    this.#isBlank = false;
    this.#report({ change: 'written', first: landing.line, last: Math.max(line, landing.line) });
  }

  #land(): void {
    const place = this.#cursor();
    this.#landing = this.#known === undefined || place.line >= this.#known ? undefined : place;
  }

  #erase(from: number): void {
    const isWhole = from === this.#numbers.shownNumberOf(0);
    if (this.#known === undefined || (from > this.#known && !isWhole)) return;
    this.#leave();
    this.#erasedFrom = from;
    this.#known = this.#numbers.shownNumberOf(this.#emulator.terminal.rows);
    const left = this.#reached;
    this.#reached = Math.min(this.#reached, from);
    // What is erased further down is drawn anew.
    this.#isBlank = true;
    this.#report({ change: 'erased', from, ...(isWhole ? { left } : {}) });
    this.#land();
  }

  #onScreen(): void {
    const { altScreen, normalBuffer, terminal } = this.#emulator;
    if (altScreen)
      this.#leave({ x: normalBuffer.x, line: this.#numbers.numberOf(normalBuffer.ybase + normalBuffer.y) });
    this.#landing = undefined;
    if (this.#known === undefined) {
      this.#isAlternate = altScreen;
      this.#normal = normalBuffer;
      return;
    }
    this.#erasedFrom = this.#numbers.shownNumberOf(0);
    this.#known = this.#numbers.shownNumberOf(terminal.rows);
    if (normalBuffer !== this.#normal) {
      this.#report({ change: 'reset', left: this.#reached });
      this.#reached = 0;
    } else if (altScreen !== this.#isAlternate) {
      // The library hands the cursor of the screen that is left on to the other one.
      const { x, y, ybase } = normalBuffer;
      const line = altScreen ? this.#numbers.numberOf(ybase + y) : FIRST_ALTERNATE + y;
      const end = line + (x > 0 ? 1 : 0);
      const left = altScreen ? end : Math.max(this.#reached, end);
      this.#reached = 0;
      this.#report({ change: 'screen', alternate: altScreen, left });
      if (!altScreen) this.#erasedFrom = Number.POSITIVE_INFINITY;
    }
    this.#isAlternate = altScreen;
    this.#normal = normalBuffer;
    this.#land();
  }

  #cursor(): Landing {
    const { x, y } = this.#emulator.buffer;
    return { x, line: this.#numbers.shownNumberOf(y) };
  }
}
