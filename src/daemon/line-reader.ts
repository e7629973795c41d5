/**
 * Reads many lines of a screen without holding up the daemon: in slices of some milliseconds, between which others are
 * served. Lines that are cut from the scrollback meanwhile are left out; lines that come meanwhile are not read.
 */
import type { Screen } from '../vt/screen.js';
import type { LineRange } from './region.js';

/** What nobody who waits for a reply or a picture notices. */
const SLICE_MS = 4;
/** Lines between two looks at the clock: a tenth of a slice. */
const LINES_PER_LOOK = 256;

export class LineReader {
  readonly #screen: Screen;
  /** Lasting number of the next row to read. */
  #next: number;
  readonly #end: number;
  readonly #altScreen: boolean;
  #rowsRead = 0;

  constructor(screen: Screen, { first, end }: LineRange) {
    this.#screen = screen;
    this.#next = screen.firstShownNumber + first;
    this.#end = screen.firstShownNumber + end;
    this.#altScreen = screen.altScreen;
  }

  get rowsRead(): number {
    return this.#rowsRead;
  }

  /**
   * Rows that were printed as one line come as one, without blanks at its end.
   * @param number lasting number of the line's first row @throws the signal's reason
   */
  async each(signal: AbortSignal, visit: (text: string, number: number) => void): Promise<void> {
    for (;;) {
      const sliceEnd = performance.now() + SLICE_MS;
      do {
        for (let i = 0; i < LINES_PER_LOOK; i++) if (!this.#readOne(visit)) return;
      } while (performance.now() < sliceEnd);
      await new Promise(setImmediate);
      signal.throwIfAborted();
      // Another screen is another text: what is left of the first is not there any more.
      if (this.#screen.altScreen !== this.#altScreen) return;
    }
  }

  #readOne(visit: (text: string, number: number) => void): boolean {
    const screen = this.#screen;
    const first = screen.firstShownNumber;
    this.#next = Math.max(this.#next, first);
    const end = Math.min(this.#end, first + screen.totalLines);
    const number = this.#next;
    if (number >= end) return false;
    let last = number;
    while (last + 1 < end && screen.continuesLine(last + 1 - first)) last++;
    let text = '';
    for (let at = number; at <= last; at++) text += screen.lineText(at - first, { trim: at === last }) ?? '';
    this.#next = last + 1;
    this.#rowsRead += last + 1 - number;
    visit(text.trimEnd(), number);
    return true;
  }
}
