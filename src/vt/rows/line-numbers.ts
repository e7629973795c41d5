/**
 * Numbers for the lines of the normal screen that stay the same while the scrollback grows and is cut: line 0 is the
 * first that this terminal ever had. A change of width lays lines out anew and so gives later ones other numbers; an
 * anchor keeps a place across that.
 */
import type { Disposable } from '../../base/lifetime.js';
import type { Emulator } from '../xterm/emulator.js';
import { FIRST_ALTERNATE } from '../snapshot.js';
import type { RawBuffer, RawLine } from '../xterm/internals.js';

/** Beyond what a screen has. */
const MOST_ROWS = 1_000_000;

/** A place in the text of the normal screen. */
export interface LineAnchor extends Disposable {
  /** Number of the line now; undefined once the scrollback or a reset has lost it. */
  readonly line: number | undefined;
}

interface Anchored {
  line: number;
  lost: boolean;
}

export class LineNumbers {
  /** Number of the oldest line that is still there. */
  #first = 0;
  #buffer: RawBuffer;
  #trims: Disposable;
  readonly #emulator: Emulator;
  /** Number of the oldest line of the alternate screen. Each visit begins with numbers that were never used. */
  #firstAlternate = FIRST_ALTERNATE;
  #alternateTrims: Disposable | undefined;
  readonly #anchors = new Set<Anchored>();

  constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.#buffer = emulator.normalBuffer;
    this.#trims = this.#countTrims();
    emulator.terminal.buffer.onBufferChange(() => this.#numberAlternate());
    // RIS replaces the buffers, and this is the only sign of it.
    emulator.terminal.buffer.onBufferChange(() => {
      if (emulator.normalBuffer === this.#buffer) return;
      this.#first += this.#buffer.lines.length;
      this.#trims.dispose();
      this.#buffer = emulator.normalBuffer;
      this.#trims = this.#countTrims();
    });
  }

  get first(): number {
    return this.#first;
  }

  /** Number of the first line of the alternate screen. */
  get firstAlternate(): number {
    return this.#firstAlternate;
  }

  /** Restores the numbers of a screen that begins with lines of another. */
  restore(first: number, firstAlternate = this.#firstAlternate): void {
    this.#first = first;
    this.#firstAlternate = firstAlternate;
  }

  /** @param index place in the buffer; 0 is its oldest line */
  numberOf(index: number): number {
    return this.#first + index;
  }

  /** Number of a row of the screen that is shown. @param row 0 is the top of the viewport */
  shownNumberOf(row: number): number {
    const { altScreen, buffer } = this.#emulator;
    return (altScreen ? this.#firstAlternate : this.#first) + buffer.ybase + row;
  }

  /** The holder disposes of it: anchors are updated at each change of width. */
  anchor(line: number): LineAnchor {
    const anchored: Anchored = { line, lost: false };
    const isLost = () => anchored.lost || anchored.line < this.#first;
    this.#anchors.add(anchored);
    return {
      get line() {
        return isLost() ? undefined : anchored.line;
      },
      dispose: () => void this.#anchors.delete(anchored),
    };
  }

  /**
   * Finds anchors by the line objects: a new layout keeps that of the first row of a wrapped line. (The library's
   * markers go astray when a new layout also cuts the scrollback.)
   */
  keepAnchors(layOut: () => void): void {
    if (this.#anchors.size === 0) {
      layOut();
      return;
    }
    const held = Array.from(this.#anchors, (anchored) => {
      const index = anchored.line - this.#first;
      return { anchored, line: this.#lineAt(index), head: this.#headOf(index) };
    });
    try {
      layOut();
    } finally {
      const places = this.#placesOf(new Set(held.flatMap(({ line, head }) => [line, head])));
      for (const { anchored, line, head } of held) {
        const index = places.get(line) ?? places.get(head);
        if (index === undefined) anchored.lost = true;
        else anchored.line = this.#first + index;
      }
    }
  }

  #lineAt(index: number): RawLine | undefined {
    return index >= 0 && index < this.#buffer.lines.length ? this.#buffer.lines.get(index) : undefined;
  }

  /** First row of the soft-wrapped line that `index` is part of. */
  #headOf(index: number): RawLine | undefined {
    let line = this.#lineAt(index);
    for (let above = index - 1; line?.isWrapped === true && above >= 0; above--) line = this.#lineAt(above);
    return line;
  }

  #placesOf(wanted: ReadonlySet<RawLine | undefined>): Map<RawLine | undefined, number> {
    const places = new Map<RawLine | undefined, number>();
    const { lines } = this.#buffer;
    for (let index = 0; index < lines.length; index++) {
      const line = lines.get(index);
      if (line !== undefined && wanted.has(line)) places.set(line, index);
    }
    return places;
  }

  #numberAlternate(): void {
    this.#alternateTrims?.dispose();
    this.#alternateTrims = undefined;
    if (!this.#emulator.altScreen) return;
    const { lines } = this.#emulator.buffer;
    // More than the lines of any visit before.
    this.#firstAlternate += MOST_ROWS;
    this.#alternateTrims = lines.onTrim((count) => {
      this.#firstAlternate += count;
    });
  }

  #countTrims(): Disposable {
    return this.#buffer.lines.onTrim((count) => {
      this.#first += count;
    });
  }
}
