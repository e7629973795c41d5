/** The matches of a search in a terminal's lines, in their order, and the one that is shown. */
import type { DaemonConnection } from '../client/connection.js';

/** Matching lines that are gone through, from the end: as many as on the page. */
const MAX_LINES = 1000;

/** Bound of the words of `grep`. */
export const MAX_WORDS = 1000;

export interface Match {
  /** Lasting number of the first row of its line. */
  readonly line: number;
  /** Matches before it in that line. */
  readonly nth: number;
  /** Start in the line, in UTF-16 code units. */
  readonly start: number;
  /** Lasting number of its row, as far as it is known without the widths of the characters before it. */
  readonly row: number;
}

/** Start of a search: matches of this row that begin after this place are below it, all others above. */
export type Place = Pick<Match, 'row' | 'start'>;

export interface SteppedMatch {
  readonly match: Match;
  /** 1-based. */
  readonly number: number;
  /** Whether it goes on from the other end. */
  readonly wraps: boolean;
}

export class ScrollbackSearch {
  readonly words: string;
  /** The revision of the screen that was searched. */
  readonly rev: number;
  /** All that match. */
  readonly totalLines: number;
  readonly #lines: readonly { readonly number: number; readonly starts: readonly number[] }[];
  readonly #cols: number;

  private constructor(words: string, cols: number, { rev, total, lines }: Found) {
    this.words = words;
    this.rev = rev;
    this.totalLines = total;
    this.#lines = lines;
    this.#cols = cols;
  }

  /** @param words as they are, without regard to case @throws T4aError */
  static async of(connection: DaemonConnection, id: string, words: string, cols: number): Promise<ScrollbackSearch> {
    const how = { fixed: true, ignore_case: true, last: true, max: MAX_LINES } as const;
    const { matches, total, rev } = await connection.call('grep', { id, pattern: words, ...how });
    const lines = matches.map(({ number, spans }) => ({ number, starts: spans.map(({ start }) => start) }));
    return new ScrollbackSearch(words, Math.max(1, cols), { rev, total, lines });
  }

  /** Matches that are gone through. */
  get count(): number {
    return this.#lines.reduce((sum, { starts }) => sum + starts.length, 0);
  }

  /** Whether there are more, in older lines. */
  get isCut(): boolean {
    return this.totalLines > this.#lines.length;
  }

  /** The next one in the direction, or from the other end on. Undefined: nothing matches. */
  step(from: Place, direction: 'down' | 'up'): SteppedMatch | undefined {
    const isBelow = ({ row, start }: Match): boolean => row > from.row || (row === from.row && start > from.start);
    const isAbove = ({ row, start }: Match): boolean => row < from.row || (row === from.row && start < from.start);
    let ends: { first: SteppedMatch; last: SteppedMatch } | undefined;
    let above: SteppedMatch | undefined;
    let number = 0;
    for (const match of this.#matches()) {
      const stepped = { match, number: ++number, wraps: false };
      if (direction === 'down' && isBelow(match)) return stepped;
      if (isAbove(match)) above = stepped;
      ends = { first: ends?.first ?? stepped, last: stepped };
    }
    if (direction === 'up' && above !== undefined) return above;
    const end = direction === 'down' ? ends?.first : ends?.last;
    return end === undefined ? undefined : { ...end, wraps: true };
  }

  *#matches(): Generator<Match> {
    for (const { number, starts } of this.#lines) {
      for (const [nth, start] of starts.entries()) {
        yield { line: number, nth, start, row: number + Math.floor(start / this.#cols) };
      }
    }
  }
}

interface Found {
  readonly rev: number;
  readonly total: number;
  readonly lines: readonly { readonly number: number; readonly starts: readonly number[] }[];
}
